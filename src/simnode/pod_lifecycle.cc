#include "simnode/pod_lifecycle.h"

#include <algorithm>
#include <utility>

namespace basalt::simnode {
namespace {

constexpr Duration kFirstBackOff = 10s;
constexpr Duration kMostBackOff = 5min;
constexpr Duration kForgetAfter = 10min;
constexpr int kKilledExitCode = 137;

// Between the run that is over and the next.
Duration BackOffOf(const ContainerLife& life) {
  if (life.restarts == 0 || !life.last) return 0s;
  if (life.last->finished - life.last->started >= kForgetAfter) return 0s;
  return std::min(kMostBackOff, kFirstBackOff * (1 << std::min(life.restarts - 1, 5)));
}

// When the run that is on ends by itself.
std::optional<Time> EndOfRun(const ContainerLife& life, const ContainerBehaviour& behaviour) {
  if (!behaviour.run_duration) return std::nullopt;
  return life.started + *behaviour.run_duration;
}

// Lives a pod's life up to a moment.
class Advance {
 public:
  Advance(const PodState& pod, Time now) : pod_(pod), now_(now) {}

  PodStep Step() && {
    if (pod_.active_deadline && pod_.bound + *pod_.active_deadline <= now_) {
      EndAll();
      pod_.failed = true;
      pod_.expired = true;
    } else {
      if (pod_.active_deadline) LookAgainAt(pod_.bound + *pod_.active_deadline);
      Go();
    }
    if (!changed_) return {.action = PodStep::Action::kWait, .at = look_again_};
    return {.action = PodStep::Action::kWrite, .next = std::move(pod_)};
  }

  PodState Kill() && {
    EndAll();
    return std::move(pod_);
  }

 private:
  void LookAgainAt(Time at) { look_again_ = look_again_ ? std::min(*look_again_, at) : at; }

  void Go() {
    const Time ready = pod_.bound + pod_.behaviour.start_delay;
    switch (pod_.stage) {
      case PodStage::kNew:
      case PodStage::kPreparing:
        if (pod_.behaviour.start_delay > 0s && now_ < ready) {
          changed_ = std::exchange(pod_.stage, PodStage::kPreparing) == PodStage::kNew;
          return LookAgainAt(ready);
        }
        pod_.stage = PodStage::kInitializing;
        changed_ = true;
        [[fallthrough]];
      case PodStage::kInitializing: return Initialize();
      case PodStage::kRunning: return Run();
      case PodStage::kFinished: return;
    }
  }

  void Initialize() {
    for (std::size_t i = 0; i < pod_.init.size(); ++i) {
      ContainerLife& life = pod_.init[i];
      const ContainerBehaviour& behaviour = pod_.behaviour.init[i];
      if (behaviour.sidecar) {
        if (life.stage == ContainerStage::kWaiting) Start(life);
        continue;
      }
      // One that takes no time is not worth a write of its own.
      if (life.stage == ContainerStage::kWaiting) {
        Start(life);
        if (behaviour.run_duration != Duration(0)) return LookAgainAt(now_);
      }
      Live(life, behaviour, pod_.restart_policy != kube::RestartPolicy::kNever, false);
      if (life.stage != ContainerStage::kEnded) return;
      if (life.last && life.last->exit_code != 0) return Finish();
    }
    pod_.stage = PodStage::kRunning;
    changed_ = true;
    for (ContainerLife& life : pod_.containers) Start(life);
  }

  void Run() {
    const bool on_failure = pod_.restart_policy != kube::RestartPolicy::kNever;
    const bool on_success = pod_.restart_policy == kube::RestartPolicy::kAlways;
    bool all_ended = true;
    for (std::size_t i = 0; i < pod_.containers.size(); ++i) {
      Live(pod_.containers[i], pod_.behaviour.containers[i], on_failure, on_success);
      all_ended = all_ended && pod_.containers[i].stage == ContainerStage::kEnded;
    }
    if (all_ended) Finish();
  }

  void Start(ContainerLife& life) {
    life.stage = ContainerStage::kRunning;
    life.started = now_;
    changed_ = true;
  }

  void Live(ContainerLife& life, const ContainerBehaviour& behaviour, bool again_on_failure,
            bool again_on_success) {
    switch (life.stage) {
      case ContainerStage::kWaiting: return Start(life);
      case ContainerStage::kEnded: return;
      case ContainerStage::kBackOff: {
        const Time at = life.last->finished + BackOffOf(life);
        if (now_ < at) return LookAgainAt(at);
        ++life.restarts;
        return Start(life);
      }
      case ContainerStage::kRunning: break;
    }
    const auto end = EndOfRun(life, behaviour);
    if (!end) return;
    if (now_ < *end) return LookAgainAt(*end);
    changed_ = true;
    life.last = EndedRun{life.started, now_, behaviour.exit_code};
    if (!(behaviour.exit_code != 0 ? again_on_failure : again_on_success)) {
      life.stage = ContainerStage::kEnded;
    } else if (BackOffOf(life) > 0s) {
      life.stage = ContainerStage::kBackOff;
    } else {
      ++life.restarts;
      Start(life);
    }
  }

  // By themselves: sidecars go last, and their end does not count.
  void Finish() {
    changed_ = true;
    pod_.stage = PodStage::kFinished;
    for (std::size_t i = 0; i < pod_.init.size(); ++i) {
      ContainerLife& life = pod_.init[i];
      if (!pod_.behaviour.init[i].sidecar) {
        if (life.last && life.last->exit_code != 0) pod_.failed = true;
      } else if (life.stage == ContainerStage::kRunning) {
        life.last = EndedRun{life.started, now_, 0};
        life.stage = ContainerStage::kEnded;
      }
    }
    for (const ContainerLife& life : pod_.containers) {
      if (life.last && life.last->exit_code != 0) pod_.failed = true;
    }
  }

  // By force. What has reached its end by itself keeps it.
  void EndAll() {
    changed_ = true;
    pod_.stage = PodStage::kFinished;
    const auto end = [&](ContainerLife& life, const ContainerBehaviour& behaviour) {
      if (life.stage == ContainerStage::kEnded) return;
      if (life.stage == ContainerStage::kRunning) {
        const auto at = EndOfRun(life, behaviour);
        life.last =
            EndedRun{life.started, now_, at && *at <= now_ ? behaviour.exit_code : kKilledExitCode};
      } else if (life.stage == ContainerStage::kWaiting) {
        life.last = EndedRun{now_, now_, kKilledExitCode};
      }
      life.stage = ContainerStage::kEnded;
    };
    for (std::size_t i = 0; i < pod_.init.size(); ++i) end(pod_.init[i], pod_.behaviour.init[i]);
    for (std::size_t i = 0; i < pod_.containers.size(); ++i) {
      end(pod_.containers[i], pod_.behaviour.containers[i]);
      if (pod_.containers[i].last && pod_.containers[i].last->exit_code != 0) pod_.failed = true;
    }
  }

  PodState pod_;
  const Time now_;
  bool changed_ = false;
  std::optional<Time> look_again_;
};

// A pod that nothing runs in any more, or not yet, goes at once.
Time RemovalTime(const PodState& pod) {
  if (pod.stage == PodStage::kFinished) return Time::min();
  Time at = *pod.deletion_time;
  if (pod.behaviour.termination) at = std::min(at, at - pod.grace + *pod.behaviour.termination);
  Time by_itself = Time::min();
  const auto look = [&](const ContainerLife& life, const ContainerBehaviour& behaviour) {
    if (life.stage != ContainerStage::kRunning || behaviour.sidecar) return;
    by_itself = std::max(by_itself, EndOfRun(life, behaviour).value_or(Time::max()));
  };
  for (std::size_t i = 0; i < pod.init.size(); ++i) look(pod.init[i], pod.behaviour.init[i]);
  for (std::size_t i = 0; i < pod.containers.size(); ++i) {
    look(pod.containers[i], pod.behaviour.containers[i]);
  }
  return std::min(at, by_itself);
}

}  // namespace

PodStep NextStep(const PodState& pod, Time now) {
  if (pod.deletion_time) {
    const Time at = RemovalTime(pod);
    if (at <= now) return {.action = PodStep::Action::kRemove};
    return {.action = PodStep::Action::kWait, .at = at};
  }
  if (pod.stage == PodStage::kFinished) return {};
  return Advance(pod, now).Step();
}

PodState Killed(const PodState& pod, Time now) { return Advance(pod, now).Kill(); }

}  // namespace basalt::simnode
