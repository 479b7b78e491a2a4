#pragma once

#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "kube/types/scheduling.h"

namespace basalt::scheduler {

// Whether a newer version of an object says the same about everything that a decision may depend
// on: heartbeats, and what comes back of our own words, are no news.
bool SaysTheSame(const kube::Node& old, const kube::Node& now);
bool SaysTheSame(const kube::Pod& old, const kube::Pod& now);
bool SaysTheSame(const kube::PodGroup& old, const kube::PodGroup& now);

}  // namespace basalt::scheduler
