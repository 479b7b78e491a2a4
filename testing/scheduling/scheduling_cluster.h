#pragma once

#include <string>
#include <string_view>

#include "testing/cluster.h"

namespace basalt::testutil {

// A SimCluster that serves Basalt's own kinds, for tests of roles that use them.
class SchedulingCluster : public SimCluster {
 public:
  explicit SchedulingCluster(const SimClusterOptions& options = {});

  // How many pods there are that have a node.
  int Bound(std::string_view ns = "");
};

// A PodGroup in namespace default. Its phase is left to the scheduler.
AnyBuilder MakePodGroup(std::string_view name, int min_member, std::string_view queue = "default");
AnyBuilder MakeQueue(std::string_view name, int weight = 1);

}  // namespace basalt::testutil
