#include <fmt/format.h>

#include <algorithm>

#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

// What a container that has ended says of it, or "Signal:9", "ExitCode:1".
std::string HowItEnded(const json::object& terminated) {
  const std::string_view reason = GetString(terminated, {"reason"});
  if (!reason.empty()) return std::string(reason);
  const std::int64_t signal = GetInt(terminated, {"signal"});
  return signal != 0 ? fmt::format("Signal:{}", signal)
                     : fmt::format("ExitCode:{}", GetInt(terminated, {"exitCode"}));
}

// What the columns READY, STATUS and RESTARTS are made of, read off the container statuses.
class PodSummary {
 public:
  explicit PodSummary(const json::object& pod) : pod_(pod) {
    const std::string_view phase = GetString(pod, {"status", "phase"});
    const std::string_view reason = GetString(pod, {"status", "reason"});
    status_ = reason.empty() ? phase : reason;
    for (const json::value& item : ListAt(pod, {"status", "conditions"})) {
      if (GetString(AsObject(item), {"reason"}) == "SchedulingGated") status_ = "SchedulingGated";
    }
    total_ = ListAt(pod, {"spec", "containers"}).size();
    for (const json::value& item : ListAt(pod, {"spec", "initContainers"})) {
      if (GetString(AsObject(item), {"restartPolicy"}) != "Always") continue;
      sidecars_.insert(GetString(AsObject(item), {"name"}));
    }
    if (!ReadInitContainers() || HasCondition(pod, "Initialized")) ReadContainers();
    const bool ended = phase == "Succeeded" || phase == "Failed";
    if (IsBeingDeleted(pod) && !ended) status_ = reason == "NodeLost" ? "Unknown" : "Terminating";
  }

  std::string Ready() const { return fmt::format("{}/{}", ready_, total_ + sidecars_.size()); }
  const std::string& Status() const { return status_; }
  std::string Restarts(Time now) const {
    if (restarts_ == 0 || last_restart_.empty()) return fmt::format("{}", restarts_);
    return fmt::format("{} ({} ago)", restarts_, Since(last_restart_, now));
  }

 private:
  void CountRestarts(const json::object& container) {
    restarts_ += GetInt(container, {"restartCount"});
    const std::string_view at = GetString(container, {"lastState", "terminated", "finishedAt"});
    last_restart_ = std::max(last_restart_, at);  // RFC 3339 in UTC sorts as text
  }

  // Whether one of them has not finished yet; STATUS then tells about it.
  bool ReadInitContainers() {
    const json::array& statuses = ListAt(pod_, {"status", "initContainerStatuses"});
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      const json::object& container = AsObject(statuses[i]);
      const json::object* terminated = FindObject(container, {"state", "terminated"});
      const bool sidecar = sidecars_.contains(GetString(container, {"name"}));
      // Restarts of those that have ended count only while the pod is being initialized.
      if (sidecar) CountRestarts(container);
      if (terminated != nullptr && GetInt(*terminated, {"exitCode"}) == 0) continue;
      if (sidecar && GetBool(container, {"started"})) {
        ready_ += GetBool(container, {"ready"}) ? 1 : 0;
        continue;
      }
      if (!sidecar) CountRestarts(container);
      const std::string_view waiting = GetString(container, {"state", "waiting", "reason"});
      const std::size_t total = ListAt(pod_, {"spec", "initContainers"}).size();
      status_ = "Init:";
      status_ += terminated != nullptr ? HowItEnded(*terminated)
                 : !waiting.empty() && waiting != "PodInitializing"
                     ? std::string(waiting)
                     : fmt::format("{}/{}", i, total);
      return true;
    }
    return false;
  }

  void ReadContainers() {
    bool running = false;
    const json::array& statuses = ListAt(pod_, {"status", "containerStatuses"});
    for (std::size_t i = statuses.size(); i-- > 0;) {
      const json::object& container = AsObject(statuses[i]);
      CountRestarts(container);
      const std::string_view waiting = GetString(container, {"state", "waiting", "reason"});
      const json::object* terminated = FindObject(container, {"state", "terminated"});
      if (!waiting.empty()) {
        status_ = waiting;
      } else if (terminated != nullptr) {
        status_ = HowItEnded(*terminated);
      } else if (GetBool(container, {"ready"}) &&
                 FindObject(container, {"state", "running"}) != nullptr) {
        running = true;
        ++ready_;
      }
    }
    if (status_ == "Completed" && running) {
      status_ = HasCondition(pod_, "Ready") ? "Running" : "NotReady";
    }
  }

  const json::object& pod_;
  NameSet sidecars_;
  std::string status_;
  std::size_t ready_ = 0;
  std::size_t total_ = 0;
  std::int64_t restarts_ = 0;
  std::string_view last_restart_;
};

std::string ReadinessGates(const json::object& pod) {
  const json::array& gates = ListAt(pod, {"spec", "readinessGates"});
  if (gates.empty()) return "<none>";
  const auto met = std::ranges::count_if(gates, [&](const json::value& gate) {
    return HasCondition(pod, GetString(AsObject(gate), {"conditionType"}));
  });
  return fmt::format("{}/{}", met, gates.size());
}

}  // namespace

json::array PodCells(const json::object& pod, Time now) {
  const PodSummary summary(pod);
  const auto field_or_none = [&pod](FieldPath path) {
    const std::string_view text = GetString(pod, path);
    return json::string(text.empty() ? "<none>" : text);
  };
  return {json::string(Name(pod)),
          json::string(summary.Ready()),
          json::string(summary.Status()),
          json::string(summary.Restarts(now)),
          json::string(Age(pod, now)),
          field_or_none({"status", "podIP"}),
          field_or_none({"spec", "nodeName"}),
          field_or_none({"status", "nominatedNodeName"}),
          json::string(ReadinessGates(pod))};
}

}  // namespace basalt::apiserver
