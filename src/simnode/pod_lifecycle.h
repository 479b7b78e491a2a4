#pragma once

#include <optional>

#include "base/clock.h"
#include "simnode/pod_behaviour.h"

namespace basalt::simnode {

enum class PodStage {
  kNew,        // bound; nothing written yet
  kPreparing,  // status says ContainerCreating
  kRunning,
  kBackOff,   // between two runs
  kFinished,  // phase Succeeded or Failed
};

// All that the life of a simulated pod depends on. Pure data: it is rebuilt from the API after a
// restart, with times that the API has rounded down to seconds.
struct PodState {
  // From the specification.
  PodBehaviour behaviour;
  kube::RestartPolicy restart_policy = kube::RestartPolicy::kAlways;
  std::optional<Duration> active_deadline;
  // From the status.
  PodStage stage = PodStage::kNew;
  Time bound;         // when it came to its node
  Time run_started;   // kRunning: of this run; kBackOff: of the last
  Time run_finished;  // kBackOff, kFinished
  int restarts = 0;
  // From its deletion.
  std::optional<Time> deletion_time;  // when the grace period is over
  Duration grace{0};
};

enum class PodAction {
  kWait,     // nothing to do before `at`
  kPrepare,  // write ContainerCreating
  kStart,    // write Running; after a back-off too
  kBackOff,  // the run is over; write CrashLoopBackOff
  kRestart,  // the run is over and the next begins; one write
  kFinish,   // the run is over for good; write Succeeded or Failed
  kExpire,   // activeDeadlineSeconds is over; write Failed, DeadlineExceeded
  kKill,     // its deletion ended the run; write Failed. Never a next step: see PodRunner
  kRemove,   // the object can go
};

struct PodStep {
  PodAction action = PodAction::kWait;
  std::optional<Time> at;  // of kWait: when to look again; nothing: when it changes
};

// What to do with the pod now. The kubelet's rules, simulated: a run that ends is followed by
// another where the restart policy says so, the first at once, the next after a back-off that
// doubles from 10 s to 5 min and starts anew after a run of 10 min.
PodStep NextStep(const PodState& pod, Time now);

// The state after `action` was written at `now`.
void Advance(PodState& pod, PodAction action, Time now);

}  // namespace basalt::simnode
