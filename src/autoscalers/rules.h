#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/pod.h"

// What cluster autoscalers make of a pod, as pure functions of its object. `basalt explain scale`
// says it to people; for tests it is the oracle of whether a waiting pod leads to a new node, and
// to one only.
namespace basalt::autoscalers {

// ---- Cluster Autoscaler (checked against its source, in this version):
// utils/kubernetes/listers.go sorts the pods, core/utils splits off those that wait for a
// preemption.
inline constexpr std::string_view kClusterAutoscalerVersion = "1.34.1";

enum class ClusterAutoscalerView {
  kDone,           // ended, or being deleted
  kScheduled,      // on a node
  kUnprocessed,    // its scheduler has said nothing, or that it is gated: no scale-up
  kExpendable,     // below the priority for which it makes nodes: no scale-up
  kPlaced,         // nominated to a node that exists: counted there; no scale-up
  kUnschedulable,  // scale-up
};
struct ClusterAutoscalerOptions {
  std::int32_t expendable_priority_cutoff = -10;  // --expendable-pods-priority-cutoff
};
// `nominated_node_exists`: the node that the pod is nominated to, if it is to one.
ClusterAutoscalerView ClusterAutoscalerViewOf(const kube::Pod& pod, bool nominated_node_exists,
                                              const ClusterAutoscalerOptions& options = {});
ClusterAutoscalerView SeenByClusterAutoscaler(const kube::Pod& pod,
                                              const std::set<std::string>& nodes,
                                              const ClusterAutoscalerOptions& options = {});

// The pods for which it looks for room, and makes nodes where there is none.
std::vector<const kube::Pod*> ClusterAutoscalerWants(const std::vector<kube::Pod>& pods,
                                                     const std::set<std::string>& nodes,
                                                     const ClusterAutoscalerOptions& options = {});
// The pods that it counts on a node that they do not run on yet, by that node.
std::vector<const kube::Pod*> ClusterAutoscalerCountsOn(const std::string& node,
                                                        const std::vector<kube::Pod>& pods,
                                                        const std::set<std::string>& nodes);

// ---- Karpenter (checked against its source, in this version): pkg/utils/pod/scheduling.go.
inline constexpr std::string_view kKarpenterVersion = "v1.14.0";

// Its scheduler said PodScheduled with reason Unschedulable, whatever the status.
bool KarpenterFailedToSchedule(const kube::Pod& pod);
// Nominated: it waits for others to leave.
bool KarpenterIsPreempting(const kube::Pod& pod);
// Karpenter makes room for it.
bool KarpenterIsProvisionable(const kube::Pod& pod);

}  // namespace basalt::autoscalers
