#pragma once

#include <string>

#include "scheduler/framework/eviction_memory.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::explain {

// The pod that preempt or reclaim would evict for the task, were it not for evictions before, and
// why it is spared. Of a large cluster only some nodes are looked at. "": none is found.
std::string WhoIsSpared(const SessionView& view, const EvictionMemory& memory,
                        const model::Task& task);

}  // namespace basalt::scheduler::explain
