#include "controllers/job/phase_table.h"

namespace basalt::controllers {
namespace {

using kube::VcJobPhase;
using Next = PhaseCell::Next;

PhaseCell AtOnce(Kill kill, bool counts_as_retry, VcJobPhase to) {
  return {.kill = kill, .counts_as_retry = counts_as_retry, .next = Next::kAtOnce, .to = to};
}

PhaseCell FromActive(JobAction action) {
  switch (action) {
    case JobAction::kRestartJob: return AtOnce(Kill::kAll, true, VcJobPhase::kRestarting);
    case JobAction::kRestartTask:
    case JobAction::kRestartPod:
    case JobAction::kRestartPartition: return AtOnce(Kill::kTargets, true, VcJobPhase::kRestarting);
    case JobAction::kAbortJob: return AtOnce(Kill::kSoft, false, VcJobPhase::kAborting);
    case JobAction::kTerminateJob: return AtOnce(Kill::kSoft, false, VcJobPhase::kTerminating);
    case JobAction::kCompleteJob: return AtOnce(Kill::kSoft, false, VcJobPhase::kCompleting);
    case JobAction::kSync:
    case JobAction::kResumeJob: break;
  }
  return {};
}

PhaseCell FromRestarting(JobAction action) {
  if (action == JobAction::kSync) return {};
  return {.kill = ReachOf(action) == Reach::kJob ? Kill::kAll : Kill::kTargets};
}

}  // namespace

PhaseCell CellOf(VcJobPhase phase, JobAction action) {
  const auto leave = [](VcJobPhase to) {
    return PhaseCell{.kill = Kill::kSoft, .next = Next::kWhenLeft, .to = to};
  };
  switch (phase) {
    case VcJobPhase::kNone: return AtOnce(Kill::kNone, false, VcJobPhase::kPending);
    case VcJobPhase::kPending:
    case VcJobPhase::kRunning: return FromActive(action);
    case VcJobPhase::kRestarting: return FromRestarting(action);
    case VcJobPhase::kAborting:
      if (action == JobAction::kResumeJob) {
        return AtOnce(Kill::kSoft, true, VcJobPhase::kRestarting);
      }
      return leave(VcJobPhase::kAborted);
    case VcJobPhase::kAborted:
      if (action == JobAction::kResumeJob) {
        return AtOnce(Kill::kNone, true, VcJobPhase::kRestarting);
      }
      return {.kill = Kill::kSoft};
    case VcJobPhase::kCompleting: return leave(VcJobPhase::kCompleted);
    case VcJobPhase::kTerminating: return leave(VcJobPhase::kTerminated);
    case VcJobPhase::kCompleted:
    case VcJobPhase::kTerminated:
    case VcJobPhase::kFailed: break;
  }
  return {.kill = Kill::kSoft};
}

bool IsEffective(VcJobPhase phase, JobAction action) {
  return CellOf(phase, action) != CellOf(phase, JobAction::kSync);
}

VcJobPhase DecidePhase(const PhaseFacts& facts) {
  const std::int32_t ended = facts.succeeded + facts.failed;
  if (facts.phase == VcJobPhase::kRestarting) {
    if (facts.retry_count >= facts.max_retry) return VcJobPhase::kFailed;
    return facts.total - facts.terminating >= facts.min_available ? VcJobPhase::kPending
                                                                  : facts.phase;
  }
  if (facts.phase != VcJobPhase::kPending && facts.phase != VcJobPhase::kRunning) {
    return facts.phase;
  }
  // Scaled to nothing: it waits for what comes.
  if (facts.total == 0) return facts.phase;
  if (facts.phase == VcJobPhase::kPending) {
    return facts.running + ended >= facts.min_available ? VcJobPhase::kRunning : facts.phase;
  }
  if (facts.min_success && facts.succeeded >= *facts.min_success) return VcJobPhase::kCompleted;
  if (ended >= facts.total) {
    if (facts.min_available >= facts.total_minimum && facts.task_short_of_minimum) {
      return VcJobPhase::kFailed;
    }
    if (facts.min_success && facts.succeeded < *facts.min_success) return VcJobPhase::kFailed;
    return facts.succeeded >= facts.min_available ? VcJobPhase::kCompleted : VcJobPhase::kFailed;
  }
  return facts.pending > facts.total - facts.min_available ? VcJobPhase::kPending : facts.phase;
}

VcJobPhase NextPhase(const PhaseCell& cell, const PhaseFacts& facts) {
  switch (cell.next) {
    case Next::kAtOnce: return cell.to;
    case Next::kWhenLeft:
      return facts.pending + facts.running + facts.terminating == 0 ? cell.to : facts.phase;
    case Next::kDecide: break;
  }
  return DecidePhase(facts);
}

}  // namespace basalt::controllers
