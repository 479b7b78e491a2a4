#include "scheduler/actions/allocate/allocate.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <memory>

#include "kube/types/time.h"
#include "scheduler/actions/allocate/job_allocation.h"
#include "scheduler/actions/common/promises.h"
#include "scheduler/actions/common/work_queues.h"
#include "scheduler/framework/future_claims.h"

namespace basalt::scheduler::actions {
namespace {

using Allocations = boost::unordered_flat_map<model::JobId, std::unique_ptr<JobAllocation>>;

// Jobs with promises go first, in the order of queues and jobs.
void KeepPromises(Session& session, const std::vector<const Job*>& jobs, const GatePolicy& gates) {
  WorkQueues work(session);
  for (const Job* job : jobs) {
    if (session.IsInTurn(*job) && !job->pipelined.empty()) work.Add(*job);
  }
  while (const Queue* queue = work.TakeQueue()) {
    const Job* job = work.TakeJob(*queue);
    if (!job) continue;
    JobAllocation(session, *job, gates).KeepPromises();
    if (!session.GoOn(*job)) return work.PutOffRest();
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

// Promises that cannot be kept are dropped, the others kept where their time has come. Those who
// wait for what was dropped are looked at in the same cycle.
void LookAfterPromises(Session& session, const GatePolicy& gates) {
  std::vector<const Job*> jobs;
  for (const Job* job : session.ActiveJobs()) {
    if (!job->pipelined.empty() && MayBePlaced(session, *job)) jobs.push_back(job);
  }
  DropVoidPromises(session, jobs);
  KeepPromises(session, jobs, gates);
  session.WakeWhoGains();
}

Result<GatePolicy> ReadGatePolicy(const Arguments& arguments) {
  GatePolicy policy;
  std::string removal = "admitted";
  if (auto ok = arguments.Get("gateRemoval", &removal); !ok) return std::unexpected(ok.error());
  if (removal == "bind") {
    policy.removal = GatePolicy::Removal::kBind;
  } else if (removal != "admitted") {
    return basalt::Fail(ErrorCode::kInvalidArgument,
                        "gateRemoval: must be admitted or bind, not " + removal);
  }
  std::string timeout;
  if (auto ok = arguments.Get("gateHoldTimeout", &timeout); !ok) {
    return std::unexpected(ok.error());
  }
  if (timeout.empty()) return policy;
  const Result<Duration> parsed = kube::ParseDuration(timeout);
  if (!parsed) return std::unexpected(parsed.error().Wrap("gateHoldTimeout"));
  if (*parsed <= Duration{0}) {
    return basalt::Fail(
        ErrorCode::kInvalidArgument,
        "gateHoldTimeout: must be more than nothing; leave it out to switch it off");
  }
  policy.hold_timeout = *parsed;
  return policy;
}

}  // namespace

Result<std::unique_ptr<Action>> Allocate::Make(const Arguments& arguments) {
  if (auto ok = arguments.CheckKnown(
          {"nominationGrace", "predicateErrorCacheEnable", "gateRemoval", "gateHoldTimeout"});
      !ok) {
    return std::unexpected(ok.error());
  }
  bool ignored = true;
  if (auto ok = arguments.Get("predicateErrorCacheEnable", &ignored); !ok) {
    return std::unexpected(ok.error());
  }
  const Result<Duration> grace = NominationGrace(arguments);
  if (!grace) return std::unexpected(grace.error());
  const Result<GatePolicy> gates = ReadGatePolicy(arguments);
  if (!gates) return std::unexpected(gates.error());
  return std::make_unique<Allocate>(*grace, *gates);
}

void Allocate::Run(Session& session) {
  EndLeases(session, nomination_grace_);
  // A thousand promises that nothing has happened to cost a cycle nothing; now and then they are
  // looked at all the same, should something change without a word.
  constexpr int kMostQuietCycles = 10;
  quiet_cycles_ = session.quiet() && quiet_cycles_ < kMostQuietCycles ? quiet_cycles_ + 1 : 0;
  if (quiet_cycles_ == 0) LookAfterPromises(session, gates_);

  WorkQueues work(session);
  Allocations allocations;
  boost::unordered_flat_set<model::QueueId> with_gated_jobs;
  for (const Job* job : session.JobsInTurn()) {
    if (!MayBePlaced(session, *job)) continue;
    auto allocation = std::make_unique<JobAllocation>(session, *job, gates_);
    if (!allocation->HasTasks()) continue;
    if (job->pending_opted_in > 0) with_gated_jobs.insert(job->queue);
    work.Add(*job);
    allocations.emplace(job->id, std::move(allocation));
  }
  while (const Queue* queue = work.TakeQueue()) {
    // What a queue deserves comes from the nodes that exist, which do not limit gated jobs.
    const bool overused = session.IsOverused(*queue);
    if (overused && !with_gated_jobs.contains(queue->id)) continue;
    const Job* job = work.TakeJob(*queue);
    if (!job) continue;
    if (overused && job->pending_opted_in == 0) {
      session.Needs(*job, model::Waits::ForAnything());
      work.PutBack(*queue);
      continue;
    }
    std::unique_ptr<JobAllocation>& allocation = allocations[job->id];
    // One that waited with others like the last one.
    if (!allocation) allocation = std::make_unique<JobAllocation>(session, *job, gates_);
    if (allocation->PlaceTasks() && allocation->HasTasks()) work.PutBack(*job);
    if (!session.GoOn(*job)) {
      work.PutOffRest();
      break;
    }
    // Its share has changed: the next queue may be another.
    work.PutBack(*queue);
  }
  // Whether a queue is served at all may depend on anything.
  work.ForEachLeft([&](const Job& job) { session.Needs(job, model::Waits::ForAnything()); });
  // Also of jobs that run already, or that cannot be placed for another reason.
  for (const Job* job : session.JobsInTurn()) {
    if (job->queue_claims > 0) GateAdmission(session, *job, gates_).LapseOldClaims();
  }
}

}  // namespace basalt::scheduler::actions
