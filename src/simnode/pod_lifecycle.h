#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "simnode/pod_behaviour.h"

namespace basalt::simnode {

enum class ContainerStage : std::uint8_t {
  kWaiting,  // has not run yet
  kRunning,
  kBackOff,  // between two runs
  kEnded,    // does not run again
};

// A run of a container that is over.
struct EndedRun {
  Time started;
  Time finished;
  int exit_code = 0;
  bool operator==(const EndedRun&) const = default;
};

struct ContainerLife {
  ContainerStage stage = ContainerStage::kWaiting;
  int restarts = 0;
  Time started;                  // kRunning
  std::optional<EndedRun> last;  // kBackOff, kEnded: the run that is over; kRunning: the one before
  bool operator==(const ContainerLife&) const = default;
};

enum class PodStage : std::uint8_t {
  kNew,           // bound; nothing written yet
  kPreparing,     // status says ContainerCreating
  kInitializing,  // init containers run, one after the other
  kRunning,       // the others have started
  kFinished,      // phase Succeeded or Failed
};

// All that the life of a simulated pod depends on. Pure data: it is rebuilt from the API after a
// restart, with times that the API has rounded down to seconds.
struct PodState {
  // From the specification.
  PodBehaviour behaviour;
  kube::RestartPolicy restart_policy = kube::RestartPolicy::kAlways;
  std::optional<Duration> active_deadline;
  // From the status. The lists are as long as the behaviour's.
  PodStage stage = PodStage::kNew;
  bool failed = false;   // kFinished
  bool expired = false;  // kFinished: by activeDeadlineSeconds
  Time bound;            // when it came to its node
  std::vector<ContainerLife> init;
  std::vector<ContainerLife> containers;
  // From its deletion.
  std::optional<Time> deletion_time;  // when the grace period is over
  Duration grace{0};
};

struct PodStep {
  enum class Action : std::uint8_t {
    kWait,    // nothing to do before `at`
    kWrite,   // write the status of `next`
    kRemove,  // the object can go
  };
  Action action = Action::kWait;
  std::optional<Time> at;        // of kWait: when to look again; nothing: when it changes
  std::optional<PodState> next;  // of kWrite
};

// What to do with the pod now. The kubelet's rules, simulated. Init containers run in turn, each to
// its end, sidecars go on. A container's run that ends is followed by another where the restart
// policy says so: the first at once, the next after a back-off that doubles from 10 s to 5 min and
// starts anew after a run of 10 min. A pod has ended when all its containers have. What starts is
// always written as running before it is written as ended.
PodStep NextStep(const PodState& pod, Time now);

// The pod after its deletion has ended what still ran.
PodState Killed(const PodState& pod, Time now);

}  // namespace basalt::simnode
