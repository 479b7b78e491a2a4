#include "model/reservation_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "kube/types/reasons.h"

namespace basalt::model {
namespace {

using Phase = kube::ReservationPhase;
using Status = kube::Reservation::Status;

constexpr std::size_t kPhases = 6;

struct PhaseCounts {
  std::array<std::int32_t, kPhases> of{};
  std::int32_t operator[](Phase phase) const { return of[static_cast<std::size_t>(phase)]; }
  void Add(Phase phase) { ++of[static_cast<std::size_t>(phase)]; }
};

// As the API server keeps times.
Time InSeconds(Time time) { return std::chrono::floor<std::chrono::seconds>(time); }

void SayState(const ReservationFacts& facts, const PhaseCounts& counts, const Status& before,
              Status& status) {
  const std::size_t all = facts.places.size();
  const std::int32_t usable = counts[Phase::kAvailable] + counts[Phase::kSucceeded];
  switch (status.phase) {
    case Phase::kFailed:
      status.reason = reasons::kExpired;
      status.message =
          fmt::format("it has ended; {} of {} tasks were taken", counts[Phase::kSucceeded], all);
      return;
    case Phase::kSucceeded:
      status.reason = reasons::kTaken;
      status.message = fmt::format("all {} tasks were taken", all);
      return;
    case Phase::kAvailable:
      status.reason = reasons::kReserved;
      status.message = fmt::format("{} of {} tasks have their room", usable, all);
      return;
    case Phase::kWaiting:
      status.reason = reasons::kWaitsForRoom;
      status.message =
          fmt::format("{} of {} tasks have their room, {} get it once the pods that leave are gone",
                      usable, all, counts[Phase::kWaiting]);
      return;
    default: break;
  }
  if (before.phase == Phase::kPending && !before.reason.empty()) {
    status.reason = before.reason;
    status.message = before.message;
    return;
  }
  status.reason = facts.reason.empty() ? reasons::kUnschedulable : facts.reason;
  status.message = facts.message;
}

std::vector<kube::Reservation::TaskCount> CountByTask(const ReservationFacts& facts) {
  std::vector<PhaseCounts> counts(facts.object->tasks.size());
  for (const ReservedPlace& place : facts.places) counts[place.task].Add(place.phase);
  std::vector<kube::Reservation::TaskCount> by_task;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    kube::Reservation::TaskCount& count = by_task.emplace_back();
    count.task = facts.object->tasks[i].name;
    // In the order of their names.
    for (const Phase phase :
         {Phase::kAvailable, Phase::kFailed, Phase::kPending, Phase::kSucceeded, Phase::kWaiting}) {
      if (counts[i][phase] > 0) count.phases.emplace_back(ToString(phase), counts[i][phase]);
    }
  }
  std::ranges::sort(by_task, {}, &kube::Reservation::TaskCount::task);
  return by_task;
}

}  // namespace

std::int32_t LeastAvailable(const kube::Reservation& reservation) {
  if (reservation.min_available.value_or(0) > 0) return *reservation.min_available;
  std::int64_t replicas = 0;
  for (const kube::Reservation::Task& task : reservation.tasks) {
    replicas += std::max(task.replicas, 0);
  }
  return static_cast<std::int32_t>(
      std::min<std::int64_t>(replicas, std::numeric_limits<std::int32_t>::max()));
}

Phase PhaseFrom(const ReservedCounts& counts) {
  if (counts.ended) return Phase::kFailed;
  if (counts.taken == counts.all) return Phase::kSucceeded;
  if (counts.usable >= counts.least) return Phase::kAvailable;
  return counts.usable + counts.waiting >= counts.least ? Phase::kWaiting : Phase::kPending;
}

Status StatusAfter(const Status& before, const ReservationFacts& facts) {
  PhaseCounts counts;
  Status status;
  for (const ReservedPlace& place : facts.places) {
    counts.Add(place.phase);
    const bool taken = place.phase == Phase::kSucceeded;
    if (place.requests && (taken || place.phase == Phase::kAvailable)) {
      status.allocatable.Add(*place.requests);
      if (taken) status.allocated.Add(*place.requests);
    }
    if (place.phase == Phase::kPending || place.node.empty()) continue;
    status.placements.push_back({.task = facts.object->tasks[place.task].name,
                                 .index = place.index,
                                 .node = std::string(place.node),
                                 .phase = place.phase});
  }
  status.pending = counts[Phase::kPending] + counts[Phase::kWaiting];
  status.available = counts[Phase::kAvailable];
  status.succeeded = counts[Phase::kSucceeded];
  status.failed = counts[Phase::kFailed];
  status.min_available = LeastAvailable(*facts.object);
  status.task_status_count = CountByTask(facts);
  status.current_owner = facts.owner ? facts.owner : before.current_owner;

  status.phase = PhaseFrom({.all = static_cast<std::int32_t>(facts.places.size()),
                            .least = status.min_available,
                            .usable = counts[Phase::kAvailable] + counts[Phase::kSucceeded],
                            .taken = counts[Phase::kSucceeded],
                            .waiting = counts[Phase::kWaiting],
                            .ended = facts.ended});
  SayState(facts, counts, before, status);
  status.conditions = before.conditions;
  status.last_transition_time = before.last_transition_time;
  if (status.phase != before.phase) {
    status.last_transition_time = InSeconds(facts.now);
    status.conditions.push_back(
        {.status = status.phase, .last_transition_time = status.last_transition_time});
  }
  return status;
}

}  // namespace basalt::model
