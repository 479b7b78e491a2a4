#pragma once

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"

namespace basalt::scheduler::plugins {

// Pods that the cluster itself needs are never victims: those of namespace kube-system and of the
// system priority classes. Counterpart: Volcano plugins/conformance. It takes no arguments.
class Conformance final : public Plugin,
                          public PreemptionVictims,
                          public ReclaimVictims,
                          public UnifiedVictims {
 public:
  static constexpr std::string_view kName = "conformance";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  std::string_view name() const override { return kName; }
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override;
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override;
  VictimOpinion PermitEviction(const GangEviction& context,
                               std::span<const Task* const> candidates) const override;
};

}  // namespace basalt::scheduler::plugins
