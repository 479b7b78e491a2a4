#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"
#include "scheduler/config/config.h"
#include "scheduler/explain/queue_shortage.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::explain {

// Where a job stands among those of its queue with pods that the queue has not admitted, in the
// order in which they are tried.
struct PlaceInQueue {
  int place = 0;  // 1: the next
  int waiting = 0;
};
PlaceInQueue PlaceOf(const SessionView& view, const model::Job& job);
// "3rd of 12 jobs waiting in queue q".
std::string Describe(const PlaceInQueue& place, const model::Queue& queue);

// For whom the job waits where `queue` has too little of the dimension for it: pods of others that
// are admitted and that no node fits, for how long and what can be done about it, or else those
// that hold most of it. "": nobody holds any.
std::string DescribeHolders(const model::Cluster& cluster, const model::Queue& queue,
                            const model::Job& waiting, int dimension,
                            const std::vector<QueueShortage::Holder>& holders, const Config& config,
                            Time now);

}  // namespace basalt::scheduler::explain
