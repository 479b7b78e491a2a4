#pragma once

#include "scheduler/framework/session.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler {

// Best-effort tasks need no room: any node that the filters allow takes them.

// Those of the job that wait, or are promised a node.
TaskList BestEffortTasks(const Session& session, const Job& job);

// Puts the task on its best node. false: no node takes it; one that is promised a node keeps that.
bool PlaceBestEffort(Session& session, Statement& statement, const Task& task);

// Whether the job can start with those that are placed now. Elsewhere best-effort tasks that wait
// count as ready; here they must have a place.
bool IsReadyWithBestEffort(const Session& session, const Job& job);

// A best-effort task that has a place now: nobody need leave for it.
bool BackfillWillPlace(Session& session, const Task& task);

}  // namespace basalt::scheduler
