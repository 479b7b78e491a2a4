#include "scheduler/placement/promises.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <map>

#include "model/queue_room.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler {

using model::TaskStatus;

// ---- of one task

std::optional<NodeFinder::Found> TryWithoutLeaving(Session& session, const Task& task, NodeId id,
                                                   NodeFinder::Room room) {
  if (const auto found = session.finder().Try(task, id, room)) return found;
  std::vector<model::TaskId> leaving;
  for (const Task& there : session.cluster().TasksOf(session.cluster().node(id).tasks)) {
    if (there.status() == TaskStatus::kReleasing && !there.holding.overdue) {
      leaving.push_back(there.id);
    }
  }
  if (leaving.empty()) return std::nullopt;
  Statement trial(session);
  for (const model::TaskId other : leaving) trial.Vanish(other);
  auto found = session.finder().Try(task, id, room);
  trial.Discard();
  if (found) found->now = false;
  return found;
}

bool MayBeBound(const Session& session, const Task& task, const model::Holding& held) {
  const model::Cluster& cluster = session.cluster();
  const bool uncertain =
      held.after_eviction &&
      std::ranges::any_of(cluster.node(held.node).tasks, [&](model::TaskId id) {
        const Task& other = cluster.task(id);
        return other.status() == TaskStatus::kReleasing && !other.pod->meta.deleting();
      });
  return !uncertain && session.MayStart(session.QueueOf(*session.JobOf(task)), task);
}

// ---- of all jobs

namespace {

// In which order tasks of any jobs are served.
bool ServedBefore(const SessionView& view, const Task& a, const Task& b) {
  if (a.job == b.job) return view.TaskBefore(a, b);
  const Job& job_a = *view.JobOf(a);
  const Job& job_b = *view.JobOf(b);
  if (job_a.queue == job_b.queue) return view.JobBefore(job_a, job_b);
  return view.QueueBefore(view.QueueOf(job_a), view.QueueOf(job_b));
}

void SortLastServedFirst(const SessionView& view, std::vector<const Task*>& tasks) {
  std::ranges::sort(tasks,
                    [&](const Task* a, const Task* b) { return ServedBefore(view, *b, *a); });
}

// Whether the node has promised more than it will have of something that the task asks for.
bool IsOverpromised(const model::NodeLedger& ledger, const Task& task) {
  bool over = false;
  const model::Amounts& request = task.request();
  model::ForEachDimension(request.NonZero(), [&](int d) {
    over = over || ledger.future(d, task.node()) < -model::Amounts::kEpsilon;
  });
  return over;
}

void DropWhatQueuesHaveNoRoomFor(Session& session, Statement& drop) {
  const auto over = [&](const Task* task) {
    const Queue& queue = session.QueueOf(*session.JobOf(*task));
    return IsOverCapability(session.cluster(), queue, *task, session.queue_reach());
  };
  std::vector<const Task*> tasks;
  for (const model::TaskId id : session.cluster().promised()) {
    if (const Task& task = session.cluster().task(id); over(&task)) tasks.push_back(&task);
  }
  SortLastServedFirst(session, tasks);
  for (const Task* task : tasks) {
    if (over(task)) drop.Unallocate(task->id);
  }
}

}  // namespace

void DropVoidPromises(Session& session, const std::vector<const Job*>& jobs, Statement& drop) {
  const model::Cluster& cluster = session.cluster();
  if (cluster.promised().empty()) return;
  boost::unordered_flat_set<model::JobId> looked_after;
  for (const Job* job : jobs) looked_after.insert(job->id);

  std::map<NodeId, std::vector<const Task*>> by_node;
  std::vector<model::TaskId> promised = cluster.promised();
  std::ranges::sort(promised);
  for (const Task& task : cluster.TasksOf(promised)) {
    if (!looked_after.contains(task.job)) {
      drop.Unallocate(task.id);
    } else {
      by_node[task.node()].push_back(&task);
    }
  }
  for (auto& [node, tasks] : by_node) {
    const auto over = [&](const Task* task) {
      return !task->best_effort() && IsOverpromised(cluster.ledger(), *task);
    };
    if (std::ranges::none_of(tasks, over)) continue;
    SortLastServedFirst(session, tasks);
    for (const Task* task : tasks) {
      if (over(task)) drop.Unallocate(task->id);
    }
  }
  DropWhatQueuesHaveNoRoomFor(session, drop);
}

// ---- of one job

namespace {

NodeFinder::Room RoomFor(const Task& task) {
  return task.best_effort() ? NodeFinder::Room::kIgnored : NodeFinder::Room::kChecked;
}

TaskList PromisedTasks(const Session& session, const Job& job) {
  std::vector<const Task*> promised;
  for (const model::TaskId id : job.pipelined) promised.push_back(&session.cluster().task(id));
  return TaskList(session, std::move(promised));
}

}  // namespace

void KeptPromises::TakeOverRestored(Statement& statement) {
  for (TaskList tasks = PromisedTasks(session_, job_); !tasks.empty();) {
    const Task& task = *tasks.Take();
    if (task.holding.restored) statement.Pipeline(task.id, task.node(), true);
  }
}

bool KeptPromises::Start(Statement& statement) {
  bool placed = false;
  for (TaskList tasks = PromisedTasks(session_, job_); !tasks.empty();) {
    const Task& task = *tasks.Take();
    const model::Holding promise = task.holding;
    const Statement::Checkpoint as_promised = statement.Mark();
    statement.Unallocate(task.id);
    auto found = session_.finder().Try(task, promise.node, RoomFor(task));
    if (!found || !found->now) found = session_.finder().Best(task, RoomFor(task));
    if (found && found->now && MayBeBound(session_, task, promise)) {
      statement.Allocate(task.id, found->node);
      placed = true;
    } else {
      statement.RollbackTo(as_promised);
    }
  }
  return placed && session_.IsJobReady(job_);
}

void KeptPromises::KeepWhatHolds(Statement& statement) {
  for (TaskList tasks = PromisedTasks(session_, job_); !tasks.empty();) {
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
}

}  // namespace basalt::scheduler
