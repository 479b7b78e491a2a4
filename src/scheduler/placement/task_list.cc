#include "scheduler/placement/task_list.h"

#include <algorithm>
#include <vector>

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
  for (const Task& task : view.cluster().TasksOf(job.pending)) {
    if (task.may_be_placed()) tasks.push_back(&task);
  }
  return tasks;
}

TaskList BestEffortTasks(const Session& session, const Job& job) {
  std::vector<const Task*> tasks = PlaceablePendingTasks(session, job);
  for (const model::TaskId id : job.pipelined) tasks.push_back(&session.cluster().task(id));
  std::erase_if(tasks, [](const Task* task) { return !task->best_effort(); });
  return TaskList(session, std::move(tasks));
}

bool PlaceBestEffort(Session& session, Statement& statement, const Task& task) {
  if (const Verdict verdict = session.CheckTask(task); !verdict.ok()) {
    session.NeedsToPassGate(task);
    session.RecordFailure(task, FitFailure::Of(verdict));
    return true;
  }
  const Statement::Checkpoint before = statement.Mark();
  if (task.status() == model::TaskStatus::kPipelined) statement.Unallocate(task.id);
  const auto found = session.finder().Best(task, NodeFinder::Room::kIgnored);
  if (!found) {
    session.NeedsNode(task, NodeFinder::Room::kIgnored);
    session.RecordFailure(task, session.WhyNoNode(task, NodeFinder::Room::kIgnored));
    statement.RollbackTo(before);
    return false;
  }
  statement.Allocate(task.id, found->node);
  return true;
}

bool IsReadyWithBestEffort(const Session& session, const Job& job) {
  return session.IsJobReady(job) && job.ready_tasks() >= job.min_available;
}

bool BackfillWillPlace(Session& session, const Task& task) {
  if (!task.best_effort() || !session.config().HasAction(action_names::kBackfill)) return false;
  return session.finder().Best(task, NodeFinder::Room::kIgnored).has_value();
}

}  // namespace basalt::scheduler
