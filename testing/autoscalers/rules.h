#pragma once

#include <set>
#include <string>
#include <vector>

#include "kube/types/pod.h"

// What cluster autoscalers make of a pod, as pure functions of its object: the oracle of tests that
// ask whether a waiting pod leads to a new node, and to one only.
namespace basalt::testutil {

// ---- Cluster Autoscaler (checked against its source, 1.33): utils/kubernetes/listers.go sorts the
// pods, core/utils splits off those that wait for a preemption.

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

// ---- Karpenter (checked against its source, v1.6): pkg/utils/pod/scheduling.go.

// Its scheduler said PodScheduled with reason Unschedulable, whatever the status.
bool KarpenterFailedToSchedule(const kube::Pod& pod);
// Nominated: it waits for others to leave.
bool KarpenterIsPreempting(const kube::Pod& pod);
// Karpenter makes room for it.
bool KarpenterIsProvisionable(const kube::Pod& pod);

}  // namespace basalt::testutil
