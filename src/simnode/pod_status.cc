#include "simnode/pod_status.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "kube/types/time.h"

namespace basalt::simnode {
namespace {

namespace json = boost::json;

using ApiState = kube::ContainerState;

constexpr std::string_view kCrashLoop = "CrashLoopBackOff";

Time TimeOfCondition(const kube::Pod& pod, std::string_view type, Time otherwise) {
  const kube::Condition* found = kube::FindCondition(pod.status.conditions, type);
  return found != nullptr && found->last_transition_time != Time{} ? found->last_transition_time
                                                                   : otherwise;
}

// ---- From the API.

Time BoundAt(const kube::Pod& pod, Time now) {
  if (pod.status.start_time) return *pod.status.start_time;
  if (kube::IsConditionTrue(pod.status.conditions, kube::kPodScheduled)) {
    return std::min(now, TimeOfCondition(pod, kube::kPodScheduled, now));
  }
  return now;
}

PodStage StageOf(const kube::Pod& pod) {
  if (pod.terminal()) return PodStage::kFinished;
  if (pod.status.phase == kube::PodPhase::kRunning) return PodStage::kRunning;
  if (!pod.status.start_time || pod.status.container_statuses.empty()) return PodStage::kNew;
  const bool initializing =
      std::ranges::any_of(pod.status.init_container_statuses, [](const kube::ContainerStatus& one) {
        return one.state.kind == ApiState::Kind::kRunning ||
               one.state.kind == ApiState::Kind::kTerminated || one.state.reason == kCrashLoop;
      });
  return initializing ? PodStage::kInitializing : PodStage::kPreparing;
}

ContainerLife LifeOf(const kube::Pod& pod, const kube::ContainerStatus& status, Time now) {
  ContainerLife life{.restarts = static_cast<int>(status.restart_count)};
  switch (status.state.kind) {
    case ApiState::Kind::kRunning:
      life.stage = ContainerStage::kRunning;
      life.started = status.state.started_at != Time{} ? status.state.started_at : now;
      break;
    case ApiState::Kind::kTerminated:
      life.stage = ContainerStage::kEnded;
      life.last =
          EndedRun{status.state.started_at, status.state.finished_at, status.state.exit_code};
      break;
    case ApiState::Kind::kWaiting:
      if (status.state.reason == kCrashLoop) {
        // When its run began is not known any more: a short one. Nor is the code of its end.
        const Time finished = TimeOfCondition(pod, "Ready", now);
        life.stage = ContainerStage::kBackOff;
        life.last = EndedRun{finished, finished, 1};
      }
      break;
    case ApiState::Kind::kNone: break;
  }
  return life;
}

std::vector<ContainerLife> LivesOf(const kube::Pod& pod,
                                   const kube::SharedList<kube::Container>& containers,
                                   const std::vector<kube::ContainerStatus>& statuses, Time now) {
  std::vector<ContainerLife> lives;
  for (const kube::Container& container : containers) {
    const auto status = std::ranges::find(statuses, container.name, &kube::ContainerStatus::name);
    lives.push_back(status != statuses.end() ? LifeOf(pod, *status, now) : ContainerLife());
  }
  return lives;
}

// ---- To the API.

class PatchWriter {
 public:
  PatchWriter(const kube::Pod& pod, const PodState& state, Time now, const PodAddresses& addresses)
      : pod_(pod), state_(state), now_(now), addresses_(addresses) {}

  std::string Write() {
    json::object status{{"phase", Phase()}, {"startTime", kube::FormatTime(state_.bound)}};
    if (!addresses_.host_ip.empty()) {
      status["hostIP"] = addresses_.host_ip;
      status["hostIPs"] = json::array{json::object{{"ip", addresses_.host_ip}}};
    }
    if (state_.stage != PodStage::kPreparing && !addresses_.pod_ip.empty()) {
      status["podIP"] = addresses_.pod_ip;
      status["podIPs"] = json::array{json::object{{"ip", addresses_.pod_ip}}};
    }
    if (state_.expired) {
      status["reason"] = "DeadlineExceeded";
      status["message"] = "Pod was active on the node longer than the specified deadline";
    }
    if (json::array conditions = Conditions(); !conditions.empty()) {
      status["conditions"] = std::move(conditions);
    }
    status["containerStatuses"] = ContainerStatuses();
    if (!pod_.spec.init_containers.empty()) {
      status["initContainerStatuses"] = InitContainerStatuses();
    }
    return json::serialize(json::object{{"metadata", json::object{{"uid", pod_.meta.uid}}},
                                        {"status", std::move(status)}});
  }

 private:
  bool finished() const { return state_.stage == PodStage::kFinished; }

  std::string_view Phase() const {
    if (finished()) return state_.failed ? "Failed" : "Succeeded";
    return state_.stage == PodStage::kRunning ? "Running" : "Pending";
  }

  // Of init containers: done with what the others wait for.
  bool IsInitialized(std::size_t i) const {
    const ContainerLife& life = state_.init[i];
    if (state_.behaviour.init[i].sidecar) return life.stage != ContainerStage::kWaiting;
    return life.stage == ContainerStage::kEnded && life.last && life.last->exit_code == 0;
  }

  void Condition(json::array& conditions, std::string_view type, bool value,
                 std::string_view reason = "", std::string_view message = "") const {
    const kube::Condition* now = kube::FindCondition(pod_.status.conditions, type);
    const auto status = value ? kube::ConditionStatus::kTrue : kube::ConditionStatus::kFalse;
    if (now != nullptr && now->status == status && now->reason == reason &&
        now->message == message) {
      return;
    }
    json::object condition{{"type", type},
                           {"status", value ? "True" : "False"},
                           {"lastProbeTime", nullptr},
                           {"lastTransitionTime", kube::FormatTime(now_)}};
    if (now != nullptr && now->status == status) condition.erase("lastTransitionTime");
    condition["reason"] = reason.empty() ? json::value() : json::value(reason);
    condition["message"] = message.empty() ? json::value() : json::value(message);
    // A null only makes sense where there is something to take away.
    for (const char* key : {"reason", "message", "lastProbeTime"}) {
      if (now == nullptr && condition[key].is_null()) condition.erase(key);
    }
    conditions.push_back(std::move(condition));
  }

  json::array Conditions() const {
    json::array conditions;
    const bool preparing = state_.stage == PodStage::kPreparing;
    std::string_view ended;
    if (finished()) ended = state_.failed ? "PodFailed" : "PodCompleted";
    Condition(conditions, "PodReadyToStartContainers", !preparing && !finished());

    std::string uninitialized, unready;
    for (std::size_t i = 0; i < state_.init.size(); ++i) {
      if (!IsInitialized(i)) AddName(uninitialized, pod_.spec.init_containers[i].name);
    }
    for (std::size_t i = 0; i < state_.containers.size(); ++i) {
      if (state_.containers[i].stage != ContainerStage::kRunning) {
        AddName(unready, pod_.spec.containers[i].name);
      }
    }
    if (uninitialized.empty() || state_.expired) {
      Condition(conditions, "Initialized", true, finished() && !state_.failed ? ended : "");
    } else {
      Condition(conditions, "Initialized", false, "ContainersNotInitialized",
                fmt::format("containers with incomplete status: [{}]", uninitialized));
    }
    for (const std::string_view type : {"Ready", "ContainersReady"}) {
      if (finished()) {
        Condition(conditions, type, false, ended);
      } else if (unready.empty()) {
        Condition(conditions, type, true);
      } else {
        Condition(conditions, type, false, "ContainersNotReady",
                  fmt::format("containers with unready status: [{}]", unready));
      }
    }
    if (!kube::IsConditionTrue(pod_.status.conditions, kube::kPodScheduled)) {
      Condition(conditions, kube::kPodScheduled, true);
    }
    return conditions;
  }

  static void AddName(std::string& names, std::string_view name) {
    if (!names.empty()) names += ' ';
    names += name;
  }

  std::string Id(const kube::Container& container, int run) const {
    return fmt::format("basalt://{}-{}-{}", pod_.meta.uid, container.name, run);
  }

  json::object Terminated(const kube::Container& container, const ContainerBehaviour& behaviour,
                          const EndedRun& run, int number) const {
    json::object terminated{{"exitCode", run.exit_code},
                            {"reason", run.exit_code == 0 ? "Completed" : "Error"},
                            {"startedAt", kube::FormatTime(run.started)},
                            {"finishedAt", kube::FormatTime(run.finished)},
                            {"containerID", Id(container, number)}};
    if (behaviour.cannot_start && run.exit_code == behaviour.exit_code) {
      terminated["reason"] = "StartError";
      terminated["message"] =
          fmt::format("exec: \"{}\": executable file not found in $PATH",
                      container.command.empty() ? "" : container.command.front());
    }
    return {{"terminated", std::move(terminated)}};
  }

  static json::object Waiting(std::string_view reason, std::string_view message = "") {
    json::object waiting{{"reason", reason}};
    if (!message.empty()) waiting["message"] = message;
    return {{"waiting", std::move(waiting)}};
  }

  json::object StateNow(const kube::Container& container, const ContainerBehaviour& behaviour,
                        const ContainerLife& life) const {
    switch (life.stage) {
      case ContainerStage::kWaiting:
        return Waiting(pod_.spec.init_containers.empty() ? "ContainerCreating" : "PodInitializing");
      case ContainerStage::kRunning:
        return {{"running", json::object{{"startedAt", kube::FormatTime(life.started)}}}};
      case ContainerStage::kBackOff:
        return Waiting(kCrashLoop, fmt::format("back-off restarting failed container {} in pod {}",
                                               container.name, pod_.meta.name));
      case ContainerStage::kEnded:
        return life.last ? Terminated(container, behaviour, *life.last, life.restarts)
                         : json::object();
    }
    return {};
  }

  json::object ContainerStatus(const kube::Container& container,
                               const ContainerBehaviour& behaviour, const ContainerLife& life,
                               bool ready) const {
    const bool running = life.stage == ContainerStage::kRunning;
    json::object status{{"name", container.name},
                        {"image", container.image},
                        {"imageID", ""},
                        {"ready", ready},
                        {"started", running},
                        {"restartCount", life.restarts},
                        {"state", StateNow(container, behaviour, life)},
                        {"lastState", json::object()}};
    if (life.stage != ContainerStage::kWaiting) {
      status["containerID"] = Id(container, life.restarts);
    }
    if (life.last && life.stage != ContainerStage::kEnded) {
      status["lastState"] =
          Terminated(container, behaviour, *life.last, running ? life.restarts - 1 : life.restarts);
    }
    return status;
  }

  json::array ContainerStatuses() const {
    json::array statuses;
    for (std::size_t i = 0; i < state_.containers.size(); ++i) {
      const ContainerLife& life = state_.containers[i];
      statuses.push_back(ContainerStatus(pod_.spec.containers[i], state_.behaviour.containers[i],
                                         life, life.stage == ContainerStage::kRunning));
    }
    return statuses;
  }

  json::array InitContainerStatuses() const {
    json::array statuses;
    for (std::size_t i = 0; i < state_.init.size(); ++i) {
      statuses.push_back(ContainerStatus(pod_.spec.init_containers[i], state_.behaviour.init[i],
                                         state_.init[i], IsInitialized(i)));
    }
    return statuses;
  }

  const kube::Pod& pod_;
  const PodState& state_;
  const Time now_;
  const PodAddresses& addresses_;
};

}  // namespace

void UpdateFromPod(PodState& state, const kube::Pod& pod) {
  state.behaviour = ReadBehaviour(pod.meta.annotations, pod.spec);
  state.init.resize(state.behaviour.init.size());
  state.containers.resize(state.behaviour.containers.size());
  state.restart_policy = pod.spec.restart_policy;
  state.active_deadline.reset();
  if (pod.spec.active_deadline_seconds) {
    // Bounded, so that no sum of times overflows.
    constexpr std::int64_t kMostSeconds = std::int64_t{100} * 365 * 24 * 3600;
    state.active_deadline =
        std::chrono::seconds(std::min(*pod.spec.active_deadline_seconds, kMostSeconds));
  }
  state.deletion_time = pod.meta.deletion_timestamp;
  state.grace = std::chrono::seconds(pod.meta.deletion_grace_period_seconds.value_or(0));
  if (pod.terminal()) state.stage = PodStage::kFinished;
}

PodState StateOf(const kube::Pod& pod, Time now) {
  PodState state;
  state.stage = StageOf(pod);
  state.failed = pod.status.phase == kube::PodPhase::kFailed;
  state.bound = BoundAt(pod, now);
  state.init = LivesOf(pod, pod.spec.init_containers, pod.status.init_container_statuses, now);
  state.containers = LivesOf(pod, pod.spec.containers, pod.status.container_statuses, now);
  if (state.stage == PodStage::kRunning) {
    // Another client has written that it runs, and not since when.
    for (ContainerLife& life : state.containers) {
      if (life.stage != ContainerStage::kWaiting) continue;
      life.stage = ContainerStage::kRunning;
      life.started = state.bound;
    }
  }
  UpdateFromPod(state, pod);
  return state;
}

std::string StatusPatch(const kube::Pod& pod, const PodState& state, Time now,
                        const PodAddresses& addresses) {
  return PatchWriter(pod, state, now, addresses).Write();
}

}  // namespace basalt::simnode
