#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>

#include "base/clock.h"
#include "scheduler/framework/action.h"
#include "scheduler/framework/job_queues.h"
#include "scheduler/framework/standing_promises.h"
#include "scheduler/placement/entry.h"
#include "scheduler/placement/job_placement.h"
#include "scheduler/placement/promises.h"

namespace basalt::scheduler::actions {
namespace {

// Pods that should have been gone long ago are overdue: what they hold is not counted on any more,
// by old promises or new ones. Another cycle is asked for when the next promise ends.
void MarkOverdue(Session& session, Duration grace) {
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
// of queues and jobs.
void LookAfterPromises(Session& session) {
  std::vector<const Job*> jobs;
  for (const Job* job : session.ActiveJobs()) {
    if (!job->pipelined.empty() && MayBePlaced(session, *job)) jobs.push_back(job);
  }
  Statement drop(session);
  DropVoidPromises(session, jobs, drop);
  drop.Commit();
  JobQueues work(session);
  for (const Job* job : jobs) {
    if (session.IsInTurn(*job) && !job->pipelined.empty()) work.Add(*job);
  }
  work.ServeByTurns([&](const Job& job) {
    KeepPromisesOf(session, job);
    return session.GoOn(job);
  });
}

// When the queue-allocation gate of a pod goes, and for how long its queue waits for it.
struct GatePolicy {
  bool until_bind = false;  // gateRemoval: with the bind, or when no node fits; else once admitted
  // A queue claim without a node for so long blocks nobody any more; none: for ever.
  std::optional<Duration> hold_timeout;

  // The queue has admitted as many of the job's tasks as it needs.
  void Admitted(Session& session, const Job& job) const {
    if (!until_bind) Ungate(session, job, [](const Task&) { return true; });
  }
  // An autoscaler must see the tasks that have no node. Where the job does not start (`start` is
  // false), it must see all tasks with a claim.
  void NoNodeFits(Session& session, const Job& job, bool start) const {
    Ungate(session, job, [&](const Task& task) { return !start || session.HasFailure(task); });
  }
  // Claims that have waited too long lapse.
  void LapseClaims(Session& session, const Job& job) const {
    if (!hold_timeout || job.queue_claims == 0) return;
    session.DependsOnTime(job);
    Statement statement(session);
    LapseOldClaims(session, job, *hold_timeout, statement);
    statement.Commit();
  }

 private:
  template <class Test>
  static void Ungate(Session& session, const Job& job, Test test) {
    Statement statement(session);
    UngateClaims(session, job, statement, test);
    statement.Commit();
  }
};

// Places pending tasks on nodes: queue by queue in the queues' order, a job at a time, its tasks in
// their order, each on its best node; a task that fits nowhere now but will somewhere gets the
// promise of that node (it is pipelined). After each job: ready → commit, pipelined → commit,
// neither → discard, so that no claim without a purpose survives.
//
// Promises of earlier cycles are looked at first: a task that fits now, on its own node or another,
// is placed; one whose promise no longer holds, or has ended, loses it; the rest keeps what it has.
// A group that has to start as a whole is bound as a whole: until all that it needs fits now, the
// tasks that fit now are promised their nodes too.
//
// Pods that opted in to the queue-allocation gate are admitted by their queue first, a gang as a
// whole; see placement/entry.h.
//
// Counterpart: Volcano actions/allocate, which forgets promises after each cycle. Arguments:
// nominationGrace (how long after the time at which the pods that leave a node should be gone a
// promise of that node ends, 2m), predicateErrorCacheEnable (accepted; every answer is exact, so
// there is nothing to switch off), gateRemoval (admitted, or bind), gateHoldTimeout (a duration;
// off by default).
class Allocate final : public Action {
 public:
  static constexpr std::string_view kName = action_names::kAllocate;

  Allocate(Duration nomination_grace, GatePolicy gates)
      : nomination_grace_(nomination_grace), gates_(gates) {}
  std::string_view name() const override { return kName; }
  void Run(Session& session) override {
    const model::Cluster& cluster = session.cluster();
    if (!cluster.releasing().empty()) MarkOverdue(session, nomination_grace_);
    // A thousand promises that nothing has happened to cost a cycle nothing.
    if (!session.quiet() && !cluster.promised().empty()) LookAfterPromises(session);
    // Jobs that gain by a promise that was dropped, or by a task that is overdue, are looked at
    // now.
    session.WakeWhoGains();
    Statement entry(session);
    EnterUnasked(session, entry);
    entry.Commit();

    JobQueues work(session);
    boost::unordered_flat_map<model::JobId, std::unique_ptr<JobPlacement>> placements;
    for (const Job* job : session.JobsInTurn()) {
      if (!MayBePlaced(session, *job)) continue;
      std::unique_ptr<JobPlacement>& placement = placements[job->id];
      placement = std::make_unique<JobPlacement>(session, *job);
      if (placement->HasTasks()) work.Add(*job);
    }
    work.LeaveOutOverused();
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
    for (const Job* job : session.JobsInTurn()) gates_.LapseClaims(session, *job);
  }

 private:
  // true: something was committed because the job is ready, and what is left may be placed.
  bool PlaceJob(Session& session, const Job& job, JobPlacement& placement) const {
    if (!PassesGate(session, job)) return false;
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
    gates_.LapseClaims(session, job);
    return false;
  }

  bool PassesGate(Session& session, const Job& job) const {
    Statement claims(session);
    const bool admitted = AdmitAtGate(session, job, claims).whole;
    claims.Commit();
    if (admitted) gates_.Admitted(session, job);
    return admitted;
  }

  Duration nomination_grace_;
  GatePolicy gates_;
};

}  // namespace

Result<std::unique_ptr<Action>> MakeAllocate(const Arguments& arguments) {
  bool ignored = true;
  std::string removal = "admitted";
  const Result<void> ok = arguments.Read({{"predicateErrorCacheEnable", &ignored},
                                          {"nominationGrace"},
                                          {"gateRemoval", &removal},
                                          {"gateHoldTimeout"}});
  if (!ok) return std::unexpected(ok.error());
  const Result<Duration> grace = NominationGrace(arguments);
  if (!grace) return std::unexpected(grace.error());
  if (removal != "admitted" && removal != "bind") {
    return Fail(ErrorCode::kInvalidArgument,
                "gateRemoval: must be admitted or bind, not " + removal);
  }
  const Result<std::optional<Duration>> timeout = GateHoldTimeout(arguments);
  if (!timeout) return std::unexpected(timeout.error());
  return std::make_unique<Allocate>(
      *grace, GatePolicy{.until_bind = removal == "bind", .hold_timeout = *timeout});
}

}  // namespace basalt::scheduler::actions
