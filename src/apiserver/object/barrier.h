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

// A loop whose callbacks may throw. Only hands on to `loop`, which must outlive what is posted.
// Owned by the Core; its thread is that of `loop`.
class SurvivingLoop final : public Loop {
 public:
  explicit SurvivingLoop(Loop& loop) : loop_(loop) {}

  Time Now() const override { return loop_.Now(); }
  Duration Monotonic() const override { return loop_.Monotonic(); }
  void Post(Callback callback) override { loop_.Post(Surviving(std::move(callback))); }
  TimerId Schedule(Duration delay, Callback callback) override {
    return loop_.Schedule(delay, Surviving(std::move(callback)));
  }
  void Cancel(TimerId id) override { loop_.Cancel(id); }

 private:
  static Callback Surviving(Callback callback) {
    return [callback = std::move(callback)]() mutable {
      Survives("a task", [&callback] { callback(); });
    };
  }

  Loop& loop_;
};

}  // namespace basalt::apiserver
