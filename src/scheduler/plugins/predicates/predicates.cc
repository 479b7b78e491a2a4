#include "scheduler/plugins/predicates/predicates.h"

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"
#include "scheduler/plugins/predicates/node_rules.h"
#include "scheduler/plugins/predicates/one_pod_claims.h"
#include "scheduler/plugins/predicates/pod_rules.h"
#include "scheduler/plugins/predicates/static_rules.h"
#include "scheduler/plugins/predicates/volume_plans.h"
#include "scheduler/plugins/predicates/volume_use.h"

namespace basalt::scheduler::plugins {
namespace {

template <class Fn>
bool AnyHostPort(const kube::Pod& pod, Fn fn) {
  for (const kube::Container& container : pod.spec.containers) {
    for (const kube::ContainerPort& port : container.ports) {
      if (port.host_port > 0 && fn(port)) return true;
    }
  }
  // A sidecar goes on running beside the others.
  for (const kube::Container& container : pod.spec.init_containers) {
    if (!container.restart_always) continue;
    for (const kube::ContainerPort& port : container.ports) {
      if (port.host_port > 0 && fn(port)) return true;
    }
  }
  return false;
}

bool IsAny(std::string_view ip) { return ip.empty() || ip == "0.0.0.0"; }

bool Clash(const kube::ContainerPort& a, const kube::ContainerPort& b) {
  if (a.host_port != b.host_port || a.protocol != b.protocol) return false;
  return IsAny(a.host_ip) || IsAny(b.host_ip) || a.host_ip == b.host_ip;
}

// Whether a host port that the task wants is taken by another task on the node.
bool PortsConflict(const model::Cluster& cluster, const model::Task& task,
                   const model::Node& node) {
  for (const model::TaskId id : node.tasks) {
    const model::Task& other = cluster.task(id);
    if (!other.task_class->has_host_ports || &other == &task) continue;
    const bool clash = AnyHostPort(*task.pod, [&](const kube::ContainerPort& wanted) {
      return AnyHostPort(*other.pod,
                         [&](const kube::ContainerPort& taken) { return Clash(wanted, taken); });
    });
    if (clash) return true;
  }
  return false;
}

// The terms of a placed pod that keep others away.
void RequiredAntiAffinity(const kube::Pod& pod, std::vector<PodCounts::OwnTerm>* terms) {
  if (!pod.spec.affinity) return;
  for (const kube::PodAffinityTerm& term : pod.spec.affinity->pod_anti.required) {
    terms->push_back({&term, 1});
  }
}

// On which nodes a pod may run, by Kubernetes' own rules: unschedulable nodes, node conditions,
// node selector and affinity, taints, host ports, number of pods, pod affinity and anti-affinity,
// topology spread, and volumes. Counterpart: Volcano plugins/predicates.
//
// Arguments, each true where it is not given: predicate.NodeAffinityEnable, NodePortsEnable,
// TaintTolerationEnable, PodAffinityEnable, NodeVolumeLimitsEnable, VolumeZoneEnable,
// PodTopologySpreadEnable, VolumeBindingEnable; accepted without effect (answers are always cached,
// and exact): predicate.CacheEnable; refused when on: predicate.DynamicResourceAllocationEnable.
class Predicates final : public Plugin,
                         public PrePredicate,
                         public NodeFilter,
                         public SessionObserver,
                         public PlacementObserver,
                         public BindPlanner {
 public:
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context) {
    auto plugin = std::make_unique<Predicates>(context.reasons);
    Enabled& enabled = plugin->enabled_;
    bool cache = false, claims = false;
    const Result<void> ok = context.config.arguments.Read({
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
    });
    if (!ok) return std::unexpected(ok.error());
    if (claims) {
      return Fail(ErrorCode::kUnsupported,
                  "predicate.DynamicResourceAllocationEnable: resource claims are not supported");
    }
    return plugin;
  }

  explicit Predicates(Reasons& reasons) : reasons_(reasons), counts_(RequiredAntiAffinity) {}
  void Open(const SessionView& view) override {
    view_ = &view;
    node_rules_.Open(view.cluster());
    counts_.Open(view.cluster());
    affinity_.Open(view);
    spread_.Open(view);
    volume_use_.Open(view.cluster());
    one_pod_claims_.Open(view.cluster());
    plans_.Open(view.cluster());
  }
  void TaskMoved(const Task& task, const model::Holding& from) override {
    counts_.TaskMoved(task, from);
    one_pod_claims_.TaskMoved(task, from);
    if (task.task_class->has_volumes && enabled_.volume_binding) plans_.TaskMoved(task);
  }

  Verdict CheckTask(const Task& task) override {
    if (task.task_class->has_resource_claims) {
      return Verdict::Unsupported("pods with resource claims are not supported");
    }
    if (task.task_class->has_volumes && enabled_.volume_binding) {
      return CheckClaims(view_->cluster(), task, reasons_);
    }
    return Verdict::Ok();
  }
  void FilterParts(const Task& task, std::vector<Part>* parts) const override {
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
  Verdict Filter(const Task& task, const Node& node, int part) const override {
    switch (part) {
      case kObject: {
        const Verdict schedulable = CheckUnschedulable(*task.pod, *node.object);
        if (!schedulable.ok()) return schedulable;
        if (enabled_.node_affinity && task.task_class->has_node_rules) {
          if (!node_rules_.Matches(task, node)) {
            return Verdict::Unresolvable("node(s) didn't match Pod's node affinity/selector");
          }
        }
        if (!enabled_.taints) return Verdict::Ok();
        const Verdict tolerated = CheckTaints(*task.pod, *node.object, reasons_);
        return tolerated.ok() ? CheckConditions(*task.pod, *node.object) : tolerated;
      }
      case kPodCount:
        return static_cast<double>(node.tasks.size()) < node.allocatable[model::kPods]
                   ? Verdict::Ok()
                   : Verdict::Unschedulable("node(s) pod number exceeded");
      case kPorts:
        return PortsConflict(view_->cluster(), task, node)
                   ? Verdict::Unschedulable(
                         "node(s) didn't have free ports for the requested pod ports")
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
  Changes FindChanges(const Task& task, int part, std::vector<std::uint64_t>* seen,
                      std::vector<NodeId>* nodes) const override {
    switch (part) {
      case kAffinity: return affinity_.FindChanges(task, seen, nodes);
      case kSpread: return spread_.FindChanges(task, seen, nodes);
      default: return Changes::kUnknown;
    }
  }
  void PlanBind(const Task& task, model::Bind* bind) const override {
    if (task.task_class->has_volumes) bind->volumes = plans_.ChoicesOf(task);
  }

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

}  // namespace

Result<std::unique_ptr<Plugin>> MakePredicates(const PluginContext& context) {
  return Predicates::Make(context);
}

}  // namespace basalt::scheduler::plugins
