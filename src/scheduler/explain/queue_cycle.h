#pragma once

#include "model/cluster.h"

namespace basalt::scheduler::explain {

// Calls fn(queue) for the queues of the cycle that this one is in, itself first and after each
// queue its parent; for none where it is in no cycle.
template <class Fn>
void ForCycleOf(const model::Cluster& cluster, const model::Queue& queue, Fn fn) {
  const model::Queue* at = queue.in_cycle ? &queue : nullptr;
  while (at) {
    fn(*at);
    at = cluster.FindQueue(at->object->parent);
    if (at == &queue) at = nullptr;
  }
}

}  // namespace basalt::scheduler::explain
