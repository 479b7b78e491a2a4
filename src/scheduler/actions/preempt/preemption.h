#pragma once

#include <vector>

#include "scheduler/actions/common/victims.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler::actions {

// Finds victims for one task. On success the statement has their evictions and the task's promise.

// On the node that scores best for the task, of those where it helps.
bool PreemptOnBestNode(Session& session, Statement& statement, const Task& preemptor,
                       const TaskFilter& filter);

// On the node whose victims matter least, of those where every filter passes without them: the
// lowest highest priority, then the lowest sum of priorities, then the fewest, then the youngest.
bool PreemptWithLeastHarm(Session& session, Statement& statement, const Task& preemptor,
                          const TaskFilter& filter);

// Whether the task may make others leave.
bool MayPreempt(Session& session, const Task& preemptor);

}  // namespace basalt::scheduler::actions
