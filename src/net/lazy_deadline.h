#pragma once

#include <utility>

#include "base/loop.h"

namespace basalt::net {

// A deadline that moves with every message but seldom passes: moving it later costs no timer, the
// one that runs looks again when it fires. `passed` must not destroy it. A member of its owner;
// loop thread only.
class LazyDeadline {
 public:
  LazyDeadline(Loop& loop, Callback passed)
      : loop_(loop), passed_(std::move(passed)), timer_(loop) {}

  // Once `delay` from now has passed, unless set again or cleared before, `passed` runs.
  void Set(Duration delay) { SetAt(loop_.Monotonic() + delay); }
  void SetAt(Duration due) {
    due_ = due;
    set_ = true;
    if (!timer_.running() || due_ < armed_) Arm();
  }
  // At `due`, or before if it is set to that already.
  void SetAtLatest(Duration due) {
    if (!set_ || due < due_) SetAt(due);
  }
  void Clear() { set_ = false; }
  // For good: no timer is left behind.
  void Stop() {
    set_ = false;
    timer_.Stop();
  }

 private:
  void Arm() {
    armed_ = due_;
    timer_.Start(due_ - loop_.Monotonic(), [this] { Look(); });
  }
  void Look() {
    if (!set_) return;
    if (loop_.Monotonic() < due_) return Arm();
    set_ = false;
    passed_();
  }

  Loop& loop_;
  Callback passed_;
  Duration due_{0};
  Duration armed_{0};
  bool set_ = false;
  Timer timer_;
};

}  // namespace basalt::net
