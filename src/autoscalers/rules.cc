#include "autoscalers/rules.h"

#include <algorithm>

#include "kube/types/reasons.h"

namespace basalt::autoscalers {
namespace {

bool IsOwnedBy(const kube::Pod& pod, std::string_view api_version, std::string_view kind) {
  return std::ranges::any_of(pod.meta.owner_references, [&](const kube::OwnerReference& owner) {
    return owner.api_version == api_version && owner.kind == kind;
  });
}

}  // namespace

ClusterAutoscalerView ClusterAutoscalerViewOf(const kube::Pod& pod, bool nominated_node_exists,
                                              const ClusterAutoscalerOptions& options) {
  if (pod.terminal()) return ClusterAutoscalerView::kDone;
  if (pod.bound()) return ClusterAutoscalerView::kScheduled;
  if (pod.meta.deleting()) return ClusterAutoscalerView::kDone;
  const kube::Condition* condition = kube::PodScheduledOf(pod);
  if (condition == nullptr || condition->status != kube::ConditionStatus::kFalse ||
      condition->reason != reasons::kUnschedulable) {
    return ClusterAutoscalerView::kUnprocessed;
  }
  if (pod.spec.priority.value_or(0) < options.expendable_priority_cutoff) {
    return ClusterAutoscalerView::kExpendable;
  }
  // A nomination to a node that is gone counts for nothing.
  const bool placed = !pod.status.nominated_node_name.empty() && nominated_node_exists;
  return placed ? ClusterAutoscalerView::kPlaced : ClusterAutoscalerView::kUnschedulable;
}

ClusterAutoscalerView SeenByClusterAutoscaler(const kube::Pod& pod,
                                              const std::set<std::string>& nodes,
                                              const ClusterAutoscalerOptions& options) {
  return ClusterAutoscalerViewOf(pod, nodes.contains(pod.status.nominated_node_name), options);
}

std::vector<const kube::Pod*> ClusterAutoscalerWants(const std::vector<kube::Pod>& pods,
                                                     const std::set<std::string>& nodes,
                                                     const ClusterAutoscalerOptions& options) {
  std::vector<const kube::Pod*> wants;
  for (const kube::Pod& pod : pods) {
    if (SeenByClusterAutoscaler(pod, nodes, options) == ClusterAutoscalerView::kUnschedulable) {
      wants.push_back(&pod);
    }
  }
  return wants;
}

std::vector<const kube::Pod*> ClusterAutoscalerCountsOn(const std::string& node,
                                                        const std::vector<kube::Pod>& pods,
                                                        const std::set<std::string>& nodes) {
  std::vector<const kube::Pod*> counted;
  for (const kube::Pod& pod : pods) {
    if (pod.status.nominated_node_name == node &&
        SeenByClusterAutoscaler(pod, nodes) == ClusterAutoscalerView::kPlaced) {
      counted.push_back(&pod);
    }
  }
  return counted;
}

bool KarpenterFailedToSchedule(const kube::Pod& pod) {
  return std::ranges::any_of(pod.status.conditions, [](const kube::Condition& condition) {
    return condition.type == kube::kPodScheduled && condition.reason == reasons::kUnschedulable;
  });
}

bool KarpenterIsPreempting(const kube::Pod& pod) { return !pod.status.nominated_node_name.empty(); }

bool KarpenterIsProvisionable(const kube::Pod& pod) {
  return KarpenterFailedToSchedule(pod) && !pod.bound() && !KarpenterIsPreempting(pod) &&
         !IsOwnedBy(pod, "apps/v1", "DaemonSet") && !IsOwnedBy(pod, "v1", "Node");
}

}  // namespace basalt::autoscalers
