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

// Whether the API server looks at the budget when the pod is evicted.
bool Covers(const kube::PodDisruptionBudget& budget, const kube::Pod& pod) {
  // The end of a pod that has not started disturbs nothing.
  if (pod.status.phase == kube::PodPhase::kPending || pod.meta.labels.empty()) return false;
  return kube::Matches(budget.selector, pod.meta.labels);
}

// Whether the budget would count the pod's eviction.
bool Guards(const kube::PodDisruptionBudget& budget, const kube::Pod& pod) {
  if (!Covers(budget, pod)) return false;
  const bool enough_without =
      budget.desired_healthy > 0 && budget.current_healthy >= budget.desired_healthy;
  return kube::IsConditionTrue(pod.status.conditions, "Ready") ||
         !(budget.always_allow_unhealthy || enough_without);
}

}  // namespace

std::span<DisruptionBudgets::Budget> DisruptionBudgets::BudgetsNear(const Task& task) {
  const auto budgets = by_namespace_.find(task.ns());
  if (budgets == by_namespace_.end()) return {};
  return budgets->second;
}

template <class Fn>
void DisruptionBudgets::ForEachGuard(const Task& task, Fn fn) {
  for (Budget& budget : BudgetsNear(task)) {
    if (Guards(*budget.object, *task.pod)) fn(budget);
  }
}

void DisruptionBudgets::Read() {
  read_ = true;
  for (const auto& [key, budget] : cluster_.objects().disruption_budgets) {
    by_namespace_[budget->meta.ns].push_back({budget.get(), budget->disruptions_allowed});
  }
  if (by_namespace_.empty()) return;
  for (const Task& task : cluster_.TasksOf(cluster_.releasing())) {
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
  // Of several budgets the API server makes an error, whatever they would allow.
  const auto covers = [&](const Budget& budget) { return Covers(*budget.object, *task.pod); };
  if (std::ranges::count_if(BudgetsNear(task), covers) > 1) return false;
  bool allowed = true;
  ForEachGuard(task, [&](const Budget& budget) { allowed = budget.left > 0; });
  return allowed;
}

void DisruptionBudgets::Moved(const Task& task, const model::Holding& from) {
  if (!read_ || IsGone(from) == IsGone(task.holding)) return;
  const int by = IsGone(task.holding) ? -1 : +1;
  ForEachGuard(task, [&](Budget& budget) { budget.left += by; });
}

}  // namespace basalt::scheduler
