#include "scheduler/plugins/pdb/pdb.h"

#include <algorithm>

namespace basalt::scheduler::plugins {

Result<std::unique_ptr<Plugin>> Pdb::Make(const PluginContext& context) {
  if (auto ok = context.config.arguments.CheckKnown({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Pdb>();
}

std::vector<const Task*> Pdb::Allowed(std::span<const Task* const> tasks) const {
  struct Budget {
    const kube::PodDisruptionBudget* object;
    std::int32_t left;
  };
  std::vector<Budget> budgets;
  for (const auto& [key, budget] : view_->cluster().objects().disruption_budgets) {
    budgets.push_back({budget.get(), budget->disruptions_allowed});
  }
  std::vector<const Task*> allowed;
  for (const Task* task : tasks) {
    if (task->pod->meta.labels.empty()) continue;
    bool violates = false;
    for (Budget& budget : budgets) {
      const kube::PodDisruptionBudget& object = *budget.object;
      if (object.meta.ns != task->ns()) continue;
      if (!object.selector || object.selector->empty() ||
          !object.selector->Matches(task->pod->meta.labels)) {
        continue;
      }
      // The API server has counted it already.
      const bool disrupted = std::ranges::any_of(
          object.disrupted_pods, [&](const auto& pod) { return pod.name == task->name(); });
      if (disrupted) continue;
      violates = --budget.left < 0 || violates;
    }
    if (!violates) allowed.push_back(task);
  }
  return allowed;
}

VictimOpinion Pdb::PermitPreemption(const Task&, std::span<const Task* const> candidates) const {
  return {.victims = Allowed(candidates)};
}

VictimOpinion Pdb::PermitReclaim(const Task&, std::span<const Task* const> candidates) const {
  return {.victims = Allowed(candidates)};
}

std::vector<const Task*> Pdb::FindVictims(std::span<const Task* const> running) {
  return Allowed(running);
}

}  // namespace basalt::scheduler::plugins
