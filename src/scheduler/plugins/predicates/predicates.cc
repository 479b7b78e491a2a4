#include "scheduler/plugins/predicates/predicates.h"

#include "scheduler/plugins/predicates/ports.h"
#include "scheduler/plugins/predicates/static_rules.h"
#include "scheduler/plugins/predicates/volumes.h"

namespace basalt::scheduler::plugins {
namespace {

// The terms of a placed pod that keep others away.
void RequiredAntiAffinity(const kube::Pod& pod, std::vector<PodCounts::OwnTerm>* terms) {
  if (!pod.spec.affinity) return;
  for (const kube::PodAffinityTerm& term : pod.spec.affinity->pod_anti.required) {
    terms->push_back({&term, 1});
  }
}

}  // namespace

Predicates::Predicates(Reasons& reasons) : reasons_(reasons), counts_(RequiredAntiAffinity) {}

Result<std::unique_ptr<Plugin>> Predicates::Make(const PluginContext& context) {
  const Arguments& arguments = context.config.arguments;
  auto plugin = std::make_unique<Predicates>(context.reasons);
  Enabled& enabled = plugin->enabled_;
  bool cache = false, claims = false;
  const std::pair<std::string_view, bool*> kSwitches[] = {
      {"predicate.NodeAffinityEnable", &enabled.node_affinity},
      {"predicate.NodePortsEnable", &enabled.node_ports},
      {"predicate.TaintTolerationEnable", &enabled.taints},
      {"predicate.PodAffinityEnable", &enabled.pod_affinity},
      {"predicate.NodeVolumeLimitsEnable", &enabled.volume_limits},
      {"predicate.VolumeZoneEnable", &enabled.volume_zone},
      {"predicate.PodTopologySpreadEnable", &enabled.spread},
      {"predicate.VolumeBindingEnable", &enabled.volume_binding},
      {"predicate.CacheEnable", &cache},
      {"predicate.DynamicResourceAllocationEnable", &claims},
  };
  if (auto ok = arguments.CheckKnown(
          {"predicate.NodeAffinityEnable", "predicate.NodePortsEnable",
           "predicate.TaintTolerationEnable", "predicate.PodAffinityEnable",
           "predicate.NodeVolumeLimitsEnable", "predicate.VolumeZoneEnable",
           "predicate.PodTopologySpreadEnable", "predicate.VolumeBindingEnable",
           "predicate.CacheEnable", "predicate.DynamicResourceAllocationEnable"});
      !ok) {
    return std::unexpected(ok.error());
  }
  for (const auto& [key, target] : kSwitches) {
    if (auto ok = arguments.Get(key, target); !ok) return std::unexpected(ok.error());
  }
  if (claims) {
    return Fail(ErrorCode::kUnsupported,
                "predicate.DynamicResourceAllocationEnable: resource claims are not supported");
  }
  return plugin;
}

void Predicates::Open(const SessionView& view) {
  view_ = &view;
  node_rules_.Open(view.cluster());
  counts_.Open(view.cluster());
  affinity_.Open(view);
  spread_.Open(view);
  volume_use_.Open(view.cluster());
  one_pod_claims_.Open(view.cluster());
  plans_.Open(view.cluster());
}

void Predicates::TaskMoved(const Task& task, const model::Holding& from) {
  counts_.TaskMoved(task, from);
  one_pod_claims_.TaskMoved(task, from);
  if (task.task_class->has_volumes && enabled_.volume_binding) plans_.TaskMoved(task);
}

void Predicates::PlanBind(const Task& task, model::Bind* bind) const {
  if (task.task_class->has_volumes) bind->volumes = plans_.ChoicesOf(task);
}

Verdict Predicates::CheckTask(const Task& task) {
  if (task.task_class->has_resource_claims) {
    return Verdict::Unsupported(kName, "pods with resource claims are not supported");
  }
  if (task.task_class->has_volumes && enabled_.volume_binding) {
    return CheckClaims(view_->cluster(), task, reasons_);
  }
  return Verdict::Ok();
}

void Predicates::FilterParts(const Task& task, std::vector<Part>* parts) const {
  const model::TaskClass& task_class = *task.task_class;
  parts->push_back({DependsOn::kStatic, kObject});
  // Of other tasks the room for "pods" is checked with the rest, and more exactly.
  if (task.best_effort()) parts->push_back({DependsOn::kNode, kPodCount});
  if (task_class.has_host_ports && enabled_.node_ports) {
    parts->push_back({DependsOn::kNode, kPorts});
  }
  if (task_class.has_volumes && (enabled_.volume_binding || enabled_.volume_zone)) {
    // Of claims that are not bound yet others may take the volumes.
    const bool chooses = enabled_.volume_binding && plans_.HasUnbound(task);
    parts->push_back({chooses ? DependsOn::kCluster : DependsOn::kNode, kVolumes});
  }
  if (task_class.has_volumes && enabled_.volume_limits) {
    parts->push_back({DependsOn::kNode, kVolumeLimits});
  }
  if (task_class.has_volumes && enabled_.volume_binding && one_pod_claims_.Concern(task)) {
    parts->push_back({DependsOn::kCluster, kOnePodClaims});
  }
  if (enabled_.pod_affinity && affinity_.Concern(task)) {
    parts->push_back({DependsOn::kCluster, kAffinity});
  }
  if (enabled_.spread && task_class.has_spread_rules) {
    parts->push_back({DependsOn::kCluster, kSpread});
  }
}

Verdict Predicates::Filter(const Task& task, const Node& node, int part) const {
  switch (part) {
    case kObject: {
      const Verdict schedulable = CheckUnschedulable(*task.pod, *node.object);
      if (!schedulable.ok()) return schedulable;
      if (enabled_.node_affinity && task.task_class->has_node_rules) {
        if (!node_rules_.Matches(task, node)) {
          return Verdict::Unresolvable(kName, "node(s) didn't match Pod's node affinity/selector");
        }
      }
      if (!enabled_.taints) return Verdict::Ok();
      const Verdict tolerated = CheckTaints(*task.pod, *node.object, reasons_);
      return tolerated.ok() ? CheckConditions(*task.pod, *node.object) : tolerated;
    }
    case kPodCount:
      return static_cast<double>(node.tasks.size()) < node.allocatable[model::kPods]
                 ? Verdict::Ok()
                 : Verdict::Unschedulable(kName, "node(s) pod number exceeded");
    case kPorts:
      return PortsConflict(view_->cluster(), task, node)
                 ? Verdict::Unschedulable(
                       kName, "node(s) didn't have free ports for the requested pod ports")
                 : Verdict::Ok();
    case kVolumes:
      return CheckVolumes(plans_, task, node,
                          {.zone = enabled_.volume_zone, .binding = enabled_.volume_binding});
    case kVolumeLimits: return volume_use_.Check(task, node);
    case kOnePodClaims: return one_pod_claims_.Check(task);
    case kAffinity: return affinity_.Check(task, node);
    case kSpread: return spread_.Check(task, node);
  }
  return Verdict::Ok();
}

NodeFilter::Changes Predicates::FindChanges(const Task& task, int part,
                                            std::vector<std::uint64_t>* seen,
                                            std::vector<NodeId>* nodes) const {
  switch (part) {
    case kAffinity: return affinity_.FindChanges(task, seen, nodes);
    case kSpread: return spread_.FindChanges(task, seen, nodes);
    default: return Changes::kUnknown;
  }
}

}  // namespace basalt::scheduler::plugins
