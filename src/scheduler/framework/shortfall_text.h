#pragma once

#include <string>

#include "scheduler/framework/session_view.h"

// What policies say to users of too little room. No amounts: they change with every pod that comes
// and goes, and each change would be written to every pod that waits.
namespace basalt::scheduler {

// "queue q has not enough cpu left".
std::string QueueLacks(const SessionView& view, const model::Shortfall& shortfall);

// Why the nodes do not have what the job needs to start: `lacking` of what the cluster counts, and
// what no node has at all. "the cluster has no nodes", "no node has nvidia.com/gpu", "a pod asks
// for more cpu than any node has", "all nodes together have not enough cpu", "the nodes have not
// enough cpu left".
std::string NodesLack(const SessionView& view, const Job& job, model::DimensionSet lacking);

}  // namespace basalt::scheduler
