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

bool DisruptionBudgets::Covers(const Budget& budget, const Task& task) {
  const kube::Pod& pod = *task.pod;
  // The end of a pod that has not started disturbs nothing.
  if (pod.status.phase == kube::PodPhase::kPending || pod.meta.labels.empty()) return false;
  return kube::Matches(budget.object->selector, pod.meta.labels);
}

bool DisruptionBudgets::Guards(const Budget& budget, const Task& task) {
  if (!Covers(budget, task)) return false;
  const kube::PodDisruptionBudget& object = *budget.object;
  const bool enough_without =
      object.desired_healthy > 0 && object.current_healthy >= object.desired_healthy;
  return IsReady(*task.pod) || !(object.always_allow_unhealthy || enough_without);
}

std::span<DisruptionBudgets::Budget> DisruptionBudgets::BudgetsNear(const Task& task) {
  const auto budgets = by_namespace_.find(task.ns());
  if (budgets == by_namespace_.end()) return {};
  return budgets->second;
}

template <class Fn>
void DisruptionBudgets::ForEachGuard(const Task& task, Fn fn) {
  for (Budget& budget : BudgetsNear(task)) {
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
  // Of several budgets the API server makes an error, whatever they would allow.
  const auto covers = [&](const Budget& budget) { return Covers(budget, task); };
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
