#include "scheduler/placement/job_placement.h"

#include "scheduler/placement/entry.h"

namespace basalt::scheduler {

using model::TaskStatus;

namespace {

// Best-effort tasks are backfill's.
std::vector<const Task*> TasksToPlace(const SessionView& view, const Job& job) {
  std::vector<const Task*> tasks = PlaceablePendingTasks(view, job);
  std::erase_if(tasks, [](const Task* task) { return task->best_effort(); });
  return tasks;
}

}  // namespace

JobPlacement::JobPlacement(Session& session, const Job& job)
    : session_(session), job_(job), tasks_(session, TasksToPlace(session, job)) {}

JobPlacement::Result JobPlacement::Place(Statement& statement) {
  while (!tasks_.empty()) {
    if (PlaceTask(statement, *tasks_.Take()) == Step::kStop) break;
  }
  if (session_.IsJobReady(job_)) return Result::kReady;
  if (!session_.IsJobPipelined(job_)) return Result::kNothing;
  PromiseInstead(statement);
  return Result::kPromised;
}

JobPlacement::Step JobPlacement::PlaceTask(Statement& statement, const Task& task) {
  if (!IsAdmitted(job_, task)) return Step::kNext;
  const Verdict admitted = session_.MayAllocate(session_.QueueOf(job_), task);
  // A claim that lapsed is taken again only for a node that fits.
  if (!admitted.ok() && !task.holding.lapsed) {
    // The queue is full for this task; a smaller one may still go in.
    RefusedByQueue(task, admitted);
    return Step::kNext;
  }
  if (const Verdict verdict = session_.CheckTask(task); !verdict.ok()) {
    session_.NeedsToPassGate(task);
    Fail(task, FitFailure::Of(verdict));
    return Step::kStop;
  }
  const std::optional<NodeFinder::Found> found = FindNode(task);
  if (!found) {
    session_.NeedsNode(task, NodeFinder::Room::kChecked);
    Fail(task, session_.WhyNoNode(task, NodeFinder::Room::kChecked));
    return WorthGoingOn() ? Step::kNext : Step::kStop;
  }
  if (!admitted.ok()) {
    RefusedByQueue(task, admitted);
    return Step::kNext;
  }
  if (found->now && session_.MayStart(session_.QueueOf(job_), task)) {
    statement.Allocate(task.id, found->node);
  } else {
    statement.Pipeline(task.id, found->node, false);
  }
  return session_.IsJobReady(job_) ? Step::kStop : Step::kNext;
}

std::optional<NodeFinder::Found> JobPlacement::FindNode(const Task& task) {
  if (const std::string& nominated = task.pod->status.nominated_node_name; !nominated.empty()) {
    if (const Node* node = session_.cluster().FindNode(nominated)) {
      const auto found = session_.finder().Try(task, node->id, NodeFinder::Room::kChecked);
      if (found) return found;
    }
  }
  return session_.finder().Best(task, NodeFinder::Room::kChecked);
}

void JobPlacement::RefusedByQueue(const Task& task, const Verdict& refusal) {
  session_.NeedsQueue(job_, refusal.shortfall);
  session_.RecordFailure(task, session_.WhyNotAdmitted(task, refusal));
}

void JobPlacement::Fail(const Task& task, FitFailure failure) {
  failed_roles_.resize(job_.roles.size());
  failed_roles_[task.role] = true;
  session_.RecordFailure(task, std::move(failure));
}

bool JobPlacement::WorthGoingOn() const {
  if (job_.min_available >= job_.counts.total()) return false;
  const auto failed = [&](std::size_t role) {
    return role < failed_roles_.size() && failed_roles_[role];
  };
  if (!job_.RolesCount()) {
    int left = 0;
    for (std::size_t i = 0; i < job_.roles.size(); ++i) {
      if (!failed(i)) left += job_.roles[i].counts[TaskStatus::kPending];
    }
    return job_.ready_tasks() + left >= job_.min_available;
  }
  for (std::size_t i = 0; i < job_.roles.size(); ++i) {
    const model::Role& role = job_.roles[i];
    if (failed(i) && role.counts.Ready() + role.pending_best_effort < role.min_available) {
      return false;
    }
  }
  return true;
}

void JobPlacement::PromiseInstead(Statement& statement) {
  std::vector<const Task*> placed;
  for (const Statement::Operation& operation : statement.operations()) {
    const Task* task = session_.cluster().FindTask(operation.task);  // none: it is a job's
    if (task && task->status() == TaskStatus::kAllocated) placed.push_back(task);
  }
  for (const Task* task : placed) {
    if (task->status() == TaskStatus::kAllocated) statement.Pipeline(task->id, task->node(), false);
  }
}

}  // namespace basalt::scheduler
