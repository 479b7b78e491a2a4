#pragma once

#include <exception>
#include <string_view>
#include <utility>

#include "base/loop.h"

// A mistake in what a request sets off costs that request and nothing else: what throws on the
// server's loop is logged here and goes no further.
namespace basalt::apiserver {

void LogFailure(std::string_view doing, std::string_view why);

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
  void Post(Task task) override;
  TimerId Schedule(Duration delay, Task task) override;
  void Cancel(TimerId id) override { loop_.Cancel(id); }

 private:
  Loop& loop_;
};

}  // namespace basalt::apiserver
