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
// may be placed) and those that their node, or the capability of their queue, has no room for any
// more, of the last in order first: somebody's eviction failed, or he does not go.
void DropVoidPromises(Session& session, const std::vector<const Job*>& jobs);

// Whether the task fits on the node now, or will once those that leave it are gone: their room,
// their ports and all else that filters look at. The task must hold nothing.
std::optional<NodeFinder::Found> TryWithoutLeaving(Session& session, const Task& task, NodeId node,
                                                   NodeFinder::Room room);

// Whether the task may start where it fits now: on room that is there, and certain. Its queue
// counts those that are still to leave it, and a promise that somebody is evicted for waits until
// the API server has accepted that: a disruption budget may say no. `held`: what it held; now it
// must hold nothing.
bool MayStart(const Session& session, const Task& task, const model::Holding& held);

}  // namespace basalt::scheduler::actions
