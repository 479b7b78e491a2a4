#pragma once

#include <boost/json/object.hpp>

#include "model/cluster.h"

namespace basalt::scheduler::explain {

// The state at a glance, for `basalt status`: nodes, what is used of them, queues, claims, how many
// pods wait for which reason, reservations, fragmentation. One pass over nodes and over jobs that
// wait; nothing is tried out.
boost::json::object Overview(const model::Cluster& cluster);

}  // namespace basalt::scheduler::explain
