#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kube/types/meta.h"

namespace basalt::kube {

// A core/v1 Event.
struct Event {
  ObjectMeta meta;
  ObjectReference involved_object;
  std::optional<ObjectReference> related;
  std::string type;  // Normal, Warning
  std::string reason;
  std::string message;
  std::string action;
  std::string source_component;
  std::string source_host;
  std::string reporting_component;
  std::string reporting_instance;
  std::int32_t count = 0;
  std::int32_t series_count = 0;  // 0: no series
  std::optional<Time> first_timestamp;
  std::optional<Time> last_timestamp;
  std::optional<Time> event_time;
  std::optional<Time> series_last_observed_time;
  bool operator==(const Event&) const = default;
};

}  // namespace basalt::kube
