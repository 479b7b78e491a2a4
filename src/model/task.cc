#include "model/task.h"

#include <charconv>

#include "model/annotations.h"

namespace basalt::model {
namespace {

std::optional<std::int32_t> ParseInt(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// Go's strconv.ParseBool; what it does not know is false.
bool ParseBool(std::string_view text) {
  return text == "1" || text == "t" || text == "T" || text == "true" || text == "TRUE" ||
         text == "True";
}

}  // namespace

std::int32_t TaskPriority(const kube::Pod& pod) {
  if (const auto text = pod.meta.annotations.Find(annotations::kTaskPriority)) {
    if (const auto value = ParseInt(*text)) return *value;
  }
  return pod.spec.priority.value_or(1);
}

bool IsTaskPreemptable(const kube::Pod& pod) {
  if (const auto text = pod.meta.annotations.Find(annotations::kPreemptable)) {
    return ParseBool(*text);
  }
  if (const auto text = pod.meta.labels.Find(annotations::kPreemptable)) return ParseBool(*text);
  return true;
}

std::string_view TaskRole(const kube::Pod& pod) {
  const std::string_view role = pod.meta.annotations.Get(annotations::kTaskSpec);
  return role.empty() ? pod.meta.labels.Get(annotations::kTaskSpec) : role;
}

Gate GateOf(const kube::Pod& pod) {
  const auto& gates = pod.spec.scheduling_gates;
  if (gates.empty()) return Gate::kNone;
  return gates.size() == 1 && gates[0] == annotations::kQueueAllocationGate ? Gate::kQueue
                                                                            : Gate::kForeign;
}

bool OptsInToGate(const kube::Pod& pod) {
  return pod.meta.annotations.Get(annotations::kQueueAllocationGate) == "true";
}

std::optional<std::int32_t> TaskIndex(const kube::Pod& pod) {
  const std::string_view name = pod.meta.name;
  const std::size_t last = name.rfind('-');
  if (name.substr(0, last).find('-') == std::string_view::npos) return std::nullopt;
  return ParseInt(name.substr(last + 1));
}

TaskStatus StatusOf(const kube::Pod& pod) {
  switch (pod.status.phase) {
    case kube::PodPhase::kRunning:
      return pod.meta.deleting() ? TaskStatus::kReleasing : TaskStatus::kRunning;
    case kube::PodPhase::kPending:
      if (pod.meta.deleting()) return TaskStatus::kReleasing;
      return pod.bound() ? TaskStatus::kBound : TaskStatus::kPending;
    case kube::PodPhase::kSucceeded: return TaskStatus::kSucceeded;
    case kube::PodPhase::kFailed: return TaskStatus::kFailed;
    case kube::PodPhase::kUnknown: return TaskStatus::kUnknown;
  }
  return TaskStatus::kUnknown;
}

bool TaskBefore(const Task& a, const Task& b) {
  if (a.index != b.index) {
    // Volcano compares only where both have an index, which is no order when some have none.
    return a.index && (!b.index || *a.index < *b.index);
  }
  if (a.pod->meta.creation_timestamp != b.pod->meta.creation_timestamp) {
    return a.pod->meta.creation_timestamp < b.pod->meta.creation_timestamp;
  }
  if (a.uid() != b.uid()) return a.uid() < b.uid();
  return a.ns() != b.ns() ? a.ns() < b.ns() : a.name() < b.name();
}

}  // namespace basalt::model
