#pragma once

#include <optional>

#include "base/error.h"
#include "scheduler/config/arguments.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

// Whether the task must have a queue claim before it may look for a node: it opted in to the
// queue-allocation gate, or its gang has not started and another pod of it that waits did. A gang
// is admitted as a whole, whichever of its pods opted in.
inline bool NeedsClaim(const Job& job, const Task& task) {
  return task.opted_in ||
         (job.pending_opted_in > 0 && !(job.IsPipelined() && job.RolesArePipelined()));
}
// Whether its queue lets the task look for a node: it holds a queue claim, needs none, or its claim
// has lapsed and it will be asked about again when a node fits.
inline bool IsAdmitted(const Job& job, const Task& task) {
  return task.holding.queue_claim || task.holding.lapsed || !NeedsClaim(job, task);
}
// Whether as many of the job's tasks as it needs to start are placed, or may be.
bool EnoughAdmitted(const model::Cluster& cluster, const Job& job);
// Since when a task without a node has had its queue claim. A claim from before a restart counts
// from when its pod was first said to fit no node; nothing: that has not been said, so from now.
std::optional<Time> ClaimedSince(const Task& task);
// The argument gateHoldTimeout of the action allocate: a claim without a node for so long blocks
// nobody any more; nothing: it is kept for ever.
Result<std::optional<Duration>> GateHoldTimeout(const Arguments& arguments);

}  // namespace basalt::scheduler
