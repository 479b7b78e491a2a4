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

// A scheduler's configuration in which others may be evicted.
inline constexpr std::string_view kPreemptAndReclaim =
    R"(actions: "enqueue, allocate, preempt, reclaim, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
- plugins:
  - name: predicates
  - name: capacity
  - name: nodeorder
)";

// A PodGroup in namespace default. Its phase is left to the scheduler.
AnyBuilder MakePodGroup(std::string_view name, int min_member, std::string_view queue = "default");
AnyBuilder MakeQueue(std::string_view name, int weight = 1);

}  // namespace basalt::testutil
