#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/cluster.h"

// What pods that wait make of the reservations that there are. Reads only.
namespace basalt::model {

// A pod held against reservations of its namespace, one after the other: what is worked out of it
// is worked out once, and only when it is needed. Lives for one look at the pod, on the Cluster's
// thread.
class ReservationUser {
 public:
  // `job`: the pod's.
  ReservationUser(const Cluster& cluster, const Job& job, const Task& task);

  // The reservation that it names; "": none.
  std::string_view named() const { return named_; }
  // Names and owners.
  bool MayUse(const ReservationRecord& record) const;
  // The template of the record's task.
  bool IsLike(const ReservationRecord& record, std::uint32_t task) const;
  // The held slots that it may take, of the oldest reservation first, `most` at most.
  std::vector<const ReservedSlot*> Slots(std::size_t most) const;

 private:
  void AddSlots(const ReservationRecord& record, std::size_t most,
                std::vector<const ReservedSlot*>& slots) const;
  std::size_t quick() const;

  const Cluster& cluster_;
  const Job& job_;
  const Task& task_;
  std::string_view named_;
  mutable std::optional<std::size_t> quick_;
  mutable std::optional<SchedulingShape> shape_;
};

// Why a job whose pods name a reservation cannot use it.
struct ReservationRefusal {
  std::string_view reason;  // "": it can, or names none
  std::string reservation;
  std::string message;
};
ReservationRefusal RefusalOf(const Cluster& cluster, const Job& job);

}  // namespace basalt::model
