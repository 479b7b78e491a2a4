#pragma once

#include <cstdint>
#include <string_view>

namespace basalt::model {

// Where a task stands. Volcano's names.
enum class TaskStatus : std::uint8_t {
  kPending,    // not placed
  kAllocated,  // placed in this cycle; not handed to the API server yet
  kPipelined,  // promised a node, once what is leaving it is gone
  kBinding,    // the bind is under way
  kBound,
  kRunning,
  kReleasing,  // being deleted
  kSucceeded,
  kFailed,
  kUnknown,
};
inline constexpr int kTaskStatuses = 10;

std::string_view ToString(TaskStatus status);

// Holds room on a node (beside kReleasing) and in its queue.
constexpr bool IsAllocated(TaskStatus status) {
  return status == TaskStatus::kAllocated || status == TaskStatus::kBinding ||
         status == TaskStatus::kBound || status == TaskStatus::kRunning;
}
constexpr bool IsCompleted(TaskStatus status) {
  return status == TaskStatus::kSucceeded || status == TaskStatus::kFailed;
}
// The API server knows where it runs, or ran.
constexpr bool IsScheduled(TaskStatus status) {
  return status == TaskStatus::kBound || status == TaskStatus::kRunning || IsCompleted(status);
}
// May be a victim of preemption.
constexpr bool IsPreemptable(TaskStatus status) {
  return status == TaskStatus::kBound || status == TaskStatus::kRunning;
}

// Of a PodGroup. "" counts as pending.
enum class JobPhase : std::uint8_t { kPending, kInqueue, kRunning, kUnknown, kCompleted };
std::string_view ToString(JobPhase phase);
JobPhase ParseJobPhase(std::string_view text);

}  // namespace basalt::model
