#include "scheduler/plugins/predicates/predicates.h"

#include <fmt/format.h>

#include <algorithm>

#include "scheduler/framework/session_plugin.h"
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
  const auto any = [&](const kube::Container& container) {
    return std::ranges::any_of(container.ports, [&](const kube::ContainerPort& port) {
      return port.host_port > 0 && fn(port);
    });
  };
  // A sidecar goes on running beside the others.
  return std::ranges::any_of(pod.spec.containers, any) ||
         std::ranges::any_of(pod.spec.init_containers, [&](const kube::Container& container) {
           return container.restart_always && any(container);
         });
}

bool IsAny(std::string_view ip) { return ip.empty() || ip == "0.0.0.0"; }

bool Clash(const kube::ContainerPort& a, const kube::ContainerPort& b) {
  if (a.host_port != b.host_port || a.protocol != b.protocol) return false;
  return IsAny(a.host_ip) || IsAny(b.host_ip) || a.host_ip == b.host_ip;
}

// Whether a host port that the task wants is taken by another task on the node.
bool PortsConflict(const model::Cluster& cluster, const model::Task& task,
                   const model::Node& node) {
  return std::ranges::any_of(node.tasks, [&](const model::TaskId id) {
    const model::Task& other = cluster.task(id);
    if (!other.task_class->has_host_ports || &other == &task) return false;
    return AnyHostPort(*task.pod, [&](const kube::ContainerPort& wanted) {
      return AnyHostPort(*other.pod,
                         [&](const kube::ContainerPort& taken) { return Clash(wanted, taken); });
    });
  });
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
class Predicates final : public SessionPlugin,
                         public PrePredicate,
                         public NodeFilter,
                         public PlacementObserver,
                         public BindPlanner {
 public:
  Result<void> Configure(const PluginConfig& config) override {
    constexpr std::string_view kClaims = "predicate.DynamicResourceAllocationEnable";
    bool cache = false, claims = false;
    const Result<void> read =
        config.arguments.Read({{"predicate.NodeAffinityEnable", &enabled_.node_affinity},
                               {"predicate.NodePortsEnable", &enabled_.node_ports},
                               {"predicate.TaintTolerationEnable", &enabled_.taints},
                               {"predicate.PodAffinityEnable", &enabled_.pod_affinity},
                               {"predicate.NodeVolumeLimitsEnable", &enabled_.volume_limits},
                               {"predicate.VolumeZoneEnable", &enabled_.volumes.zone},
                               {"predicate.PodTopologySpreadEnable", &enabled_.spread},
                               {"predicate.VolumeBindingEnable", &enabled_.volumes.binding},
                               {"predicate.CacheEnable", &cache},
                               {kClaims, &claims}});
    if (!read || !claims) return read;
    return Fail(ErrorCode::kUnsupported,
                fmt::format("{}: resource claims are not supported", kClaims));
  }

  void TaskMoved(const Task& task, const model::Holding& from) override {
    counts_.TaskMoved(task, from);
    one_pod_claims_.TaskMoved(task, from);
    if (task.task_class->has_volumes && enabled_.volumes.binding) plans_.TaskMoved(task);
  }

  Verdict CheckTask(const Task& task) override {
    if (task.task_class->has_resource_claims) {
      return Verdict::Unsupported("pods with resource claims are not supported");
    }
    if (task.task_class->has_volumes && enabled_.volumes.binding) {
      return CheckClaims(cluster(), task, view().reasons());
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
    if (task_class.has_volumes && (enabled_.volumes.binding || enabled_.volumes.zone)) {
      // Of claims that are not bound yet others may take the volumes.
      const bool chooses = enabled_.volumes.binding && plans_.HasUnbound(task);
      parts->push_back({chooses ? DependsOn::kCluster : DependsOn::kNode, kVolumes});
    }
    if (task_class.has_volumes && enabled_.volume_limits) {
      parts->push_back({DependsOn::kNode, kVolumeLimits});
    }
    if (task_class.has_volumes && enabled_.volumes.binding && one_pod_claims_.Concern(task)) {
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
        if (enabled_.node_affinity && task.task_class->has_node_rules &&
            !node_rules_.Matches(task, node)) {
          return Verdict::Unresolvable("node(s) didn't match Pod's node affinity/selector");
        }
        if (!enabled_.taints) return Verdict::Ok();
        const Verdict tolerated = CheckTaints(*task.pod, *node.object, view().reasons());
        return tolerated.ok() ? CheckConditions(*task.pod, *node.object) : tolerated;
      }
      case kPodCount:
        return static_cast<double>(node.tasks.size()) < node.allocatable[model::kPods]
                   ? Verdict::Ok()
                   : Verdict::Unschedulable("node(s) pod number exceeded");
      case kPorts:
        return PortsConflict(cluster(), task, node)
                   ? Verdict::Unschedulable(
                         "node(s) didn't have free ports for the requested pod ports")
                   : Verdict::Ok();
      case kVolumes: return CheckVolumes(plans_, task, node, enabled_.volumes);
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
    bool spread = true;
    VolumeRules volumes;
  };

  void Opened() override {
    node_rules_.Open(cluster());
    counts_.Open(cluster());
    affinity_.Open(view());
    spread_.Open(view());
    volume_use_.Open(cluster());
    one_pod_claims_.Open(cluster());
    plans_.Open(cluster());
  }

  Enabled enabled_;
  // What fills up as tasks are asked about.
  mutable NodeRules node_rules_;
  mutable PodCounts counts_{RequiredAntiAffinity};
  mutable PodAffinityRules affinity_{counts_};
  mutable SpreadRules spread_{counts_};
  mutable VolumeUse volume_use_;
  mutable OnePodClaims one_pod_claims_;
  VolumePlans plans_;
};

}  // namespace

std::unique_ptr<Plugin> MakePredicates() { return std::make_unique<Predicates>(); }

}  // namespace basalt::scheduler::plugins
