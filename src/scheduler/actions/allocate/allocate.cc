#include "scheduler/actions/allocate/allocate.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>

#include "model/queue_room.h"
#include "scheduler/framework/future_claims.h"
#include "scheduler/framework/work_queues.h"
#include "scheduler/placement/admission.h"
#include "scheduler/placement/entry.h"
#include "scheduler/placement/job_placement.h"
#include "scheduler/placement/promises.h"

namespace basalt::scheduler::actions {

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

namespace {

// Pods that should have been gone long ago are overdue: what they hold is not counted on any more,
// by old promises or new ones. Another cycle is asked for when the next lease ends.
void EndLeases(Session& session, Duration grace) {
  const Overdue overdue = FindOverdue(session.cluster(), grace, session.now());
  Statement statement(session);
  for (const model::TaskId id : overdue.tasks) statement.MarkOverdue(id);
  statement.Commit();
  if (overdue.next) session.WakeAt(*overdue.next);
}

void KeepPromisesOf(Session& session, const Job& job) {
  KeptPromises promises(session, job);
  Statement restored(session);
  promises.TakeOverRestored(restored);
  restored.Commit();
  Statement start(session);
  if (promises.Start(start)) start.Commit();
  start.Discard();
  Statement keep(session);
  promises.KeepWhatHolds(keep);
  keep.Commit();
}

// Promises that cannot be kept are dropped, the others kept where their time has come, in the order
// of queues and jobs. Those who wait for what was dropped are looked at in the same cycle.
void LookAfterPromises(Session& session) {
  std::vector<const Job*> jobs;
  for (const Job* job : session.ActiveJobs()) {
    if (!job->pipelined.empty() && MayBePlaced(session, *job)) jobs.push_back(job);
  }
  Statement drop(session);
  DropVoidPromises(session, jobs, drop);
  drop.Commit();
  {
    WorkQueues work(session);
    for (const Job* job : jobs) {
      if (session.IsInTurn(*job) && !job->pipelined.empty()) work.Add(*job);
    }
    while (const Queue* queue = work.TakeQueue()) {
      const Job* job = work.TakeJob(*queue);
      if (!job) continue;
      KeepPromisesOf(session, *job);
      if (!session.GoOn(*job)) {
        work.PutOffRest();
        break;
      }
      work.PutBack(*queue);
    }
  }
  session.WakeWhoGains();
}

}  // namespace

bool Allocate::PlaceJob(Session& session, const Job& job, JobPlacement& placement) const {
  Statement claims(session);
  if (!AdmitAtGate(session, job, claims)) return false;
  claims.Commit();
  gates_.Admitted(session, job);
  Statement statement(session);
  switch (placement.Place(statement)) {
    case JobPlacement::Result::kReady:
      statement.Commit();
      gates_.NoNodeFits(session, job, /*start=*/true);
      return true;
    case JobPlacement::Result::kPromised: statement.Commit(); break;
    case JobPlacement::Result::kNothing:
      statement.Discard();
      gates_.NoNodeFits(session, job, /*start=*/false);
  }
  gates_.LapseOldClaims(session, job);
  return false;
}

void Allocate::Run(Session& session) {
  EndLeases(session, nomination_grace_);
  // A thousand promises that nothing has happened to cost a cycle nothing; now and then they are
  // looked at all the same, should something change without a word.
  constexpr int kMostQuietCycles = 10;
  quiet_cycles_ = session.quiet() && quiet_cycles_ < kMostQuietCycles ? quiet_cycles_ + 1 : 0;
  if (quiet_cycles_ == 0) LookAfterPromises(session);

  WorkQueues work(session);
  boost::unordered_flat_map<model::JobId, std::unique_ptr<JobPlacement>> placements;
  for (const Job* job : session.JobsInTurn()) {
    if (!MayBePlaced(session, *job)) continue;
    auto placement = std::make_unique<JobPlacement>(session, *job);
    if (!placement->HasTasks()) continue;
    work.Add(*job);
    placements.emplace(job->id, std::move(placement));
  }
  work.ServeByTurns([&](const Job& job) {
    if (WaitsForShare(session, job)) {
      KeepBackForShare(session, job);
      return true;
    }
    std::unique_ptr<JobPlacement>& placement = placements[job.id];
    // One that waited with others like the last one.
    if (!placement) placement = std::make_unique<JobPlacement>(session, job);
    if (PlaceJob(session, job, *placement) && placement->HasTasks()) work.PutBack(job);
    return session.GoOn(job);
  });
  for (const Job* job : work.Left()) {
    if (!session.IsPutOff(*job)) KeepBackForShare(session, *job);
  }
  // Also of jobs that run already, or that cannot be placed for another reason.
  for (const Job* job : session.JobsInTurn()) gates_.LapseOldClaims(session, *job);
}

}  // namespace basalt::scheduler::actions
