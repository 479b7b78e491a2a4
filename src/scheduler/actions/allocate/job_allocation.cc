#include "scheduler/actions/allocate/job_allocation.h"

namespace basalt::scheduler::actions {

using model::TaskStatus;

namespace {

// Best-effort tasks are backfill's.
std::vector<const Task*> TasksToPlace(const SessionView& view, const Job& job) {
  std::vector<const Task*> tasks = UngatedPendingTasks(view, job);
  std::erase_if(tasks, [](const Task* task) { return task->best_effort(); });
  return tasks;
}

}  // namespace

JobAllocation::JobAllocation(Session& session, const Job& job)
    : session_(session), job_(job), tasks_(session, TasksToPlace(session, job)) {}

void JobAllocation::Fail(const Task& task, FitFailure failure) {
  failed_roles_.resize(job_.roles.size());
  failed_roles_[task.role] = true;
  session_.RecordFailure(task, std::move(failure));
}

bool JobAllocation::WorthGoingOn() const {
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

void JobAllocation::PutOn(Statement& statement, const Task& task, const NodeFinder::Found& found) {
  if (found.now) {
    statement.Allocate(task.id, found.node);
  } else {
    statement.Pipeline(task.id, found.node, false);
  }
}

JobAllocation::Step JobAllocation::Place(Statement& statement, const Task& task) {
  const Verdict admitted = session_.MayAllocate(session_.QueueOf(job_), task);
  if (!admitted.ok()) {
    // The queue is full for this task; a smaller one may still go in.
    session_.RecordFailure(task, {.other = std::string(admitted.reason)});
    return Step::kNext;
  }
  if (const Verdict verdict = session_.CheckTask(task); !verdict.ok()) {
    Fail(task, {.other = std::string(verdict.reason)});
    return Step::kStop;
  }
  std::optional<NodeFinder::Found> found;
  // A nomination from before a restart: most likely the only node that fits.
  if (const std::string& nominated = task.pod->status.nominated_node_name; !nominated.empty()) {
    if (const Node* node = session_.cluster().FindNode(nominated)) {
      found = session_.finder().Try(task, node->id, NodeFinder::Room::kChecked);
    }
  }
  if (!found) found = session_.finder().Best(task, NodeFinder::Room::kChecked);
  if (!found) {
    Fail(task, session_.finder().Explain(task, NodeFinder::Room::kChecked));
    return WorthGoingOn() ? Step::kNext : Step::kStop;
  }
  PutOn(statement, task, *found);
  return session_.IsJobReady(job_) ? Step::kStop : Step::kNext;
}

bool JobAllocation::PlaceTasks() {
  Statement statement(session_);
  while (!tasks_.empty()) {
    if (Place(statement, *tasks_.Take()) == Step::kStop) break;
  }
  if (session_.IsJobReady(job_)) {
    statement.Commit();
    return true;
  }
  if (session_.IsJobPipelined(job_)) {
    PromiseOnly(statement);
    statement.Commit();
  } else {
    statement.Discard();
  }
  return false;
}

// A gang that is not complete yet binds nothing: what would fit now is promised like the rest, or a
// part of the gang would run and wait for ever if the rest's room does not come.
void JobAllocation::PromiseOnly(Statement& statement) {
  const Statement::Checkpoint end = statement.Mark();
  for (Statement::Checkpoint i = 0; i < end; ++i) {
    const Task& task = session_.cluster().task(statement.operations()[i].task);
    if (task.status() != TaskStatus::kAllocated) continue;
    const NodeId node = task.node();
    statement.Unallocate(task.id);
    statement.Pipeline(task.id, node, false);
  }
}

void JobAllocation::KeepPromises() {
  Statement now(session_);
  LookAgain(now, /*bind=*/true);
  if (session_.IsJobReady(job_)) {
    now.Commit();
    return;
  }
  now.Discard();
  Statement statement(session_);
  LookAgain(statement, /*bind=*/false);
  statement.Commit();
  if (job_.pipelined.empty() || session_.IsJobPipelined(job_)) return;
  // The job cannot start on what is left of its promises: they would only block others.
  Statement drop(session_);
  while (!job_.pipelined.empty()) drop.Unallocate(job_.pipelined.back());
  drop.Commit();
}

void JobAllocation::LookAgain(Statement& statement, bool bind) {
  std::vector<const Task*> promised;
  for (const model::TaskId id : job_.pipelined) promised.push_back(&session_.cluster().task(id));
  TaskList tasks(session_, std::move(promised));
  NodeFinder& finder = session_.finder();
  while (!tasks.empty()) {
    const Task& task = *tasks.Take();
    const NodeId own = task.node();
    const Statement::Checkpoint as_promised = statement.Mark();
    statement.Unallocate(task.id);
    const auto room = task.best_effort() ? NodeFinder::Room::kIgnored : NodeFinder::Room::kChecked;
    const auto here = finder.Try(task, own, room);
    if (here && !bind) {
      statement.RollbackTo(as_promised);
      continue;
    }
    std::optional<NodeFinder::Found> better = here;
    if (!here || !here->now) {
      better = finder.Best(task, room);
      // Another node only when it fits there now, or the promise is void.
      if (here && (!better || !better->now)) better = here;
    }
    if (here && better->node == own && !better->now) {
      statement.RollbackTo(as_promised);
    } else if (better && bind) {
      PutOn(statement, task, *better);
    } else if (better) {
      statement.Pipeline(task.id, better->node, false);
    }
  }
}

}  // namespace basalt::scheduler::actions
