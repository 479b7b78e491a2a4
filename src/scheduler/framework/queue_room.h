#pragma once

#include "model/cluster.h"

namespace basalt::scheduler {

// Whether the capability of the job's queue, or of one above it, leaves too little for the task. If
// not, a queue that refuses it is held to what the nodes have, or to a share of that.
bool CapabilityRefuses(const model::Cluster& cluster, const model::Job& job,
                       const model::Task& task);

// The same for all that the job needs to start, beside what others need that are in the queue.
bool CapabilityRefuses(const model::Cluster& cluster, const model::Job& job);

// Whether the task fits into the capability of its queue, and of those above it, once the tasks
// that leave them are gone, and not before: it may be promised a node, and must not start on it.
// Those that leave may come back yet, when a disruption budget says no.
bool MustWaitForLeaving(const model::Cluster& cluster, const model::Queue& queue,
                        const model::Task& task);

// Of the queue and those above it the first in which the task does not fit beside those that leave
// it, whatever is promised there; none: it waits for nobody's room in a queue.
model::QueueId QueueToWaitFor(const model::Cluster& cluster, const model::Queue& queue,
                              const model::Task& task);

// Of the queue and those above it the first that has no room for another claim before tasks that
// leave it are gone; none: no such queue.
model::QueueId FullUntilOthersLeave(const model::Cluster& cluster, const model::Queue& queue,
                                    const model::Task& task);

// Of the queue and those above it the first whose capability is full because of tasks that should
// be gone long ago; none: no such queue.
model::QueueId FullOfOverdue(const model::Cluster& cluster, const model::Queue& queue,
                             const model::Task& task);

// Whether the queue, or one above it, will have more than its capability of something that the task
// asks for: somebody whose eviction failed is back, or is overdue.
bool IsOverCapability(const model::Cluster& cluster, const model::Queue& queue,
                      const model::Task& task);

// Whether the queue's object limits the dimension. Zero of CPU or memory does not.
bool HasCapability(const model::Cluster& cluster, const model::Queue& queue, int dimension);

}  // namespace basalt::scheduler
