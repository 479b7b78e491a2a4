#pragma once

#include <utility>
#include <vector>

#include "model/cluster.h"

namespace basalt::descheduler {

// The places that reservations hold by what their statuses say. The cluster's books lack them here:
// the scheduler enters them when it decides, and the descheduler does not decide.
std::vector<std::pair<model::TaskId, model::NodeId>> HeldByStatus(const model::Cluster& cluster);

}  // namespace basalt::descheduler
