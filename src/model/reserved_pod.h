#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "kube/types/pod.h"
#include "kube/types/priority_class.h"
#include "kube/types/reservation.h"
#include "kube/types/scheduling.h"

// What the state schedules for a reservation: a group and pods that exist nowhere else. No object
// can have one of their names, so that none is mistaken for them.
namespace basalt::model {

std::string ReservedGroupName(std::string_view reservation);

// What the API server would have made of a pod from the task's template, in the reservation's
// namespace and without its gates, groups and queues. A task that requires its nodes has them in
// its affinity. `priority_class`: the one that its template names, or the cluster's default;
// nullptr: there is none. `slot` counts all replicas of all tasks.
std::shared_ptr<const kube::Pod> ReservedPod(const kube::Reservation& reservation, std::size_t task,
                                             std::int32_t index, std::uint32_t slot,
                                             const kube::PriorityClass* priority_class);
// The slot that the pod was made for.
std::uint32_t SlotOf(const kube::Pod& reserved_pod);

// Its minima are those of the reservation. `priority_class`: the highest of its tasks.
std::shared_ptr<const kube::PodGroup> ReservedGroup(const kube::Reservation& reservation,
                                                    std::string_view queue,
                                                    std::string_view priority_class);

}  // namespace basalt::model
