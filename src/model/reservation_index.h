#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "kube/types/pod.h"
#include "kube/types/reservation.h"
#include "kube/types/scheduling.h"

namespace basalt::model {

struct ReservationRecord;

// Which reservations may serve a pod, without a walk over all of them: each stands under a mark for
// every way in which one of its owners can be met (a label, a uid, a name), and under the shapes of
// its templates. What is found may still turn out not to match; what matches is found.
class ReservationIndex {
 public:
  // The marks are the object's owners' at this moment; Remove takes away those.
  void Add(ReservationRecord& record);
  void Remove(ReservationRecord& record);

  bool empty() const { return shapes_.empty(); }
  // Whether one of the namespace has a template that may be like the pod's (QuickShape).
  bool HasShape(std::string_view ns, std::size_t quick_shape) const;
  // Those that may serve the pod, the oldest first, until `fn` says false.
  void ForEachCandidate(const kube::Pod& pod, const kube::PodGroup* group,
                        FunctionRef<bool(const ReservationRecord&)> fn) const;

 private:
  boost::unordered_flat_map<std::size_t, std::vector<ReservationRecord*>> by_mark_;
  boost::unordered_flat_map<std::size_t, int> shapes_;
};

// By creation, then by name.
bool IsOlder(const ReservationRecord& a, const ReservationRecord& b);

}  // namespace basalt::model
