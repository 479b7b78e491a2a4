#pragma once

#include <string>

#include "model/cluster.h"
#include "scheduler/framework/plugin_set.h"

namespace basalt::scheduler {

// Jobs with the same likeness fail and succeed alike: whatever any policy reads of one of them, and
// of its tasks, is the same for the other; they differ in name and age alone. "": the job is like
// no other, because it is under way already or its tasks are of several kinds.
std::string LikenessOf(const model::Cluster& cluster, const PluginSet& plugins,
                       const model::Job& job);

}  // namespace basalt::scheduler
