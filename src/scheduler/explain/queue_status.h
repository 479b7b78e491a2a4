#pragma once

#include <vector>

#include "model/cluster.h"
#include "model/intent.h"

namespace basalt::scheduler::explain {

// What every queue's status should say: how many groups of it (those that exist in the state alone
// too) are in which phase, and what its tasks and those of the queues below hold. Walks all jobs:
// now and then, not in a cycle.
std::vector<model::QueueStatus> QueueStatuses(const model::Cluster& cluster);

// The same as intents, for those queues whose object says something else.
std::vector<model::Intent> QueueStatusIntents(const model::Cluster& cluster);

// The queues of the cycle that this one is in, itself first and after each queue its parent; none
// where it is in no cycle.
std::vector<const model::Queue*> CycleOf(const model::Cluster& cluster, const model::Queue& queue);
// A word on each queue whose parents lead back to itself.
std::vector<model::Intent> QueueCycleEvents(const model::Cluster& cluster);

}  // namespace basalt::scheduler::explain
