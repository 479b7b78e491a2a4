#pragma once

#include <vector>

#include "scheduler/explain/change_search.h"

namespace basalt::scheduler::explain {

// What might help against the obstacle, the smaller change first.
std::vector<Candidate> CandidatesFor(const model::Cluster& cluster, Prober& prober,
                                     const model::Job& job, const model::Task* asked,
                                     const Obstacle& obstacle);

}  // namespace basalt::scheduler::explain
