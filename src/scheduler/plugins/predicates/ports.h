#pragma once

#include "model/cluster.h"

namespace basalt::scheduler::plugins {

// Whether a host port that the task wants is taken by another task on the node.
bool PortsConflict(const model::Cluster& cluster, const model::Task& task, const model::Node& node);

}  // namespace basalt::scheduler::plugins
