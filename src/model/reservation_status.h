#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "kube/types/reservation.h"

namespace basalt::model {

// Where one replica of a reservation's task stands.
struct ReservedPlace {
  std::uint32_t task = 0;  // of the object's tasks
  std::int32_t index = 0;
  std::string_view node;  // the last that it had; "": it never had one
  // kPending: it has no node now.
  kube::ReservationPhase phase = kube::ReservationPhase::kPending;
  const kube::ResourceList* requests = nullptr;
};

// What a reservation's status is made from, beside what it said before.
struct ReservationFacts {
  const kube::Reservation* object = nullptr;
  std::span<const ReservedPlace> places;  // by task and index
  bool ended = false;
  // Why it waits, as a pod in its place would be told.
  std::string_view reason;
  std::string_view message;
  std::optional<kube::ObjectReference> owner;  // the last taker; none: no new taker
  Time now{};
};

// How many of its tasks must have a place: all where it says nothing.
std::int32_t LeastAvailable(const kube::Reservation& reservation);

// The phase of the whole, by how many of its tasks stand where.
struct ReservedCounts {
  std::int32_t all = 0;
  std::int32_t least = 0;
  std::int32_t usable = 0;  // held, or taken
  std::int32_t taken = 0;
  std::int32_t waiting = 0;
  bool ended = false;
};
kube::ReservationPhase PhaseFrom(const ReservedCounts& counts);

// The status that follows the one `before` (contract C7.2). Pure. The reason and message of one
// that goes on waiting stay as they were said first: what it waits for now is to be asked for.
kube::Reservation::Status StatusAfter(const kube::Reservation::Status& before,
                                      const ReservationFacts& facts);

}  // namespace basalt::model
