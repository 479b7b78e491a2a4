#include "scheduler/actions/allocate/allocate.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>

#include "scheduler/actions/allocate/job_allocation.h"
#include "scheduler/actions/common/promises.h"
#include "scheduler/actions/common/work_queues.h"
#include "scheduler/framework/future_claims.h"

namespace basalt::scheduler::actions {
namespace {

using Allocations = boost::unordered_flat_map<model::JobId, std::unique_ptr<JobAllocation>>;

// Jobs with promises go first, in the order of queues and jobs.
void KeepPromises(Session& session, const std::vector<const Job*>& jobs) {
  WorkQueues work(session);
  for (const Job* job : jobs) {
    if (!job->pipelined.empty()) work.Add(*job);
  }
  while (const Queue* queue = work.TakeQueue()) {
    const Job* job = work.TakeJob(*queue);
    if (!job) continue;
    JobAllocation(session, *job).KeepPromises();
    work.PutBack(*queue);
  }
}

bool MayBePlaced(Session& session, const Job& job) {
  if (job.IsPending()) {
    if (session.config().HasAction("enqueue")) return false;
    session.Admit(job);
  }
  return session.ValidateJob(job).ok();
}

}  // namespace

Result<std::unique_ptr<Action>> Allocate::Make(const Arguments& arguments) {
  if (auto ok = arguments.CheckKnown({"nominationGrace", "predicateErrorCacheEnable"}); !ok) {
    return std::unexpected(ok.error());
  }
  bool ignored = true;
  if (auto ok = arguments.Get("predicateErrorCacheEnable", &ignored); !ok) {
    return std::unexpected(ok.error());
  }
  const Result<Duration> grace = NominationGrace(arguments);
  if (!grace) return std::unexpected(grace.error());
  return std::make_unique<Allocate>(*grace);
}

void Allocate::Run(Session& session) {
  EndLeases(session, nomination_grace_);
  std::vector<const Job*> jobs;
  for (const Job* job : session.ActiveJobs()) {
    if (MayBePlaced(session, *job)) jobs.push_back(job);
  }
  DropVoidPromises(session, jobs);
  KeepPromises(session, jobs);

  WorkQueues work(session);
  Allocations allocations;
  for (const Job* job : jobs) {
    auto allocation = std::make_unique<JobAllocation>(session, *job);
    if (!allocation->HasTasks()) continue;
    work.Add(*job);
    allocations.emplace(job->id, std::move(allocation));
  }
  while (const Queue* queue = work.TakeQueue()) {
    if (session.IsOverused(*queue)) continue;
    const Job* job = work.TakeJob(*queue);
    if (!job) continue;
    JobAllocation& allocation = *allocations.at(job->id);
    if (allocation.PlaceTasks() && allocation.HasTasks()) work.PutBack(*job);
    // Its share has changed: the next queue may be another.
    work.PutBack(*queue);
  }
}

}  // namespace basalt::scheduler::actions
