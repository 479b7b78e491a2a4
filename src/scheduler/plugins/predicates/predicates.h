#pragma once

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"
#include "scheduler/plugins/predicates/node_rules.h"
#include "scheduler/plugins/predicates/one_pod_claims.h"
#include "scheduler/plugins/predicates/pod_rules.h"
#include "scheduler/plugins/predicates/volume_plans.h"
#include "scheduler/plugins/predicates/volume_use.h"

namespace basalt::scheduler::plugins {

// On which nodes a pod may run, by Kubernetes' own rules: unschedulable nodes, node conditions,
// node selector and affinity, taints, host ports, number of pods, pod affinity and anti-affinity,
// topology spread, and volumes. Counterpart: Volcano plugins/predicates.
//
// Arguments, each true where it is not given: predicate.NodeAffinityEnable, NodePortsEnable,
// TaintTolerationEnable, PodAffinityEnable, NodeVolumeLimitsEnable, VolumeZoneEnable,
// PodTopologySpreadEnable, VolumeBindingEnable; accepted without effect (answers are always cached,
// and exact): predicate.CacheEnable; refused when on: predicate.DynamicResourceAllocationEnable.
class Predicates final : public Plugin,
                         public TaskGate,
                         public NodeFilter,
                         public SessionObserver,
                         public PlacementObserver,
                         public BindPlanner {
 public:
  static constexpr std::string_view kName = "predicates";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  explicit Predicates(Reasons& reasons);
  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override;
  void TaskMoved(const Task& task, const model::Holding& from) override;

  Verdict CheckTask(const Task& task) override;
  void FilterParts(const Task& task, std::vector<Part>* parts) const override;
  Verdict Filter(const Task& task, const Node& node, int part) const override;
  Changes FindChanges(const Task& task, int part, std::vector<std::uint64_t>* seen,
                      std::vector<NodeId>* nodes) const override;
  void PlanBind(const Task& task, model::Bind* bind) const override;

 private:
  enum PartNumber {
    kObject,
    kPodCount,
    kPorts,
    kVolumes,
    kVolumeLimits,
    kOnePodClaims,
    kAffinity,
    kSpread
  };
  struct Enabled {
    bool node_affinity = true;
    bool node_ports = true;
    bool taints = true;
    bool pod_affinity = true;
    bool volume_limits = true;
    bool volume_zone = true;
    bool spread = true;
    bool volume_binding = true;
  };

  Enabled enabled_;
  Reasons& reasons_;
  const SessionView* view_ = nullptr;
  // What fills up as tasks are asked about.
  mutable NodeRules node_rules_;
  mutable PodCounts counts_;
  mutable PodAffinityRules affinity_{counts_};
  mutable SpreadRules spread_{counts_};
  mutable VolumeUse volume_use_;
  mutable OnePodClaims one_pod_claims_;
  VolumePlans plans_;
};

}  // namespace basalt::scheduler::plugins
