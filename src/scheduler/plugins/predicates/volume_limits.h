#pragma once

#include "model/cluster.h"
#include "scheduler/framework/verdict.h"

namespace basalt::scheduler::plugins {

// Whether the node can attach the task's volumes: each CSI driver there may have so many at most
// (CSINode). Volumes that several pods share count once; a claim that is not bound yet counts for
// its class's provisioner.
Verdict CheckVolumeLimits(const model::Cluster& cluster, const model::Task& task,
                          const model::Node& node);

}  // namespace basalt::scheduler::plugins
