#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace basalt::workloads {

// One ReplicaSet of a Deployment, as far as rolling out goes.
struct RolloutSet {
  std::string name;
  std::int64_t replicas = 0;   // asked for: spec.replicas
  std::int64_t actual = 0;     // status.replicas
  std::int64_t available = 0;  // status.availableReplicas
  // The Deployment's replicas and surge when this set was last scaled (its annotations
  // desired-replicas and max-replicas); 0: unknown.
  std::int64_t desired_then = 0;
  std::int64_t most_then = 0;
};

struct RolloutInput {
  std::int64_t replicas = 1;
  bool recreate = false;  // strategy Recreate
  bool paused = false;
  std::int64_t surge = 0;  // resolved, both not 0 for a rolling update
  std::int64_t unavailable = 0;
  bool has_new = false;  // new_set exists
  RolloutSet new_set;
  std::vector<RolloutSet> old_sets;  // oldest first
  // Recreate: pods of old sets that are still there, terminating ones too.
  std::int64_t old_pods_left = 0;
};

struct ScaleTo {
  std::string name;
  std::int64_t replicas = 0;
  bool operator==(const ScaleTo&) const = default;
};

struct RolloutPlan {
  // The new set does not exist yet: make it, with this many replicas.
  bool create_new = false;
  std::int64_t new_replicas = 0;
  std::vector<ScaleTo> scale;  // in this order
};

// The next step of a Deployment: what to make and to scale now so that at most replicas + surge
// pods are asked for and at least replicas - unavailable stay available. Called again whenever a
// set's numbers change, until it has nothing more to say. Pure.
RolloutPlan PlanRollout(const RolloutInput& input);

// maxSurge (rounded up) and maxUnavailable (rounded down) of `replicas`, given already scaled: both
// zero would never move, so that unavailable becomes 1; unavailable is at most replicas.
struct Fenceposts {
  std::int64_t surge = 0;
  std::int64_t unavailable = 0;
};
Fenceposts ResolveFenceposts(std::int64_t surge, std::int64_t unavailable, std::int64_t replicas);

}  // namespace basalt::workloads
