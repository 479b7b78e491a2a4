#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/clock.h"

namespace basalt {

// Something to do later, once.
using Callback = std::move_only_function<void()>;
using TimerId = std::uint64_t;

// A single-threaded event loop. Every component takes a Loop& and keeps its state on that loop's
// thread, so that it needs no locks; the loop outlives them all. AsioLoop is the real one;
// testing/sim_loop.h has one on virtual time.
class Loop : public Clock {
 public:
  // Runs `callback` on the loop's thread, after what was posted before it. Any thread may call it.
  virtual void Post(Callback callback) = 0;
  // Runs `callback` after `delay`. Loop thread only. Most callers want a Timer instead.
  virtual TimerId Schedule(Duration delay, Callback callback) = 0;
  // Afterwards the callback will not run. Unknown and past ids are ignored. Loop thread only.
  virtual void Cancel(TimerId id) = 0;
};

// One restartable timer, a member of its owner, that stops when the owner goes. Loop thread only.
class Timer {
 public:
  explicit Timer(Loop& loop) : loop_(loop) {}
  ~Timer() { Stop(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Replaces what was running.
  void Start(Duration delay, Callback callback) {
    Stop();
    running_ = true;
    id_ = loop_.Schedule(delay, [this, callback = std::move(callback)]() mutable {
      running_ = false;
      // `this` may be gone, or the timer restarted, while it runs.
      Callback run = std::move(callback);
      run();
    });
  }
  void Stop() {
    if (running_) loop_.Cancel(id_);
    running_ = false;
  }
  bool running() const { return running_; }

 private:
  Loop& loop_;
  TimerId id_ = 0;
  bool running_ = false;
};

// Makes callbacks that do nothing once their owner is gone. A component that hands out callbacks
// holds a Scope as its last member and wraps each of them:
//   client.Send(request, scope_.Guard([this](auto response) { … }));
// Guarded callbacks must run on the thread that destroys the owner.
class Scope {
 public:
  Scope() : alive_(std::make_shared<bool>(true)) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  template <class Fn>
  auto Guard(Fn fn) const {
    return [alive = std::weak_ptr<bool>(alive_), fn = std::move(fn)](auto&&... args) mutable {
      if (!alive.expired()) fn(std::forward<decltype(args)>(args)...);
    };
  }
  // Drops every callback handed out so far.
  void Reset() { alive_ = std::make_shared<bool>(true); }

 private:
  std::shared_ptr<bool> alive_;
};

}  // namespace basalt
