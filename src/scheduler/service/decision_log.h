#pragma once

#include <cstdint>
#include <vector>

#include "model/cluster.h"
#include "model/intent.h"

namespace basalt::scheduler {

// A line for each decision that takes something from a pod or promises it something: evictions and
// nominations, with the pod that gains and the reason. Binds and gates, of which there are
// thousands, have theirs at the level debug.
void LogDecisions(std::uint64_t cycle, const std::vector<model::Intent>& intents,
                  const model::Cluster& cluster);

}  // namespace basalt::scheduler
