#pragma once

#include <string>

#include "kube/types/reservation.h"

namespace basalt::scheduler {

// Merge patch of reservations/NAME/status: all of the status, on top of what the object says now.
// Names the uid that it is meant for.
std::string ReservationStatusPatch(const kube::Reservation& reservation,
                                   const kube::Reservation::Status& status);

}  // namespace basalt::scheduler
