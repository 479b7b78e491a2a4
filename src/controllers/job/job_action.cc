#include "controllers/job/job_action.h"

#include <algorithm>
#include <iterator>

namespace basalt::controllers {
namespace {

constexpr std::string_view kActionNames[kJobActions] = {
    "SyncJob",  "RestartJob",   "RestartTask", "RestartPod", "RestartPartition",
    "AbortJob", "TerminateJob", "CompleteJob", "ResumeJob"};

}  // namespace

std::string_view ToString(JobAction action) { return kActionNames[static_cast<int>(action)]; }

std::optional<JobAction> ParseJobAction(std::string_view text) {
  const auto* found = std::ranges::find(kActionNames, text);
  if (found == std::end(kActionNames) || found == std::begin(kActionNames)) return std::nullopt;
  return static_cast<JobAction>(found - std::begin(kActionNames));
}

std::string_view ToString(JobEvent event) {
  switch (event) {
    case JobEvent::kOutOfSync: return "OutOfSync";
    case JobEvent::kPodFailed: return "PodFailed";
    case JobEvent::kPodEvicted: return "PodEvicted";
    case JobEvent::kPodPending: return "PodPending";
    case JobEvent::kTaskCompleted: return "TaskCompleted";
    case JobEvent::kTaskFailed: return "TaskFailed";
    case JobEvent::kUnknown: return "Unknown";
    case JobEvent::kCommandIssued: return "CommandIssued";
  }
  return "";
}

Reach ReachOf(JobAction action) {
  switch (action) {
    case JobAction::kRestartTask: return Reach::kTask;
    case JobAction::kRestartPod: return Reach::kPod;
    case JobAction::kRestartPartition: return Reach::kPartition;
    default: return Reach::kJob;
  }
}

}  // namespace basalt::controllers
