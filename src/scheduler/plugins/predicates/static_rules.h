#pragma once

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/reasons.h"

namespace basalt::scheduler::plugins {

// Rules about the node object alone.
Verdict CheckUnschedulable(const kube::Pod& pod, const kube::Node& node);
Verdict CheckTaints(const kube::Pod& pod, const kube::Node& node, Reasons& reasons);
// A node whose conditions say that it should get no pods, taint or not: a pod that tolerates the
// taint that Kubernetes gives such a node may run there.
Verdict CheckConditions(const kube::Pod& pod, const kube::Node& node);

// Of whose terms one must match; nullptr: the pod has no required node affinity.
const kube::NodeSelector* RequiredNodes(const kube::Pod& pod);
// The pod's node selector alone.
bool MatchesNodeSelector(const kube::Pod& pod, const kube::Node& node);
// The pod's node selector and required node affinity; see also node_rules.h.
bool MatchesNodeRules(const kube::Pod& pod, const kube::Node& node);
// nullptr: all taints that keep pods off are tolerated.
const kube::Taint* FindUntolerated(const kube::Pod& pod, const kube::Node& node);

}  // namespace basalt::scheduler::plugins
