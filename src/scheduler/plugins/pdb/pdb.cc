#include <algorithm>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {
namespace {

// Victims are only those that disruption budgets allow to go, all together. As in Volcano a pod
// without labels is no victim here. Counterpart: Volcano plugins/pdb. It takes no arguments.
class Pdb final : public Plugin,
                  public PreemptionVictims,
                  public ReclaimVictims,
                  public PeriodicVictims,
                  public SessionObserver {
 public:
  void Open(const SessionView& view) override { view_ = &view; }
  VictimOpinion PermitPreemption(const Task&,
                                 std::span<const Task* const> candidates) const override {
    return {.victims = Allowed(candidates)};
  }
  VictimOpinion PermitReclaim(const Task&, std::span<const Task* const> candidates) const override {
    return {.victims = Allowed(candidates)};
  }
  std::vector<const Task*> FindVictims(std::span<const Task* const> running) override {
    return Allowed(running);
  }

 private:
  std::vector<const Task*> Allowed(std::span<const Task* const> tasks) const {
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

  const SessionView* view_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakePdb(const PluginContext& context) {
  if (auto ok = context.config.arguments.Read({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Pdb>();
}

}  // namespace basalt::scheduler::plugins
