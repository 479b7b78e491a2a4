#include "scheduler/actions/reclaim/reclaim.h"

#include "scheduler/actions/common/promises.h"
#include "scheduler/actions/common/victims.h"
#include "scheduler/actions/common/work_queues.h"

namespace basalt::scheduler::actions {

Result<std::unique_ptr<Action>> Reclaim::Make(const Arguments& arguments) {
  if (auto ok = arguments.CheckKnown({"predicateErrorCacheEnable"}); !ok) {
    return std::unexpected(ok.error());
  }
  bool ignored = true;
  if (auto ok = arguments.Get("predicateErrorCacheEnable", &ignored); !ok) {
    return std::unexpected(ok.error());
  }
  return std::make_unique<Reclaim>();
}

void Reclaim::Run(Session& session) {
  WorkQueues work(session, Attempts::kEvict);
  for (const Job* job : session.JobsInTurn()) {
    if (job->IsPending() || !session.ValidateJob(*job).ok()) continue;
    if (session.IsJobStarving(*job)) work.Add(*job);
  }
  while (const Queue* queue = work.TakeQueue()) {
    if (session.IsOverused(*queue)) continue;
    while (const Job* job = work.TakeJob(*queue)) {
      ReclaimFor(session, *queue, *job);
      if (!session.GoOn(*job)) return work.PutOffRest();
    }
  }
}

void Reclaim::ReclaimFor(Session& session, const Queue& queue, const Job& job) {
  Statement statement(session);
  TaskList tasks(session, UngatedPendingTasks(session, job));
  while (session.IsJobStarving(job) && !tasks.empty()) {
    const Task* task = tasks.Take();
    if (task->pod->spec.preemption_policy == kube::PreemptionPolicy::kNever) continue;
    if (!session.MayReclaim(queue, std::span(&task, 1))) continue;
    if (!session.CheckTask(*task).ok()) continue;
    if (BackfillWillPlace(session, *task)) continue;
    ReclaimForTask(session, statement, job, *task);
  }
  if (session.IsJobPipelined(job)) {
    statement.Commit();
  } else {
    statement.Discard();
  }
}

void Reclaim::ReclaimForTask(Session& session, Statement& statement, const Job& job,
                             const Task& task) {
  const TaskFilter of_other_queues = [&](const Task& other) {
    if (other.status() != model::TaskStatus::kRunning || !other.preemptable) return false;
    const Job* owner = session.JobOf(other);
    return owner && owner->queue != job.queue && session.QueueOf(*owner).reclaimable;
  };
  const Queue& queue = session.QueueOf(job);
  // Nobody needs to leave for what fits.
  if (session.MayAllocate(queue, task).ok()) {
    if (const auto found = session.finder().Best(task, NodeFinder::Room::kChecked)) {
      statement.Pipeline(task.id, found->node, false);
      return;
    }
  }
  for (const NodeId id : session.finder().ForPreemption(task)) {
    const Node& node = session.cluster().node(id);
    const auto candidates = CandidatesOn(session, node, task, of_other_queues);
    if (candidates.empty()) continue;
    auto victims = session.Reclaimable(task, candidates);
    if (!WouldFitWithout(session, task, id, victims)) continue;
    SortVictims(session, task, victims);
    const Statement::Checkpoint before = statement.Mark();
    const Evictions evictions = EvictUntil(statement, task, victims, kName, [&] {
      return session.cluster().ledger().FitsFuture(task.request(), id) &&
             session.MayAllocate(queue, task).ok();
    });
    if (!evictions.enough) continue;
    // Room is not all: with them gone, would every filter pass?
    if (!TryWithoutLeaving(session, task, id, NodeFinder::Room::kChecked)) {
      statement.RollbackTo(before);
      continue;
    }
    statement.Pipeline(task.id, id, !evictions.evicted.empty());
    return;
  }
}

}  // namespace basalt::scheduler::actions
