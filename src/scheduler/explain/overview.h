#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <string>
#include <string_view>

#include "model/cluster.h"

// The state as it is, without a trial.
namespace basalt::scheduler::explain {

// At a glance, for `basalt status`: nodes, what is used of them, queues, claims, how many pods wait
// for which reason, reservations, fragmentation. One pass over nodes and over jobs that wait.
boost::json::object Overview(const model::Cluster& cluster);

// Every group, those that exist in the scheduler's state alone marked "shadow", sorted by namespace
// and name. `ns` empty: of all namespaces.
boost::json::array ListPodGroups(const model::Cluster& cluster, std::string_view ns);

// Every queue, sorted by name: what it may have, has, and what waits in it.
boost::json::array ListQueues(const model::Cluster& cluster);
// One of them; empty where there is none.
boost::json::object DescribeQueue(const model::Cluster& cluster, std::string_view name);

// Of each resource, the free room on nodes that run a pod (other than a DaemonSet's and a static
// one) as a part of all free room of nodes that are ready and not cordoned; 0 where nothing is
// free. Walks all nodes and pods.
std::map<std::string, double> FragmentationOf(const model::Cluster& cluster);

}  // namespace basalt::scheduler::explain
