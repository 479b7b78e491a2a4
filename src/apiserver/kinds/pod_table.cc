#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <string>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/pod.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

bool IsSidecar(const json::object& pod, std::string_view name) {
  return std::ranges::any_of(ListAt(pod, {"spec", "initContainers"}), [&](const json::value& item) {
    const json::object& container = AsObject(item);
    return GetString(container, {"name"}) == name &&
           GetString(container, {"restartPolicy"}) == "Always";
  });
}

// "Signal:9" or "ExitCode:1", of a container that ended without saying why.
std::string HowItEnded(const json::object& terminated) {
  const std::int64_t signal = GetInt(terminated, {"signal"});
  return signal != 0 ? fmt::format("Signal:{}", signal)
                     : fmt::format("ExitCode:{}", GetInt(terminated, {"exitCode"}));
}

// What the columns READY, STATUS and RESTARTS are made of, read off the container statuses.
class PodSummary {
 public:
  explicit PodSummary(const json::object& pod) : pod_(pod) {
    status_ = GetString(pod, {"status", "phase"});
    if (const std::string_view reason = GetString(pod, {"status", "reason"}); !reason.empty()) {
      status_ = reason;
    }
    for (const json::value& item : ListAt(pod, {"status", "conditions"})) {
      const json::object& condition = AsObject(item);
      if (GetString(condition, {"type"}) == "PodScheduled" &&
          GetString(condition, {"reason"}) == "SchedulingGated") {
        status_ = "SchedulingGated";
      }
    }
    total_ = static_cast<int>(ListAt(pod, {"spec", "containers"}).size());
    for (const json::value& item : ListAt(pod, {"spec", "initContainers"})) {
      if (GetString(AsObject(item), {"restartPolicy"}) == "Always") ++total_;
    }
    const bool initializing = ReadInitContainers();
    if (!initializing || HasCondition(pod, "Initialized")) ReadContainers();
    if (IsBeingDeleted(pod)) {
      const std::string_view phase = GetString(pod, {"status", "phase"});
      if (GetString(pod, {"status", "reason"}) == "NodeLost") {
        status_ = "Unknown";
      } else if (phase != "Succeeded" && phase != "Failed") {
        status_ = "Terminating";
      }
    }
  }

  std::string Ready() const { return fmt::format("{}/{}", ready_, total_); }
  const std::string& Status() const { return status_; }
  std::string Restarts(Time now) const {
    if (restarts_ == 0 || last_restart_.empty()) return fmt::format("{}", restarts_);
    return fmt::format("{} ({} ago)", restarts_, Since(last_restart_, now));
  }

 private:
  void NoteRestart(const json::object& container, std::string& last) {
    const std::string_view at = GetString(container, {"lastState", "terminated", "finishedAt"});
    if (at > last) last = at;  // RFC 3339 in UTC sorts as text
  }

  // Whether one of them has not finished yet; STATUS then tells about it.
  bool ReadInitContainers() {
    const json::array& statuses = ListAt(pod_, {"status", "initContainerStatuses"});
    const std::size_t total = ListAt(pod_, {"spec", "initContainers"}).size();
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      const json::object& container = AsObject(statuses[i]);
      const std::int64_t restarts = GetInt(container, {"restartCount"});
      restarts_ += restarts;
      NoteRestart(container, last_restart_);
      const json::object* terminated = FindObject(container, {"state", "terminated"});
      if (terminated != nullptr && GetInt(*terminated, {"exitCode"}) == 0) continue;
      if (IsSidecar(pod_, GetString(container, {"name"}))) {
        sidecar_restarts_ += restarts;
        NoteRestart(container, last_sidecar_restart_);
        if (GetBool(container, {"started"})) {
          if (GetBool(container, {"ready"})) ++ready_;
          continue;
        }
      }
      const std::string_view waiting = GetString(container, {"state", "waiting", "reason"});
      if (terminated != nullptr) {
        const std::string_view reason = GetString(*terminated, {"reason"});
        status_ = "Init:" + (reason.empty() ? HowItEnded(*terminated) : std::string(reason));
      } else if (!waiting.empty() && waiting != "PodInitializing") {
        status_ = fmt::format("Init:{}", waiting);
      } else {
        status_ = fmt::format("Init:{}/{}", i, total);
      }
      return true;
    }
    return false;
  }

  void ReadContainers() {
    restarts_ = sidecar_restarts_;
    last_restart_ = last_sidecar_restart_;
    bool running = false;
    const json::array& statuses = ListAt(pod_, {"status", "containerStatuses"});
    for (std::size_t i = statuses.size(); i-- > 0;) {
      const json::object& container = AsObject(statuses[i]);
      restarts_ += GetInt(container, {"restartCount"});
      NoteRestart(container, last_restart_);
      const std::string_view waiting = GetString(container, {"state", "waiting", "reason"});
      const json::object* terminated = FindObject(container, {"state", "terminated"});
      if (!waiting.empty()) {
        status_ = waiting;
      } else if (terminated != nullptr) {
        const std::string_view reason = GetString(*terminated, {"reason"});
        status_ = reason.empty() ? HowItEnded(*terminated) : std::string(reason);
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
  std::string status_;
  int ready_ = 0;
  int total_ = 0;
  std::int64_t restarts_ = 0;
  std::int64_t sidecar_restarts_ = 0;
  std::string last_restart_;
  std::string last_sidecar_restart_;
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
  return {json::string(Name(pod)),
          json::string(summary.Ready()),
          json::string(summary.Status()),
          json::string(summary.Restarts(now)),
          json::string(Age(pod, now)),
          json::string(OrNone(GetString(pod, {"status", "podIP"}))),
          json::string(OrNone(GetString(pod, {"spec", "nodeName"}))),
          json::string(OrNone(GetString(pod, {"status", "nominatedNodeName"}))),
          json::string(ReadinessGates(pod))};
}

}  // namespace basalt::apiserver
