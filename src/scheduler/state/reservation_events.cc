// Reservations that come, change and go.
#include <algorithm>
#include <tuple>
#include <vector>

#include "scheduler/state/cluster_state.h"

namespace basalt::scheduler {
namespace {

// The scheduler of one that names none.
constexpr std::string_view kUsualScheduler = "volcano";

}  // namespace

bool ClusterState::IsOurs(const kube::Reservation& reservation) const {
  if (options_.scheduler_names.empty()) return true;
  return options_.scheduler_names.contains(reservation.scheduler_name.empty()
                                               ? std::string(kUsualScheduler)
                                               : reservation.scheduler_name);
}

void ClusterState::AddReservation(const std::shared_ptr<const kube::Reservation>& reservation) {
  std::string queue = reservation->queue;
  if (queue.empty()) queue = NamespaceQueue(reservation->meta.ns);
  if (queue.empty()) queue = options_.default_queue;
  model::Reservations& all = cluster_.mutable_reservations();
  all.Add(reservation, queue);
  const model::ReservationRecord* record = all.Find(reservation->meta.ns, reservation->meta.name);
  cluster_.SetJobPriority(record->job, PriorityOf(*cluster_.job(record->job).group));
}

void ClusterState::Set(std::shared_ptr<const kube::Reservation> reservation) {
  // From the moment of its deletion it holds nothing, whatever finalizer keeps the object.
  if (!IsOurs(*reservation) || reservation->meta.deleting()) return Remove(*reservation);
  reservations_.insert_or_assign(reservation->meta.Key(), reservation);
  if (!deciding_) return;
  model::Reservations& all = cluster_.mutable_reservations();
  const model::ReservationRecord* known = all.Find(reservation->meta.ns, reservation->meta.name);
  if (known && known->object->meta.uid != reservation->meta.uid) {
    all.Remove(reservation->meta.ns, reservation->meta.name);
    known = nullptr;
  }
  if (!known) {
    ++generation_;
    return AddReservation(reservation);
  }
  if (all.Refresh(std::move(reservation))) ++generation_;
}

void ClusterState::Remove(const kube::Reservation& reservation) {
  reservations_.erase(reservation.meta.Key());
  const model::ReservationRecord* known =
      cluster_.reservations().Find(reservation.meta.ns, reservation.meta.name);
  if (!known || known->object->meta.uid != reservation.meta.uid) return;
  ++generation_;
  cluster_.mutable_reservations().Remove(reservation.meta.ns, reservation.meta.name);
}

// All pods and nodes are known: what the reservations' statuses say is held before anything else is
// placed.
void ClusterState::RestoreReservations() {
  std::vector<std::shared_ptr<const kube::Reservation>> oldest_first;
  for (const auto& [key, reservation] : reservations_) oldest_first.push_back(reservation);
  std::ranges::sort(oldest_first, {}, [](const auto& reservation) {
    return std::tuple(reservation->meta.creation_timestamp, std::string_view(reservation->meta.ns),
                      std::string_view(reservation->meta.name));
  });
  for (const auto& reservation : oldest_first) AddReservation(reservation);
  cluster_.mutable_reservations().Restore();
}

void ClusterState::LookAfterReservations(Time now) {
  model::Reservations& all = cluster_.mutable_reservations();
  all.EndDue(now);
  all.SettleTakes();
  all.WakeThoseServed();
}

void ClusterState::ReservationWriteFailed(std::string_view ns, std::string_view name,
                                          std::string_view uid) {
  ++generation_;
  cluster_.mutable_reservations().WriteFailed(ns, name, uid);
}

}  // namespace basalt::scheduler
