#pragma once

#include <utility>
#include <vector>

#include "model/cluster.h"

namespace basalt::descheduler {

// What reservations hold by what their statuses say, and the cluster's books do not have: those are
// kept by whoever decides, and the descheduler does not.
std::vector<std::pair<model::TaskId, model::NodeId>> HeldByStatus(const model::Cluster& cluster);

}  // namespace basalt::descheduler
