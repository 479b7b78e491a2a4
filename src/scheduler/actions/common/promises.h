#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler::actions {

// Pods that should have been gone long ago are overdue: what they hold is not counted on any more,
// by old promises or new ones. Another cycle is asked for when the next lease ends.
void EndLeases(Session& session, Duration grace);

// Takes back promises that nobody would look after (of jobs that are not among `jobs`, those that
// may be placed) and those that their node has no room for any more, of the last in order first.
void DropVoidPromises(Session& session, const std::vector<const Job*>& jobs);

// Whether the task fits on the node now, or will once those that leave it are gone: their room,
// their ports and all else that filters look at. The task must hold nothing.
std::optional<NodeFinder::Found> TryWithoutLeaving(Session& session, const Task& task, NodeId node,
                                                   NodeFinder::Room room);

// Whether an eviction from the node is under way of which nobody knows yet that it succeeds.
bool EvictionUnderWay(const Session& session, NodeId node);

}  // namespace basalt::scheduler::actions
