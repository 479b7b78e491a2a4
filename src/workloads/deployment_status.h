#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "kube/types/workloads.h"

namespace basalt::workloads {

// What is known of a Deployment's sets when its status is made.
struct DeploymentView {
  const kube::Deployment& deployment;
  const kube::ReplicaSet* new_set = nullptr;
  std::vector<const kube::ReplicaSet*> all_sets;
  std::int64_t unavailable_limit = 0;  // maxUnavailable, resolved
  bool created_set = false;            // in this very step
  Time last_progress;                  // when it last got anywhere
};

struct DeploymentStatus {
  kube::ReplicaCounts counts;
  std::vector<kube::Condition> conditions;  // Available and Progressing, as they should be
  bool complete = false;                    // the rollout is over
  bool progressed = false;                  // further than the stored status says
  std::optional<Time> next_change;          // when progressDeadlineSeconds is over
};

DeploymentStatus ComputeStatus(const DeploymentView& view, Time now);

}  // namespace basalt::workloads
