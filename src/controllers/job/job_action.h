#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace basalt::controllers {

// What can be done to a job (contract C12.2).
enum class JobAction : std::uint8_t {
  kSync,
  kRestartJob,
  kRestartTask,
  kRestartPod,
  kRestartPartition,
  kAbortJob,
  kTerminateJob,
  kCompleteJob,
  kResumeJob,
};
inline constexpr int kJobActions = 9;
std::string_view ToString(JobAction action);
// Those that users may ask for; nullopt: none of them.
std::optional<JobAction> ParseJobAction(std::string_view text);

// What can happen to a job (C12.4).
enum class JobEvent : std::uint8_t {
  kOutOfSync,  // nothing in particular
  kPodFailed,
  kPodEvicted,
  kPodPending,
  kTaskCompleted,
  kTaskFailed,
  kUnknown,
  kCommandIssued,
};
std::string_view ToString(JobEvent event);

// How much of the job an action is about.
enum class Reach : std::uint8_t { kJob, kTask, kPod, kPartition };
Reach ReachOf(JobAction action);

}  // namespace basalt::controllers
