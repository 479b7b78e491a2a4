#include "scheduler/actions/allocate/gate_admission.h"

#include <algorithm>

#include "scheduler/actions/common/work_queues.h"
#include "scheduler/framework/admitted.h"

namespace basalt::scheduler::actions {

using model::TaskStatus;

std::vector<const Task*> GateAdmission::Unadmitted() const {
  std::vector<const Task*> tasks;
  for (const model::TaskId id : job_.pending) {
    const Task& task = session_.cluster().task(id);
    if (IsAdmitted(task) || task.gate == model::Gate::kForeign) continue;
    if (!task.best_effort()) tasks.push_back(&task);
  }
  return tasks;
}

bool GateAdmission::Admit() {
  if (job_.pending_opted_in == 0) return true;
  const Queue& queue = session_.QueueOf(job_);
  TaskList candidates(session_, Unadmitted());
  Statement claims(session_);
  const model::TaskClass* refused = nullptr;
  while (!candidates.empty()) {
    const Task& task = *candidates.Take();
    if (!claims.empty() && EnoughAdmitted(session_.cluster(), job_)) break;
    if (task.task_class == refused) continue;
    const Verdict admitted = session_.MayClaim(queue, task);
    if (admitted.ok()) {
      claims.GrantQueueClaim(task.id);
      continue;
    }
    refused = task.task_class;
    session_.NeedsQueue(job_, admitted.full_queue);
    session_.RecordFailure(task, session_.WhyNotAdmitted(task, admitted));
  }
  const bool enough = EnoughAdmitted(session_.cluster(), job_);
  if (enough) {
    claims.Commit();
    if (policy_.removal == GatePolicy::Removal::kAdmitted) UngateAdmitted();
  } else {
    claims.Discard();
  }
  return enough;
}

void GateAdmission::UngateAdmitted() {
  for (const model::TaskId id : job_.pending) {
    const Task& task = session_.cluster().task(id);
    if (task.holding.queue_claim) session_.Ungate(task);
  }
}

void GateAdmission::NoNodeFits(bool start) {
  if (job_.queue_claims == 0) return;
  for (const model::TaskId id : job_.pending) {
    const Task& task = session_.cluster().task(id);
    if (task.holding.queue_claim && (!start || session_.HasFailure(task))) session_.Ungate(task);
  }
}

void GateAdmission::LapseOldClaims() {
  if (!policy_.hold_timeout || job_.queue_claims == 0) return;
  session_.DependsOnTime(job_);
  std::vector<model::TaskId> old;
  for (const model::TaskId id : job_.pending) {
    const Task& task = session_.cluster().task(id);
    if (!task.holding.queue_claim) continue;
    if (session_.now() - session_.ClaimedSince(task) >= *policy_.hold_timeout) old.push_back(id);
  }
  // In the order of their uids, so that the log does not depend on how the list came about.
  std::ranges::sort(old, {}, [&](model::TaskId id) { return session_.cluster().task(id).uid(); });
  Statement statement(session_);
  for (const model::TaskId id : old) statement.LapseQueueClaim(id);
  statement.Commit();
}

}  // namespace basalt::scheduler::actions
