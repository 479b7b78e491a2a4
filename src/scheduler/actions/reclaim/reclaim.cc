#include "scheduler/framework/action.h"
#include "scheduler/framework/job_queues.h"
#include "scheduler/framework/session.h"
#include "scheduler/placement/make_room.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler::actions {
namespace {

void ReclaimFor(Session& session, const Queue& queue, const Job& job) {
  const RoomRequest of_other_queues{
      .action = "reclaim",
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

// Takes back for starving jobs what other queues have beyond their share: victims leave, and the
// task is promised their room. A job's evictions are carried out only when they give it enough to
// start. Counterpart: Volcano actions/reclaim. Arguments: predicateErrorCacheEnable (as in
// allocate).
class Reclaim final : public Action {
 public:
  static constexpr std::string_view kName = action_names::kReclaim;

  std::string_view name() const override { return kName; }
  void Run(Session& session) override {
    JobQueues work(session, Attempts::kEvict);
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
};

}  // namespace

Result<std::unique_ptr<Action>> MakeReclaim(const Arguments& arguments) {
  bool ignored = true;
  if (auto ok = arguments.Read({{"predicateErrorCacheEnable", &ignored}}); !ok) {
    return std::unexpected(ok.error());
  }
  return std::make_unique<Reclaim>();
}

}  // namespace basalt::scheduler::actions
