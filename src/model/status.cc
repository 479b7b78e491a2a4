#include "model/status.h"

namespace basalt::model {

std::string_view ToString(TaskStatus status) {
  switch (status) {
    case TaskStatus::kPending: return "Pending";
    case TaskStatus::kAllocated: return "Allocated";
    case TaskStatus::kPipelined: return "Pipelined";
    case TaskStatus::kBinding: return "Binding";
    case TaskStatus::kBound: return "Bound";
    case TaskStatus::kRunning: return "Running";
    case TaskStatus::kReleasing: return "Releasing";
    case TaskStatus::kSucceeded: return "Succeeded";
    case TaskStatus::kFailed: return "Failed";
    case TaskStatus::kUnknown: return "Unknown";
  }
  return "Unknown";
}

std::string_view ToString(JobPhase phase) {
  switch (phase) {
    case JobPhase::kPending: return "Pending";
    case JobPhase::kInqueue: return "Inqueue";
    case JobPhase::kRunning: return "Running";
    case JobPhase::kUnknown: return "Unknown";
    case JobPhase::kCompleted: return "Completed";
  }
  return "Unknown";
}

JobPhase ParseJobPhase(std::string_view text) {
  if (text == "Inqueue") return JobPhase::kInqueue;
  if (text == "Running") return JobPhase::kRunning;
  if (text == "Unknown") return JobPhase::kUnknown;
  if (text == "Completed") return JobPhase::kCompleted;
  return JobPhase::kPending;
}

}  // namespace basalt::model
