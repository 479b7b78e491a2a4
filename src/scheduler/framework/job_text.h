#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

// "a, b, c and 5 more": texts go into objects, and people may make as many names as they like.
std::string FewOf(std::vector<std::string> names, std::size_t most = 3);

// What the job asks for and no policy here knows how to give yet (a hard network topology,
// sub-groups), and what to do about it. "": there is nothing of the kind.
std::string_view NotSupported(const model::Job& job);

// Why a job cannot start whatever room there is: that, or "the group needs 5 pods and has 2".
std::string WhyInvalid(const model::Job& job);

// "queue q has not enough cpu left".
std::string QueueLacks(const SessionView& view, const model::Shortfall& shortfall);

// Why the nodes do not have what the job needs to start: `lacking` of what the cluster counts, and
// what no node has at all. "the cluster has no nodes", "no node has nvidia.com/gpu", "a pod asks
// for more cpu than any node has", "all nodes together have not enough cpu", "the nodes have not
// enough cpu left".
std::string NodesLack(const SessionView& view, const Job& job, model::DimensionSet lacking);

}  // namespace basalt::scheduler
