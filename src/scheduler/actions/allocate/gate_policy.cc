#include "scheduler/actions/allocate/gate_policy.h"

#include "kube/types/time.h"
#include "scheduler/placement/admission.h"

namespace basalt::scheduler::actions {
namespace {

// Of the job's tasks with a claim those for which `test` holds.
template <class Test>
void UngateClaims(Session& session, const Job& job, Test test) {
  if (job.queue_claims == 0) return;
  for (const model::TaskId id : job.pending) {
    const Task& task = session.cluster().task(id);
    if (task.holding.queue_claim && test(task)) session.Ungate(task);
  }
}

}  // namespace

void GatePolicy::Admitted(Session& session, const Job& job) const {
  if (removal != Removal::kAdmitted) return;
  UngateClaims(session, job, [](const Task&) { return true; });
}

void GatePolicy::NoNodeFits(Session& session, const Job& job, bool start) const {
  UngateClaims(session, job, [&](const Task& task) { return !start || session.HasFailure(task); });
}

void GatePolicy::LapseOldClaims(Session& session, const Job& job) const {
  if (!hold_timeout || job.queue_claims == 0) return;
  session.DependsOnTime(job);
  Statement statement(session);
  scheduler::LapseOldClaims(session, job, *hold_timeout, statement);
  statement.Commit();
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

}  // namespace basalt::scheduler::actions
