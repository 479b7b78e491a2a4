#include "scheduler/plugins/conformance/conformance.h"

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

}  // namespace

Result<std::unique_ptr<Plugin>> Conformance::Make(const PluginContext& context) {
  if (auto ok = context.config.arguments.CheckKnown({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Conformance>();
}

VictimOpinion Conformance::PermitPreemption(const Task&,
                                            std::span<const Task* const> candidates) const {
  return NotCritical(candidates);
}

VictimOpinion Conformance::PermitReclaim(const Task&,
                                         std::span<const Task* const> candidates) const {
  return NotCritical(candidates);
}

VictimOpinion Conformance::PermitEviction(const GangEviction&,
                                          std::span<const Task* const> candidates) const {
  return NotCritical(candidates);
}

}  // namespace basalt::scheduler::plugins
