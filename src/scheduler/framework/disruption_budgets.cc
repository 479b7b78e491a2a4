#include "scheduler/framework/disruption_budgets.h"

#include <algorithm>

namespace basalt::scheduler {

using model::Task;
using model::TaskStatus;

namespace {

// On its way out, or treated as gone to see what fits then.
bool IsGone(const model::Holding& holding) {
  return holding.status == TaskStatus::kReleasing || holding.status == TaskStatus::kUnknown;
}

bool IsReady(const kube::Pod& pod) {
  const kube::Condition* ready = kube::FindCondition(pod.status.conditions, "Ready");
  return ready && ready->status == kube::ConditionStatus::kTrue;
}

}  // namespace

bool DisruptionBudgets::Guards(const Budget& budget, const Task& task) {
  const kube::PodDisruptionBudget& object = *budget.object;
  const kube::Pod& pod = *task.pod;
  // Nobody is disturbed by the end of a pod that has not started.
  if (pod.status.phase == kube::PodPhase::kPending || pod.meta.labels.empty()) return false;
  if (!kube::Matches(object.selector, pod.meta.labels)) return false;
  const bool enough_without =
      object.desired_healthy > 0 && object.current_healthy >= object.desired_healthy;
  return IsReady(pod) || !(object.always_allow_unhealthy || enough_without);
}

template <class Fn>
void DisruptionBudgets::ForEachGuard(const Task& task, Fn fn) {
  const auto budgets = by_namespace_.find(task.ns());
  if (budgets == by_namespace_.end()) return;
  for (Budget& budget : budgets->second) {
    if (Guards(budget, task)) fn(budget);
  }
}

void DisruptionBudgets::Read() {
  read_ = true;
  for (const auto& [key, budget] : cluster_.objects().disruption_budgets) {
    by_namespace_[budget->meta.ns].push_back({budget.get(), budget->disruptions_allowed});
  }
  if (by_namespace_.empty()) return;
  for (const model::TaskId id : cluster_.releasing()) {
    const Task& task = cluster_.task(id);
    if (task.pod->meta.deleting()) continue;  // the status knows
    ForEachGuard(task, [&](Budget& budget) {
      const bool counted = std::ranges::any_of(
          budget.object->disrupted_pods, [&](const auto& pod) { return pod.name == task.name(); });
      if (!counted) --budget.left;
    });
  }
}

bool DisruptionBudgets::Allow(const Task& task) {
  if (!read_) Read();
  int guards = 0;
  bool allowed = true;
  ForEachGuard(task, [&](const Budget& budget) {
    allowed = allowed && budget.left > 0;
    ++guards;
  });
  return allowed && guards <= 1;  // of several budgets the API server makes an error
}

void DisruptionBudgets::Moved(const Task& task, const model::Holding& from) {
  if (!read_ || IsGone(from) == IsGone(task.holding)) return;
  const int by = IsGone(task.holding) ? -1 : +1;
  ForEachGuard(task, [&](Budget& budget) { budget.left += by; });
}

}  // namespace basalt::scheduler
