#pragma once

#include <string_view>

// Keys of annotations and labels that scheduling reads (contract C2).
namespace basalt::model::annotations {

inline constexpr std::string_view kGroupName = "scheduling.k8s.io/group-name";
inline constexpr std::string_view kVolcanoGroupName = "scheduling.volcano.sh/group-name";
inline constexpr std::string_view kGroupMinMember = "scheduling.volcano.sh/group-min-member";
inline constexpr std::string_view kGroupMinResources = "scheduling.volcano.sh/group-min-resources";
inline constexpr std::string_view kQueueName = "scheduling.volcano.sh/queue-name";
inline constexpr std::string_view kQueueAllocationGate =
    "scheduling.volcano.sh/queue-allocation-gate";
inline constexpr std::string_view kPreemptable = "volcano.sh/preemptable";
inline constexpr std::string_view kRevocableZone = "volcano.sh/revocable-zone";
inline constexpr std::string_view kTaskSpec = "volcano.sh/task-spec";
inline constexpr std::string_view kTaskPriority = "volcano.sh/task-priority";
inline constexpr std::string_view kCooldownTime = "volcano.sh/cooldown-time";
inline constexpr std::string_view kJdbMinAvailable = "volcano.sh/jdb-min-available";
inline constexpr std::string_view kJdbMaxUnavailable = "volcano.sh/jdb-max-unavailable";
inline constexpr std::string_view kSlaWaitingTime = "volcano.sh/sla-waiting-time";
// On a pod or a PodGroup: the reservation that it is to use, and no other.
inline constexpr std::string_view kReservationName = "volcano.sh/reservation-name";

// A label of a Reservation: the uid of the pod whose next place it holds.
inline constexpr std::string_view kMigratingPod = "basalt.sh/migrating-pod";

// The pods that were evicted for the pod, and for the pods that it replaced: what a restarted
// scheduler knows of earlier evictions. Written by the scheduler alone.
inline constexpr std::string_view kEvictions = "basalt.sh/evictions";
// The queue in which the pod was bound (model/bound_queue.h). Written with the bind.
inline constexpr std::string_view kBoundQueue = "basalt.sh/queue";

}  // namespace basalt::model::annotations
