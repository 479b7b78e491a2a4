#pragma once

#include <string_view>

#include "base/clock.h"
#include "kube/types/reservation.h"
#include "webhook/policy.h"
#include "webhook/review.h"
#include "webhook/snapshot.h"

// Reservations (contract C7). Pure: the same reservation, snapshot and time give the same review.
namespace basalt::webhook {

// Defaults at creation: scheduler (of the templates too), queue, and all replicas as the least.
Review MutateReservation(const kube::Reservation& reservation, std::string_view ns,
                         const Snapshot& snapshot, const Policy& policy);

// `old` null: it is being created. Later only owners, ttl and expires may change: the rest may be
// placed already.
Review ValidateReservation(const kube::Reservation& reservation, const kube::Reservation* old,
                           const Snapshot& snapshot, Time now);

}  // namespace basalt::webhook
