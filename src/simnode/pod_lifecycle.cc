#include "simnode/pod_lifecycle.h"

#include <algorithm>

namespace basalt::simnode {
namespace {

constexpr Duration kFirstBackOff = 10s;
constexpr Duration kMostBackOff = 5min;
constexpr Duration kForgetAfter = 10min;

Duration BackOffBeforeRun(const PodState& pod) {
  if (pod.restarts == 0 || pod.run_finished - pod.run_started >= kForgetAfter) return 0s;
  return std::min(kMostBackOff, kFirstBackOff * (1 << std::min(pod.restarts - 1, 5)));
}

bool RunsAgain(const PodState& pod) {
  switch (pod.restart_policy) {
    case kube::RestartPolicy::kAlways: return true;
    case kube::RestartPolicy::kOnFailure: return pod.behaviour.exit_code != 0;
    case kube::RestartPolicy::kNever: return false;
  }
  return false;
}

PodStep WaitUntil(Time at) { return {PodAction::kWait, at}; }

PodStep Due(PodAction action, Time at, Time now) {
  return at <= now ? PodStep{action, std::nullopt} : WaitUntil(at);
}

// A pod that nothing runs in any more, or not yet, goes at once.
Time RemovalTime(const PodState& pod) {
  if (pod.stage != PodStage::kRunning) return Time::min();
  Time at = *pod.deletion_time;
  if (pod.behaviour.termination) at = std::min(at, at - pod.grace + *pod.behaviour.termination);
  if (pod.behaviour.run_duration) at = std::min(at, pod.run_started + *pod.behaviour.run_duration);
  return at;
}

PodStep AfterRun(const PodState& pod, Time now) {
  if (!pod.behaviour.run_duration) return {};
  const Time end = pod.run_started + *pod.behaviour.run_duration;
  if (now < end) return WaitUntil(end);
  if (!RunsAgain(pod)) return {PodAction::kFinish, std::nullopt};
  PodState ended = pod;
  ended.run_finished = now;
  return {BackOffBeforeRun(ended) > 0s ? PodAction::kBackOff : PodAction::kRestart, std::nullopt};
}

PodStep NextRegularStep(const PodState& pod, Time now) {
  switch (pod.stage) {
    case PodStage::kNew:
      if (pod.behaviour.start_delay > 0s && now < pod.bound + pod.behaviour.start_delay) {
        return {PodAction::kPrepare, std::nullopt};
      }
      return {PodAction::kStart, std::nullopt};
    case PodStage::kPreparing:
      return Due(PodAction::kStart, pod.bound + pod.behaviour.start_delay, now);
    case PodStage::kRunning: return AfterRun(pod, now);
    case PodStage::kBackOff:
      return Due(PodAction::kStart, pod.run_finished + BackOffBeforeRun(pod), now);
    case PodStage::kFinished: return {};
  }
  return {};
}

}  // namespace

PodStep NextStep(const PodState& pod, Time now) {
  if (pod.deletion_time) return Due(PodAction::kRemove, RemovalTime(pod), now);
  const PodStep step = NextRegularStep(pod, now);
  if (!pod.active_deadline || pod.stage == PodStage::kFinished) return step;
  const Time deadline = pod.bound + *pod.active_deadline;
  if (deadline <= now) return {PodAction::kExpire, std::nullopt};
  if (step.action == PodAction::kWait && (!step.at || *step.at > deadline)) {
    return WaitUntil(deadline);
  }
  return step;
}

void Advance(PodState& pod, PodAction action, Time now) {
  switch (action) {
    case PodAction::kWait:
    case PodAction::kRemove: return;
    case PodAction::kPrepare: pod.stage = PodStage::kPreparing; return;
    case PodAction::kStart:
      if (pod.stage == PodStage::kBackOff) ++pod.restarts;
      pod.stage = PodStage::kRunning;
      pod.run_started = now;
      return;
    case PodAction::kBackOff:
      pod.stage = PodStage::kBackOff;
      pod.run_finished = now;
      return;
    case PodAction::kRestart:
      ++pod.restarts;
      pod.run_finished = now;
      pod.run_started = now;
      return;
    case PodAction::kFinish:
    case PodAction::kExpire:
    case PodAction::kKill:
      pod.stage = PodStage::kFinished;
      pod.run_finished = now;
      return;
  }
}

}  // namespace basalt::simnode
