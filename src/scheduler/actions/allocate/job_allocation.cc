#include "scheduler/actions/allocate/job_allocation.h"

#include "scheduler/actions/common/promises.h"
#include "scheduler/framework/admitted.h"

namespace basalt::scheduler::actions {

using model::TaskStatus;

namespace {

// Best-effort tasks are backfill's.
std::vector<const Task*> TasksToPlace(const SessionView& view, const Job& job) {
  std::vector<const Task*> tasks = PlaceablePendingTasks(view, job);
  std::erase_if(tasks, [](const Task* task) { return task->best_effort(); });
  return tasks;
}

}  // namespace

JobAllocation::JobAllocation(Session& session, const Job& job, const GatePolicy& gates)
    : session_(session),
      job_(job),
      admission_(session, job, gates),
      tasks_(session, TasksToPlace(session, job)) {}

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
  if (found.now && MayStart(session_, task, task.holding)) {
    statement.Allocate(task.id, found.node);
  } else {
    statement.Pipeline(task.id, found.node, false);
  }
}

JobAllocation::Step JobAllocation::Place(Statement& statement, const Task& task) {
  if (!IsAdmitted(task)) return Step::kNext;
  const Verdict admitted = session_.MayAllocate(session_.QueueOf(job_), task);
  // A claim that lapsed is taken again only for a node that fits.
  if (!admitted.ok() && !task.holding.lapsed) {
    // The queue is full for this task; a smaller one may still go in.
    session_.NeedsQueue(job_, admitted.full_queue);
    session_.RecordFailure(task, session_.WhyNotAdmitted(task, admitted));
    return Step::kNext;
  }
  if (const Verdict verdict = session_.CheckTask(task); !verdict.ok()) {
    session_.NeedsToPassGate(task);
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
    session_.NeedsNode(task, NodeFinder::Room::kChecked);
    Fail(task, session_.WhyNoNode(task, NodeFinder::Room::kChecked));
    return WorthGoingOn() ? Step::kNext : Step::kStop;
  }
  if (!admitted.ok()) {
    session_.NeedsQueue(job_, admitted.full_queue);
    session_.RecordFailure(task, session_.WhyNotAdmitted(task, admitted));
    return Step::kNext;
  }
  PutOn(statement, task, *found);
  return session_.IsJobReady(job_) ? Step::kStop : Step::kNext;
}

bool JobAllocation::PlaceTasks() {
  if (!admission_.Admit()) return false;
  Statement statement(session_);
  while (!tasks_.empty()) {
    if (Place(statement, *tasks_.Take()) == Step::kStop) break;
  }
  if (session_.IsJobReady(job_)) {
    statement.Commit();
    admission_.NoNodeFits(/*start=*/true);
    return true;
  }
  if (session_.IsJobPipelined(job_)) {
    WaitForTheOthers(statement);
    statement.Commit();
  } else {
    statement.Discard();
    admission_.NoNodeFits(/*start=*/false);
  }
  admission_.LapseOldClaims();
  return false;
}

void JobAllocation::WaitForTheOthers(Statement& statement) {
  std::vector<const Task*> placed;
  for (const Statement::Operation& operation : statement.operations()) {
    const Task& task = session_.cluster().task(operation.task);
    if (task.status() == TaskStatus::kAllocated) placed.push_back(&task);
  }
  for (const Task* task : placed) {
    if (task->status() == TaskStatus::kAllocated) statement.Pipeline(task->id, task->node(), false);
  }
}

// ---- promises of earlier cycles

namespace {

NodeFinder::Room RoomFor(const Task& task) {
  return task.best_effort() ? NodeFinder::Room::kIgnored : NodeFinder::Room::kChecked;
}

}  // namespace

TaskList JobAllocation::Promised() const {
  std::vector<const Task*> promised;
  for (const model::TaskId id : job_.pipelined) promised.push_back(&session_.cluster().task(id));
  return TaskList(session_, std::move(promised));
}

void JobAllocation::TakeOverRestored() {
  Statement statement(session_);
  TaskList tasks = Promised();
  while (!tasks.empty()) {
    const Task& task = *tasks.Take();
    if (task.holding.restored) statement.Pipeline(task.id, task.node(), true);
  }
  statement.Commit();
}

bool JobAllocation::StartOnPromises() {
  Statement statement(session_);
  bool placed = false;
  TaskList tasks = Promised();
  while (!tasks.empty()) {
    const Task& task = *tasks.Take();
    const model::Holding promise = task.holding;
    const Statement::Checkpoint as_promised = statement.Mark();
    statement.Unallocate(task.id);
    auto found = session_.finder().Try(task, promise.node, RoomFor(task));
    if (!found || !found->now) found = session_.finder().Best(task, RoomFor(task));
    if (found && found->now && MayStart(session_, task, promise)) {
      statement.Allocate(task.id, found->node);
      placed = true;
    } else {
      statement.RollbackTo(as_promised);
    }
  }
  if (!placed || !session_.IsJobReady(job_)) return false;
  statement.Commit();
  return true;
}

void JobAllocation::KeepWhatHolds() {
  Statement statement(session_);
  TaskList tasks = Promised();
  while (!tasks.empty()) {
    const Task& task = *tasks.Take();
    const Statement::Checkpoint as_promised = statement.Mark();
    const NodeId own = task.node();
    statement.Unallocate(task.id);
    if (TryWithoutLeaving(session_, task, own, RoomFor(task))) {
      statement.RollbackTo(as_promised);
      continue;
    }
    if (const auto other = session_.finder().Best(task, RoomFor(task))) {
      statement.Pipeline(task.id, other->node, false);
    } else {
      session_.RecordFailure(task, session_.finder().Explain(task, RoomFor(task)));
    }
  }
  if (!session_.IsJobReady(job_) && !session_.IsJobPipelined(job_)) {
    // The job cannot start on what is left of its promises: they would only block others.
    while (!job_.pipelined.empty()) statement.Unallocate(job_.pipelined.back());
  }
  statement.Commit();
}

void JobAllocation::KeepPromises() {
  TakeOverRestored();
  StartOnPromises();
  KeepWhatHolds();
}

}  // namespace basalt::scheduler::actions
