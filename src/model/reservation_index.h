#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "kube/types/pod.h"
#include "kube/types/reservation.h"
#include "kube/types/scheduling.h"

namespace basalt::model {

struct ReservationRecord;

// One way in which an owner of a reservation can be met.
struct ReservationMark {
  enum class Kind : unsigned char { kAnybody, kLabel, kUid, kName };
  Kind kind = Kind::kAnybody;
  std::string key;       // of a label
  std::size_t hash = 0;  // of the namespace and what is to be met
};

// Which reservations may serve a pod, without a walk over all of them: each stands under a mark for
// every way in which one of its owners can be met (a label, a uid, a name). What is found may still
// turn out not to match; what matches is found. A pod that none can serve pays for a look at the
// labels that selectors name, and no more. Owned by the Reservations, on the Cluster's thread.
class ReservationIndex {
 public:
  bool empty() const { return by_mark_.empty(); }
  // The marks are the object's owners' at this moment; Remove takes away those.
  void Add(ReservationRecord& record);
  void Remove(ReservationRecord& record);

  // Those that may serve the pod, the oldest first, until `fn` says false.
  void ForEachCandidate(const kube::Pod& pod, const kube::PodGroup* group,
                        FunctionRef<bool(const ReservationRecord&)> fn) const;

 private:
  using Lists = std::vector<std::span<ReservationRecord* const>>;
  void CountKind(const ReservationMark& mark, int by);
  Lists ListsFor(const kube::Pod& pod, const kube::PodGroup* group) const;

  boost::unordered_flat_map<std::size_t, std::vector<ReservationRecord*>> by_mark_;
  std::array<int, 4> kinds_{};                          // how many marks of each
  std::map<std::string, int, std::less<>> label_keys_;  // of the marks, with their number
};

// By creation, then by name.
bool IsOlder(const ReservationRecord& a, const ReservationRecord& b);

}  // namespace basalt::model
