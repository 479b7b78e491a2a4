#pragma once

#include <vector>

#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

// Tasks in their order, the last to come first: take them from the back.
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
// And those that only wait for their queue to admit them.
std::vector<const Task*> PlaceablePendingTasks(const SessionView& view, const Job& job);

}  // namespace basalt::scheduler
