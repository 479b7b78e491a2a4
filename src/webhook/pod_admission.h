#pragma once

#include <span>
#include <string_view>

#include "kube/types/pod.h"
#include "webhook/policy.h"
#include "webhook/review.h"
#include "webhook/snapshot.h"

// Pods at their creation, and what may not change later. Pure: the same pod, snapshot and policy
// give the same review. A pod of another scheduler, or without an annotation that is acted on,
// passes unchanged.
namespace basalt::webhook {

// Adds the name of the group that the pod asks for, the queue of its namespace, and the gate that
// holds it until its queue has room.
Review MutatePod(const kube::Pod& pod, std::string_view ns, const Snapshot& snapshot,
                 const Policy& policy);

// Refuses annotations whose values mean nothing. A bad group-min-member is let in with a warning:
// the workload's pods wait, and its owner is told by an event.
Review ValidatePod(const kube::Pod& pod, const Policy& policy);

// A pod that has a node stays in its queue: these annotations are not changed any more. The
// scheduler does not follow such a change either; here the client that tries it is told so.
std::span<const std::string_view> FixedAnnotations();
Review ValidatePodUpdate(const kube::Pod& pod, const kube::Pod& old, const Policy& policy);

}  // namespace basalt::webhook
