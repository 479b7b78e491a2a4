#pragma once

#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

// Whether its queue lets the task look for a node: it holds a queue claim, needs none, or its claim
// has lapsed and it will be asked about again when a node fits.
inline bool IsAdmitted(const Task& task) {
  return !task.opted_in || task.holding.queue_claim || task.holding.lapsed;
}
// Whether as many of the job's tasks as it needs to start are placed, or may be.
bool EnoughAdmitted(const model::Cluster& cluster, const Job& job);

}  // namespace basalt::scheduler
