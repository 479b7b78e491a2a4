#pragma once

#include "model/cluster.h"

namespace basalt::scheduler {

// Whether the capability of the job's queue, or of one above it, leaves too little for the task. If
// not, a queue that refuses it is held to what the nodes have, or to a share of that.
bool CapabilityRefuses(const model::Cluster& cluster, const model::Job& job,
                       const model::Task& task);

// The same for all that the job needs to start, beside what others need that are in the queue.
bool CapabilityRefuses(const model::Cluster& cluster, const model::Job& job);

// Whether the queue's object limits the dimension. Zero of CPU or memory does not.
bool HasCapability(const model::Cluster& cluster, const model::Queue& queue, int dimension);

}  // namespace basalt::scheduler
