#include "scheduler/actions/reclaim/reclaim.h"

#include "scheduler/framework/work_queues.h"
#include "scheduler/placement/make_room.h"
#include "scheduler/placement/task_list.h"

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

namespace {

void ReclaimFor(Session& session, const Queue& queue, const Job& job) {
  const RoomRequest of_other_queues{
      .action = Reclaim::kName,
      .rule = RoomRequest::Rule::kReclaim,
      .may_leave = [&](const Task& other) {
        if (other.status() != model::TaskStatus::kRunning || !other.preemptable) return false;
        const Job* owner = session.JobOf(other);
        return owner && owner->queue != job.queue && session.QueueOf(*owner).reclaimable;
      }};
  Statement statement(session);
  TaskList tasks(session, UngatedPendingTasks(session, job));
  while (session.IsJobStarving(job) && !tasks.empty()) {
    const Task* task = tasks.Take();
    if (task->pod->spec.preemption_policy == kube::PreemptionPolicy::kNever) continue;
    if (!session.MayReclaim(queue, std::span(&task, 1))) continue;
    MakeRoom(session, statement, *task, of_other_queues);
  }
  if (session.IsJobPipelined(job)) statement.Commit();
}

}  // namespace

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

}  // namespace basalt::scheduler::actions
