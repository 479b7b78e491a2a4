#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string_view>

#include "model/cluster.h"

namespace basalt::scheduler::explain {

// Every group, those that exist in the scheduler's state alone marked "shadow", sorted by namespace
// and name. `ns` empty: of all namespaces.
boost::json::array ListPodGroups(const model::Cluster& cluster, std::string_view ns);

// Every queue, sorted by name: what it may have, has, and what waits in it.
boost::json::array ListQueues(const model::Cluster& cluster);
// One of them; empty where there is none.
boost::json::object DescribeQueue(const model::Cluster& cluster, std::string_view name);

}  // namespace basalt::scheduler::explain
