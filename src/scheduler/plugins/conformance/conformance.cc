#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"

namespace basalt::scheduler::plugins {
namespace {

VictimOpinion NotCritical(std::span<const Task* const> candidates) {
  VictimOpinion opinion;
  for (const Task* task : candidates) {
    const std::string& priority_class = task->pod->spec.priority_class_name;
    if (priority_class == "system-cluster-critical" || priority_class == "system-node-critical" ||
        task->ns() == "kube-system") {
      continue;
    }
    opinion.victims.push_back(task);
  }
  return opinion;
}

// Pods that the cluster itself needs are never victims: those of namespace kube-system and of the
// system priority classes. Counterpart: Volcano plugins/conformance. It takes no arguments.
class Conformance final : public Plugin,
                          public PreemptionVictims,
                          public ReclaimVictims,
                          public UnifiedVictims {
 public:
  VictimOpinion PermitPreemption(const Task&,
                                 std::span<const Task* const> candidates) const override {
    return NotCritical(candidates);
  }
  VictimOpinion PermitReclaim(const Task&, std::span<const Task* const> candidates) const override {
    return NotCritical(candidates);
  }
  VictimOpinion PermitEviction(const GangEviction&,
                               std::span<const Task* const> candidates) const override {
    return NotCritical(candidates);
  }
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeConformance(const PluginContext& context) {
  if (auto ok = context.config.arguments.Read({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Conformance>();
}

}  // namespace basalt::scheduler::plugins
