#include "scheduler/actions/enqueue/enqueue.h"

#include "scheduler/framework/work_queues.h"
#include "scheduler/placement/entry.h"

namespace basalt::scheduler::actions {

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
    if (PassesVote(session, *job)) session.Enqueue(*job);
    if (!session.GoOn(*job)) return work.PutOffRest();
    work.PutBack(*queue);
  }
}

}  // namespace basalt::scheduler::actions
