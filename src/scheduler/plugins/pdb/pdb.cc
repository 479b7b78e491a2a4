#include <algorithm>

#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
namespace {

// Victims are only those that disruption budgets allow to go, all together. As in Volcano a pod
// without labels is no victim here. Counterpart: Volcano plugins/pdb. It takes no arguments.
class Pdb final : public SessionPlugin, public EvictionVictims, public PeriodicVictims {
 public:
  VictimOpinion Permit(const Task&, Candidates candidates) const override {
    return Allowed(candidates);
  }
  std::vector<const Task*> FindVictims(Candidates running) override {
    return Allowed(running).victims;
  }

 private:
  VictimOpinion Allowed(Candidates candidates) const {
    struct Budget {
      const kube::PodDisruptionBudget* object;
      std::int32_t left;
    };
    std::vector<Budget> budgets;
    for (const auto& [key, budget] : cluster().objects().disruption_budgets) {
      budgets.push_back({budget.get(), budget->disruptions_allowed});
    }
    return VictimsAmong(candidates, [&](const Task& task) {
      const kube::StringMap& labels = task.pod->meta.labels;
      if (labels.empty()) return false;
      bool violates = false;
      for (Budget& budget : budgets) {
        const kube::PodDisruptionBudget& object = *budget.object;
        if (object.meta.ns != task.ns() || !object.selector || object.selector->empty() ||
            !object.selector->Matches(labels)) {
          continue;
        }
        // The API server has counted it already.
        const bool disrupted = std::ranges::any_of(
            object.disrupted_pods, [&](const auto& pod) { return pod.name == task.name(); });
        if (!disrupted) violates = --budget.left < 0 || violates;
      }
      return !violates;
    });
  }
};

}  // namespace

std::unique_ptr<Plugin> MakePdb() { return std::make_unique<Pdb>(); }

}  // namespace basalt::scheduler::plugins
