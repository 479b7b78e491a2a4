#pragma once

#include <string>

#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::systemtest {

// One of a single task "t" of `replicas` pods, which pods with the label app=NAME may use.
testutil::AnyBuilder MakeReservation(const std::string& name, int replicas,
                                     const std::string& cpu = "1");

// How long a kubelet takes to see what has changed.
inline constexpr Duration kKubelet = 100ms;
// Pods that are bound run, pods that are deleted go.
void PlayKubelets(testutil::SchedulingCluster& cluster);

// What must hold by the API's objects: no node has more than it can take of pods and placements
// together, and every status adds up. "": it does. A binding is there before the status that calls
// its place taken: `at_any_moment` counts pods that may use a reservation (label app) apart from
// the places.
std::string CheckReservations(testutil::SchedulingCluster& cluster, bool at_any_moment = false);

}  // namespace basalt::systemtest
