#pragma once

#include <exception>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "base/loop.h"

// A mistake in what a request sets off costs that request and nothing else: what throws on the
// server's loop is logged here and goes no further.
namespace basalt::apiserver {

inline void LogFailure(std::string_view doing, std::string_view why) {
  log::Error("the API server failed and goes on", {{"doing", doing}, {"why", why}});
}

// Runs `work`. False: it threw, and the log has it.
template <class Work>
bool Survives(std::string_view doing, Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
    return true;
  } catch (const std::exception& error) {
    LogFailure(doing, error.what());
  } catch (...) {
    LogFailure(doing, "an unknown exception");
  }
  return false;
}

// A loop whose tasks may throw. Only hands on to `loop`, which must outlive what is posted.
class SurvivingLoop final : public Loop {
 public:
  explicit SurvivingLoop(Loop& loop) : loop_(loop) {}

  Time Now() const override { return loop_.Now(); }
  Duration Monotonic() const override { return loop_.Monotonic(); }
  void Post(Task task) override { loop_.Post(Surviving(std::move(task))); }
  TimerId Schedule(Duration delay, Task task) override {
    return loop_.Schedule(delay, Surviving(std::move(task)));
  }
  void Cancel(TimerId id) override { loop_.Cancel(id); }

 private:
  static Task Surviving(Task task) {
    return [task = std::move(task)]() mutable { Survives("a task", [&task] { task(); }); };
  }

  Loop& loop_;
};

}  // namespace basalt::apiserver
