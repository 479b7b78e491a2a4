#include "simnode/pod_status.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "kube/types/time.h"

namespace basalt::simnode {
namespace {

namespace json = boost::json;

using kube::ContainerState;

constexpr std::string_view kCrashLoop = "CrashLoopBackOff";

Time TimeOfCondition(const kube::Pod& pod, std::string_view type, Time otherwise) {
  const kube::Condition* found = kube::FindCondition(pod.status.conditions, type);
  return found != nullptr && found->last_transition_time != Time{} ? found->last_transition_time
                                                                   : otherwise;
}

// ---- From the API.

Time BoundAt(const kube::Pod& pod, Time now) {
  if (pod.status.start_time) return *pod.status.start_time;
  if (kube::IsConditionTrue(pod.status.conditions, "PodScheduled")) {
    return std::min(now, TimeOfCondition(pod, "PodScheduled", now));
  }
  return now;
}

PodStage StageOf(const kube::Pod& pod) {
  if (pod.terminal()) return PodStage::kFinished;
  const auto& containers = pod.status.container_statuses;
  if (pod.status.phase == kube::PodPhase::kRunning) {
    const bool waiting = !containers.empty() &&
                         containers.front().state.kind == ContainerState::Kind::kWaiting &&
                         containers.front().state.reason == kCrashLoop;
    return waiting ? PodStage::kBackOff : PodStage::kRunning;
  }
  return pod.status.start_time && !containers.empty() ? PodStage::kPreparing : PodStage::kNew;
}

// ---- To the API.

json::object Terminated(int exit_code, Time from, Time until, std::string_view container_id) {
  return {{"terminated", json::object{{"exitCode", exit_code},
                                      {"reason", exit_code == 0 ? "Completed" : "Error"},
                                      {"startedAt", kube::FormatTime(from)},
                                      {"finishedAt", kube::FormatTime(until)},
                                      {"containerID", container_id}}}};
}

class PatchWriter {
 public:
  PatchWriter(const kube::Pod& pod, const PodState& before, PodAction action, Time now,
              const PodAddresses& addresses)
      : pod_(pod), before_(before), action_(action), now_(now), addresses_(addresses) {
    after_ = before;
    Advance(after_, action, now);
  }

  std::string Write() {
    json::object status{{"phase", Phase()}, {"startTime", kube::FormatTime(before_.bound)}};
    if (!addresses_.host_ip.empty()) {
      status["hostIP"] = addresses_.host_ip;
      status["hostIPs"] = json::array{json::object{{"ip", addresses_.host_ip}}};
    }
    if (after_.stage != PodStage::kPreparing && !addresses_.pod_ip.empty()) {
      status["podIP"] = addresses_.pod_ip;
      status["podIPs"] = json::array{json::object{{"ip", addresses_.pod_ip}}};
    }
    if (action_ == PodAction::kExpire) {
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
  bool running() const { return after_.stage == PodStage::kRunning; }
  bool finished() const { return after_.stage == PodStage::kFinished; }
  bool killed() const { return action_ == PodAction::kExpire || action_ == PodAction::kKill; }
  bool failed() const { return killed() || before_.behaviour.exit_code != 0; }
  int ExitCode() const { return killed() ? 137 : before_.behaviour.exit_code; }

  std::string_view Phase() const {
    if (finished()) return failed() ? "Failed" : "Succeeded";
    return after_.stage == PodStage::kPreparing ? "Pending" : "Running";
  }

  void Condition(json::array& conditions, std::string_view type, bool value,
                 std::string_view reason = "", std::string_view message = "") const {
    const kube::Condition* now = kube::FindCondition(pod_.status.conditions, type);
    const auto status = value ? kube::ConditionStatus::kTrue : kube::ConditionStatus::kFalse;
    if (now != nullptr && now->status == status && now->reason == reason) return;
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
    const bool preparing = after_.stage == PodStage::kPreparing;
    const bool initialized = !preparing || pod_.spec.init_containers.empty();
    std::string_view ended;
    if (finished()) ended = failed() ? "PodFailed" : "PodCompleted";
    const std::string unready = fmt::format("containers with unready status: [{}]", Names());
    Condition(conditions, "PodReadyToStartContainers", !preparing && !finished());
    Condition(conditions, "Initialized", initialized,
              initialized ? (failed() ? "" : ended) : "ContainersNotInitialized");
    for (const std::string_view type : {"Ready", "ContainersReady"}) {
      if (running()) {
        Condition(conditions, type, true);
      } else if (finished()) {
        Condition(conditions, type, false, ended);
      } else {
        Condition(conditions, type, false, "ContainersNotReady", unready);
      }
    }
    if (!kube::IsConditionTrue(pod_.status.conditions, "PodScheduled")) {
      Condition(conditions, "PodScheduled", true);
    }
    return conditions;
  }

  std::string Names() const {
    std::string names;
    for (const kube::Container& container : pod_.spec.containers) {
      names += (names.empty() ? "" : " ") + container.name;
    }
    return names;
  }

  std::string Id(const kube::Container& container, int run) const {
    return fmt::format("basalt://{}-{}-{}", pod_.meta.uid, container.name, run);
  }

  json::object Base(const kube::Container& container, bool ready, json::object state) const {
    json::object status{{"name", container.name},
                        {"image", container.image},
                        {"imageID", ""},
                        {"ready", ready},
                        {"started", running()},
                        {"restartCount", after_.restarts},
                        {"state", std::move(state)},
                        {"lastState", json::object()}};
    if (after_.stage != PodStage::kPreparing)
      status["containerID"] = Id(container, after_.restarts);
    return status;
  }

  json::object Running(Time since) const {
    return {{"running", json::object{{"startedAt", kube::FormatTime(since)}}}};
  }
  static json::object Waiting(std::string_view reason, std::string_view message = "") {
    json::object waiting{{"reason", reason}};
    if (!message.empty()) waiting["message"] = message;
    return {{"waiting", std::move(waiting)}};
  }

  // The run that is over, where there was one.
  json::object LastRun(const kube::Container& container) const {
    if (after_.restarts == 0 && after_.stage != PodStage::kBackOff) return {};
    const int run = running() ? after_.restarts - 1 : after_.restarts;
    return Terminated(before_.behaviour.exit_code, before_.run_started, after_.run_finished,
                      Id(container, run));
  }

  json::object StateNow(const kube::Container& container) const {
    switch (after_.stage) {
      case PodStage::kNew:
      case PodStage::kPreparing:
        return Waiting(pod_.spec.init_containers.empty() ? "ContainerCreating" : "PodInitializing");
      case PodStage::kRunning: return Running(after_.run_started);
      case PodStage::kBackOff:
        return Waiting(kCrashLoop, fmt::format("back-off restarting failed container {} in pod {}",
                                               container.name, pod_.meta.name));
      case PodStage::kFinished: {
        // Ended by its deadline before it ever ran.
        if (before_.stage == PodStage::kNew || before_.stage == PodStage::kPreparing) {
          return Terminated(ExitCode(), now_, now_, Id(container, 0));
        }
        return Terminated(ExitCode(), before_.run_started, now_, Id(container, after_.restarts));
      }
    }
    return {};
  }

  json::array ContainerStatuses() const {
    json::array statuses;
    for (const kube::Container& container : pod_.spec.containers) {
      json::object status = Base(container, running(), StateNow(container));
      if (!finished()) status["lastState"] = LastRun(container);
      statuses.push_back(std::move(status));
    }
    return statuses;
  }

  json::array InitContainerStatuses() const {
    json::array statuses;
    for (const kube::Container& container : pod_.spec.init_containers) {
      json::object state;
      bool ready = after_.stage != PodStage::kPreparing;
      if (after_.stage == PodStage::kPreparing) {
        state = container.restart_always ? Waiting("PodInitializing") : Running(before_.bound);
      } else if (container.restart_always && !finished()) {
        state = Running(before_.bound);
      } else {
        state = Terminated(0, before_.bound, now_, Id(container, 0));
        ready = !container.restart_always;
      }
      json::object status = Base(container, ready, std::move(state));
      status["restartCount"] = 0;
      status["started"] = container.restart_always && ready;
      statuses.push_back(std::move(status));
    }
    return statuses;
  }

  const kube::Pod& pod_;
  const PodState& before_;
  const PodAction action_;
  const Time now_;
  const PodAddresses& addresses_;
  PodState after_;
};

}  // namespace

void UpdateFromPod(PodState& state, const kube::Pod& pod) {
  state.behaviour = ReadBehaviour(pod.meta.annotations, pod.spec);
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
  UpdateFromPod(state, pod);
  state.stage = StageOf(pod);
  state.bound = BoundAt(pod, now);
  state.run_started = state.bound;
  for (const kube::ContainerStatus& container : pod.status.container_statuses) {
    state.restarts = std::max(state.restarts, static_cast<int>(container.restart_count));
    if (container.state.kind == ContainerState::Kind::kRunning) {
      state.run_started = std::max(state.run_started, container.state.started_at);
    }
  }
  if (state.stage == PodStage::kBackOff || state.stage == PodStage::kFinished) {
    state.run_finished = TimeOfCondition(pod, "Ready", now);
    state.run_started = state.run_finished;  // not known any more: a short run
  }
  return state;
}

std::string StatusPatch(const kube::Pod& pod, const PodState& before, PodAction action, Time now,
                        const PodAddresses& addresses) {
  return PatchWriter(pod, before, action, now, addresses).Write();
}

}  // namespace basalt::simnode
