#pragma once

#include <vector>

#include "scheduler/framework/session.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

// Tasks in their order, the last to come first: take them from the back. A value, for one session.
class TaskList {
 public:
  TaskList() = default;
  TaskList(const SessionView& view, std::vector<const Task*> tasks);

  bool empty() const { return tasks_.empty(); }
  std::size_t size() const { return tasks_.size(); }
  const Task* Take() {
    const Task* task = tasks_.back();
    tasks_.pop_back();
    return task;
  }

 private:
  std::vector<const Task*> tasks_;
};

// The job's pending tasks that no gate holds back.
std::vector<const Task*> UngatedPendingTasks(const SessionView& view, const Job& job);
// And the tasks that only wait for their queue to admit them.
std::vector<const Task*> PlaceablePendingTasks(const SessionView& view, const Job& job);

// Best-effort tasks need no room: any node that the filters allow takes them.

// Those of the job that wait, or are promised a node.
TaskList BestEffortTasks(const Session& session, const Job& job);

// Puts the task on its best node. false: no node takes it; one that is promised a node keeps that.
bool PlaceBestEffort(Session& session, Statement& statement, const Task& task);

// Whether the job can start with the tasks that are placed now. Elsewhere best-effort tasks that
// wait count as ready; here they must have a place.
bool IsReadyWithBestEffort(const Session& session, const Job& job);

// Whether the task is best-effort and has a place now: no pod need leave for it.
bool BackfillWillPlace(Session& session, const Task& task);

}  // namespace basalt::scheduler
