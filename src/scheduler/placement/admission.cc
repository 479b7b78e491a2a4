#include "scheduler/placement/admission.h"

#include <algorithm>
#include <vector>

#include "scheduler/framework/admitted.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler {
namespace {

TaskList Unadmitted(const Session& session, const Job& job) {
  std::vector<const Task*> tasks;
  for (const model::TaskId id : job.pending) {
    const Task& task = session.cluster().task(id);
    if (IsAdmitted(job, task) || task.gate == model::Gate::kForeign) continue;
    if (!task.best_effort()) tasks.push_back(&task);
  }
  return TaskList(session, std::move(tasks));
}

}  // namespace

bool AdmitAtGate(Session& session, const Job& job, Statement& claims) {
  if (job.pending_opted_in == 0) return true;
  const Queue& queue = session.QueueOf(job);
  const model::TaskClass* refused = nullptr;
  for (TaskList candidates = Unadmitted(session, job); !candidates.empty();) {
    const Task& task = *candidates.Take();
    if (!claims.empty() && EnoughAdmitted(session.cluster(), job)) break;
    if (task.task_class == refused) continue;
    const Verdict admitted = session.MayClaim(queue, task);
    if (admitted.ok()) {
      claims.GrantQueueClaim(task.id);
      continue;
    }
    refused = task.task_class;
    session.NeedsQueue(job, admitted.shortfall);
    session.RecordFailure(task, session.WhyNotAdmitted(task, admitted));
  }
  return EnoughAdmitted(session.cluster(), job);
}

void LapseOldClaims(Session& session, const Job& job, Duration timeout, Statement& statement) {
  std::vector<model::TaskId> old;
  for (const model::TaskId id : job.pending) {
    const Task& task = session.cluster().task(id);
    if (!task.holding.queue_claim) continue;
    const Time since = ClaimedSince(task).value_or(session.now());
    if (task.claimed_since == Time{}) statement.DateQueueClaim(id, since);
    if (session.now() - since >= timeout) old.push_back(id);
  }
  // In the order of their uids, so that the log does not depend on how the list came about.
  std::ranges::sort(old, {}, [&](model::TaskId id) { return session.cluster().task(id).uid(); });
  for (const model::TaskId id : old) statement.LapseQueueClaim(id);
}

}  // namespace basalt::scheduler
