#include "scheduler/cycle_budget.h"

#include <algorithm>
#include <utility>

namespace basalt::scheduler {

CycleBudget::CycleBudget(const Clock& clock, Duration time, std::uint64_t steps,
                         std::size_t actions)
    : clock_(clock),
      time_(time),
      steps_(steps),
      actions_(static_cast<std::int64_t>(actions)),
      began_(clock.Monotonic()),
      looked_(began_) {}

void CycleBudget::BeginAction() {
  ++action_;
  action_began_ = clock_.Monotonic();
  looked_at_one_ = false;
  deadline_ = began_ + time_ / kSlices / actions_ * action_;
  if (steps_ == kNoLimit) return;
  steps_until_ =
      steps_ * static_cast<std::uint64_t>(action_) / static_cast<std::uint64_t>(actions_);
}

bool CycleBudget::Step(std::string_view ns) {
  const Duration now = clock_.Monotonic();
  Used& used = used_[ns];
  used.time += now - looked_;
  ++used.steps;
  looked_ = now;
  ++steps_done_;
  if (!std::exchange(looked_at_one_, true)) {
    const Duration bound = began_ + time_ / actions_ * action_;
    deadline_ = std::min(bound, std::max(deadline_, now + (now - action_began_)));
  }
  return steps_done_ < steps_until_ && now < deadline_;
}

bool CycleBudget::HasShare(std::string_view ns) const {
  const auto it = used_.find(ns);
  if (it == used_.end()) return true;
  const bool steps_left =
      steps_ == kNoLimit || it->second.steps < std::max<std::uint64_t>(1, steps_ / kShares);
  return steps_left && it->second.time < time_ / kSlices / kShares;
}

}  // namespace basalt::scheduler
