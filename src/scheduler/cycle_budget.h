#pragma once

#include <cstdint>
#include <limits>

#include "base/clock.h"

namespace basalt::scheduler {

// How long one cycle may go on, asked between two jobs. Of n actions the i-th has to end by i/n of
// the budget, so that it leaves each of those that follow a part; what it does not use is theirs.
//
// The budget is time by the clock. On virtual time, where the clock stands still while a cycle
// runs, it is a number of steps: a step is a job that an action has looked at.
class CycleBudget {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  CycleBudget(const Clock& clock, Duration time, std::uint64_t steps, std::size_t actions)
      : clock_(clock),
        began_(clock.Monotonic()),
        time_(time),
        steps_(steps),
        actions_(static_cast<std::int64_t>(actions)) {}

  // The next action begins.
  void BeginAction() {
    ++action_;
    deadline_ = began_ + time_ / actions_ * action_;
    if (steps_ == kNoLimit) return;
    steps_left_ =
        steps_ * static_cast<std::uint64_t>(action_) / static_cast<std::uint64_t>(actions_);
  }
  // An action has looked at one more job. false: its part is used up.
  bool Step() {
    ++steps_done_;
    return steps_done_ < steps_left_ && clock_.Monotonic() < deadline_;
  }

 private:
  const Clock& clock_;
  Duration began_;
  Duration time_;
  std::uint64_t steps_;
  std::int64_t actions_;
  std::int64_t action_ = 0;
  Duration deadline_{0};
  std::uint64_t steps_left_ = kNoLimit;
  std::uint64_t steps_done_ = 0;
};

}  // namespace basalt::scheduler
