#include "scheduler/placement/task_list.h"

#include <algorithm>

namespace basalt::scheduler {

TaskList::TaskList(const SessionView& view, std::vector<const Task*> tasks)
    : tasks_(std::move(tasks)) {
  std::ranges::sort(tasks_, [&](const Task* a, const Task* b) { return view.TaskBefore(*b, *a); });
}

std::vector<const Task*> UngatedPendingTasks(const SessionView& view, const Job& job) {
  std::vector<const Task*> tasks = PlaceablePendingTasks(view, job);
  std::erase_if(tasks, [](const Task* task) { return task->gate != model::Gate::kNone; });
  return tasks;
}

std::vector<const Task*> PlaceablePendingTasks(const SessionView& view, const Job& job) {
  std::vector<const Task*> tasks;
  tasks.reserve(job.pending.size());
  for (const model::TaskId id : job.pending) {
    const Task& task = view.cluster().task(id);
    if (task.may_be_placed()) tasks.push_back(&task);
  }
  return tasks;
}

}  // namespace basalt::scheduler
