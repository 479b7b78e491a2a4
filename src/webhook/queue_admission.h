#pragma once

#include <string_view>

#include "kube/types/scheduling.h"
#include "webhook/policy.h"
#include "webhook/review.h"
#include "webhook/snapshot.h"

// Queues and their tree. Pure: the same queue and snapshot give the same review.
namespace basalt::webhook {

// Defaults at creation: weight 1, reclaimable, and a hierarchy annotation that starts at root.
Review MutateQueue(const kube::Queue& queue);

// `old` null: it is being created. Of a queue that exists only what changes is judged, so that a
// tree that was wrong before can be put right step by step, and a queue that goes can go.
Review ValidateQueue(const kube::Queue& queue, const kube::Queue* old, const Snapshot& snapshot,
                     const Policy& policy);

Review ValidateQueueDeletion(std::string_view name, const Snapshot& snapshot);

}  // namespace basalt::webhook
