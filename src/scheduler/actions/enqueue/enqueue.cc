#include "scheduler/actions/enqueue/enqueue.h"

#include "scheduler/actions/common/work_queues.h"

namespace basalt::scheduler::actions {

Result<std::unique_ptr<Action>> Enqueue::Make(const Arguments& arguments) {
  if (auto ok = arguments.CheckKnown({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Enqueue>();
}

void Enqueue::Run(Session& session) {
  WorkQueues work(session);
  for (const Job* job : session.ActiveJobs()) {
    session.MarkStarted(*job);
    if (job->IsPending()) work.Add(*job);
  }
  while (const Queue* queue = work.TakeQueue()) {
    const Job* job = work.TakeJob(*queue);
    if (!job) continue;
    std::string why;
    if (!job->min_resources || session.MayEnqueue(*job, &why)) {
      session.Enqueue(*job);
    } else if (!why.empty()) {
      session.RecordFailure(*job, std::move(why));
    }
    work.PutBack(*queue);
  }
}

}  // namespace basalt::scheduler::actions
