#pragma once

#include "model/cluster.h"
#include "scheduler/framework/reasons.h"
#include "scheduler/framework/verdict.h"
#include "scheduler/plugins/predicates/volume_plans.h"

namespace basalt::scheduler::plugins {

struct VolumeRules {
  bool zone = true;
  bool binding = true;
};

// Whether every claim of the task exists and is bound, or may be bound once the pod has a node.
Verdict CheckClaims(const model::Cluster& cluster, const model::Task& task, Reasons& reasons);
// Whether the task's volumes can be used on, or made for, the node.
Verdict CheckVolumes(const VolumePlans& plans, const model::Task& task, const model::Node& node,
                     const VolumeRules& rules);

}  // namespace basalt::scheduler::plugins
