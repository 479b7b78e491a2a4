#pragma once

#include <map>
#include <string>

#include "model/cluster.h"

namespace basalt::scheduler::explain {

// Of each resource, the free room on nodes that run a pod (other than a DaemonSet's and a static
// one) as a part of all free room of nodes that are ready and not cordoned; 0 where nothing is
// free. Walks all nodes and pods.
std::map<std::string, double> FragmentationOf(const model::Cluster& cluster);

}  // namespace basalt::scheduler::explain
