#pragma once

#include <string_view>

namespace basalt::model {

// Volcano's conditions of a PodGroup.
inline constexpr std::string_view kGroupScheduled = "Scheduled";
inline constexpr std::string_view kGroupUnschedulable = "Unschedulable";

// A group is scheduled or it is not: when the one condition is set, the other is taken away, and
// not left there with another status. Volcano's job controller tells a job's owner of every
// condition Unschedulable that it finds, whatever its status. "": nothing excludes the type.
constexpr std::string_view ExcludedBy(std::string_view type) {
  if (type == kGroupScheduled) return kGroupUnschedulable;
  if (type == kGroupUnschedulable) return kGroupScheduled;
  return "";
}

}  // namespace basalt::model
