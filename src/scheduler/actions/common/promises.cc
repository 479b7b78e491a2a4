#include "scheduler/actions/common/promises.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <map>

#include "scheduler/framework/future_claims.h"
#include "scheduler/framework/queue_room.h"

namespace basalt::scheduler::actions {

using model::TaskStatus;

void EndLeases(Session& session, Duration grace) {
  const Overdue overdue = FindOverdue(session.cluster(), grace, session.now());
  for (const model::TaskId id : overdue.tasks) session.MarkOverdue(session.cluster().task(id));
  if (overdue.next) session.WakeAt(*overdue.next);
}

namespace {

// In which order tasks of any jobs are served.
bool ServedBefore(const SessionView& view, const Task& a, const Task& b) {
  if (a.job == b.job) return view.TaskBefore(a, b);
  const Job& job_a = *view.JobOf(a);
  const Job& job_b = *view.JobOf(b);
  if (job_a.queue == job_b.queue) return view.JobBefore(job_a, job_b);
  return view.QueueBefore(view.QueueOf(job_a), view.QueueOf(job_b));
}

// Whether the node has promised more than it will have of something that the task asks for.
bool IsOverpromised(const model::NodeLedger& ledger, const Task& task) {
  bool over = false;
  const model::Resource& request = task.request();
  model::ForEachDimension(request.NonZero(), [&](int d) {
    over = over || ledger.future(d, task.node()) < -model::Resource::kEpsilon;
  });
  return over;
}

}  // namespace

namespace {

void DropWhatQueuesHaveNoRoomFor(Session& session, Statement& drop) {
  const auto over = [&](const Task* task) {
    const Queue& queue = session.QueueOf(*session.JobOf(*task));
    return IsOverCapability(session.cluster(), queue, *task);
  };
  std::vector<const Task*> tasks;
  for (const model::TaskId id : session.cluster().promised()) {
    if (const Task& task = session.cluster().task(id); over(&task)) tasks.push_back(&task);
  }
  std::ranges::sort(tasks,
                    [&](const Task* a, const Task* b) { return ServedBefore(session, *b, *a); });
  for (const Task* task : tasks) {
    if (over(task)) drop.Unallocate(task->id);
  }
}

}  // namespace

void DropVoidPromises(Session& session, const std::vector<const Job*>& jobs) {
  const model::Cluster& cluster = session.cluster();
  if (cluster.promised().empty()) return;
  boost::unordered_flat_set<model::JobId> looked_after;
  for (const Job* job : jobs) looked_after.insert(job->id);

  Statement drop(session);
  std::map<model::NodeId, std::vector<const Task*>> by_node;
  std::vector<model::TaskId> promised = cluster.promised();
  std::ranges::sort(promised);
  for (const model::TaskId id : promised) {
    const Task& task = cluster.task(id);
    if (!looked_after.contains(task.job)) {
      drop.Unallocate(id);
    } else {
      by_node[task.node()].push_back(&task);
    }
  }
  for (auto& [node, tasks] : by_node) {
    const bool over = std::ranges::any_of(tasks, [&](const Task* task) {
      return !task->best_effort() && IsOverpromised(cluster.ledger(), *task);
    });
    if (!over) continue;
    std::ranges::sort(tasks,
                      [&](const Task* a, const Task* b) { return ServedBefore(session, *b, *a); });
    for (const Task* task : tasks) {
      if (!task->best_effort() && IsOverpromised(cluster.ledger(), *task)) {
        drop.Unallocate(task->id);
      }
    }
  }
  DropWhatQueuesHaveNoRoomFor(session, drop);
  drop.Commit();
}

bool MayStart(const Session& session, const Task& task, const model::Holding& held) {
  const model::Cluster& cluster = session.cluster();
  const bool uncertain =
      held.after_eviction &&
      std::ranges::any_of(cluster.node(held.node).tasks, [&](model::TaskId id) {
        const Task& other = cluster.task(id);
        return other.status() == TaskStatus::kReleasing && !other.pod->meta.deleting();
      });
  return !uncertain && session.MayStart(session.QueueOf(*session.JobOf(task)), task);
}

std::optional<NodeFinder::Found> TryWithoutLeaving(Session& session, const Task& task, NodeId id,
                                                   NodeFinder::Room room) {
  if (const auto found = session.finder().Try(task, id, room)) return found;
  std::vector<model::TaskId> leaving;
  for (const model::TaskId other : session.cluster().node(id).tasks) {
    const Task& there = session.cluster().task(other);
    if (there.status() == TaskStatus::kReleasing && !there.holding.overdue) {
      leaving.push_back(other);
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

}  // namespace basalt::scheduler::actions
