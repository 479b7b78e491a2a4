#include "kube/types/scheduling.h"

#include "kube/types/reservation.h"

namespace basalt::kube {

std::string_view ToString(PodGroupPhase phase) {
  switch (phase) {
    case PodGroupPhase::kPending: return "Pending";
    case PodGroupPhase::kRunning: return "Running";
    case PodGroupPhase::kUnknown: return "Unknown";
    case PodGroupPhase::kInqueue: return "Inqueue";
    case PodGroupPhase::kCompleted: return "Completed";
    case PodGroupPhase::kNone: break;
  }
  return "";
}

std::string_view ToString(QueueState state) {
  switch (state) {
    case QueueState::kOpen: return "Open";
    case QueueState::kClosed: return "Closed";
    case QueueState::kClosing: return "Closing";
    case QueueState::kUnknown: return "Unknown";
    case QueueState::kNone: break;
  }
  return "";
}

std::string_view ToString(ReservationPhase phase) {
  switch (phase) {
    case ReservationPhase::kPending: return "Pending";
    case ReservationPhase::kWaiting: return "Waiting";
    case ReservationPhase::kAvailable: return "Available";
    case ReservationPhase::kSucceeded: return "Succeeded";
    case ReservationPhase::kFailed: return "Failed";
    case ReservationPhase::kNone: break;
  }
  return "";
}

}  // namespace basalt::kube
