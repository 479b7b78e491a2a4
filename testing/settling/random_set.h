#pragma once

#include <cstdint>
#include <string>

#include "testing/settling/fast_cluster.h"

namespace basalt::testutil {

// A random set of nodes, queues, priorities and gangs that arrive over a while, made from a seed
// alone.
struct RandomSetOptions {
  bool recreate = false;
  double bind_failure = 0;
  double eviction_failure = 0;
  bool reservations = false;
};

FastClusterOptions RandomSetCluster(std::uint64_t seed, const RandomSetOptions& options);
// Adds what there is at the start, and schedules what comes later. Returns when the last comes.
Duration AddRandomSet(FastCluster& cluster, std::uint64_t seed);
// To that set: reservations that come, are taken, end and are deleted, for some of its gangs and
// for nobody.
void AddReservations(FastCluster& cluster, std::uint64_t seed);
// Every action on, the plugins of the default configuration; with reservations, or without.
std::string EvictingConfig(std::string_view queue_plugin, bool reservations = false);

}  // namespace basalt::testutil
