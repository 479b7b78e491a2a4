#include "scheduler/actions/enqueue/enqueue.h"

#include "scheduler/actions/common/work_queues.h"
#include "scheduler/framework/queue_room.h"

namespace basalt::scheduler::actions {
namespace {

// Whoever refused it: on nodes without end its queue would refuse it still.
bool WaitsForQueueAlone(const Session& session, const Job& job) {
  return job.pending_opted_in > 0 || CapabilityRefuses(session.cluster(), job);
}

}  // namespace

Result<std::unique_ptr<Action>> Enqueue::Make(const Arguments& arguments) {
  if (auto ok = arguments.CheckKnown({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Enqueue>();
}

void Enqueue::Run(Session& session) {
  WorkQueues work(session);
  for (const Job* job : session.JobsInTurn()) {
    session.MarkStarted(*job);
    if (!job->IsPending()) continue;
    if (job->queue_claims > 0) {
      session.Enqueue(*job);  // it was in before a restart, and holds what it was admitted for
    } else {
      work.Add(*job);
    }
  }
  while (const Queue* queue = work.TakeQueue()) {
    const Job* job = work.TakeJob(*queue);
    if (!job) continue;
    EnqueueRefusal why;
    if (!job->min_resources || session.MayEnqueue(*job, &why)) {
      session.Enqueue(*job);
    } else {
      if (why.full_queue.valid()) {
        session.NeedsQueue(*job, why.full_queue);
      } else {
        session.Needs(*job, model::Waits::For(why.helps));
      }
      if (!why.text.empty()) {
        session.RecordFailure(
            *job, {.other = std::move(why.text),
                   .nodes_would_help = why.nodes_would_help && !WaitsForQueueAlone(session, *job)});
      }
    }
    if (!session.GoOn(*job)) return work.PutOffRest();
    work.PutBack(*queue);
  }
}

}  // namespace basalt::scheduler::actions
