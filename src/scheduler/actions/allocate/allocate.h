#pragma once

#include "base/clock.h"
#include "scheduler/actions/allocate/gate_policy.h"
#include "scheduler/framework/action.h"
#include "scheduler/placement/job_placement.h"

namespace basalt::scheduler::actions {

// Places pending tasks on nodes: queue by queue in the queues' order, a job at a time, its tasks in
// their order, each on its best node; a task that fits nowhere now but will somewhere gets the
// promise of that node (it is pipelined). After each job: ready → commit, pipelined → commit,
// neither → discard, so that no claim without a purpose survives.
//
// Promises of earlier cycles are looked at first: a task that fits now, on its own node or another,
// is placed; one whose promise no longer holds, or whose lease has ended, loses it; the rest keeps
// what it has. A group that has to start as a whole is bound as a whole: until all that it needs
// fits now, those that do are promised their nodes too.
//
// Pods that opted in to the queue-allocation gate are admitted by their queue first, a gang as a
// whole; see placement/admission.h.
//
// Counterpart: Volcano actions/allocate, which forgets promises after each cycle. Arguments:
// nominationGrace (how long after the time at which the pods that leave a node should be gone a
// promise of that node ends, 2m), predicateErrorCacheEnable (accepted; every answer is exact, so
// there is nothing to switch off), gateRemoval (admitted, or bind), gateHoldTimeout (a duration;
// off by default).
class Allocate final : public Action {
 public:
  static constexpr std::string_view kName = "allocate";
  static Result<std::unique_ptr<Action>> Make(const Arguments& arguments);

  Allocate(Duration nomination_grace, GatePolicy gates)
      : nomination_grace_(nomination_grace), gates_(gates) {}
  std::string_view name() const override { return kName; }
  void Run(Session& session) override;

 private:
  // true: something was committed because the job is ready, and what is left may be placed.
  bool PlaceJob(Session& session, const Job& job, JobPlacement& placement) const;

  Duration nomination_grace_;
  GatePolicy gates_;
  int quiet_cycles_ = 0;  // since promises were last looked at
};

}  // namespace basalt::scheduler::actions
