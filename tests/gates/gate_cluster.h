#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "testing/scheduling/electing_cluster.h"

namespace basalt::testutil {

inline constexpr std::string_view kQueueGate = "scheduling.volcano.sh/queue-allocation-gate";

// A pod of a queue as the webhook leaves it: opted in and gated.
PodBuilder MakeGatedPod(std::string_view name, std::string_view queue = "q");

// One in which pods wait behind gates.
class GateCluster : public ElectingCluster {
 public:
  explicit GateCluster(Options options) : ElectingCluster(std::move(options)) {}

  // "gone", "bound", "gated" or "open", and " unschedulable" where the pod says so.
  std::string StateOf(std::string_view name) const;
};

}  // namespace basalt::testutil
