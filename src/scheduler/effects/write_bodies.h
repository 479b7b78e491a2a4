#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "kube/types/pod.h"
#include "kube/types/reservation.h"
#include "kube/types/scheduling.h"
#include "model/intent.h"

// What the scheduler sends to the API server, as text. Pure functions. Every body names the uid or
// the resourceVersion that it is meant for, so that an object of the same name is never hit.
namespace basalt::scheduler {

// POST pods/NAME/binding. `queue_record`: the annotation kBoundQueue, which the API server puts on
// the pod with the node; "": none.
std::string BindingBody(const kube::Pod& pod, std::string_view node,
                        std::string_view queue_record = {});
// POST pods/NAME/eviction
std::string EvictionBody(const kube::Pod& pod);
// Strategic merge patch of a pod: our gate goes, others stay.
std::string UngatePatch(const kube::Pod& pod);

// Which node a claim's provisioner is to make a volume for.
inline constexpr std::string_view kSelectedNodeAnnotation = "volume.kubernetes.io/selected-node";
// Merge patch of persistentvolumes/NAME: it is for the claim. Requires the resourceVersion at which
// it was free.
std::string VolumeForClaimPatch(const model::VolumeChoice& choice);
// Merge patch of persistentvolumeclaims/NAME.
std::string SelectedNodePatch(const model::VolumeChoice& choice, std::string_view node);

struct WaitingStatus {
  std::optional<std::string> nominated_node;  // "": clear it
  std::string evictions = {};                 // the annotation that goes with it; "": none
  struct Condition {
    std::string reason;
    std::string message;
    bool operator==(const Condition&) const = default;
  };
  std::optional<Condition> not_scheduled;  // PodScheduled=False
  bool is_transition = false;              // the condition was not False before

  bool empty() const { return !nominated_node && evictions.empty() && !not_scheduled; }
};
// Strategic merge patch of pods/NAME/status. Nomination, condition and the pods that leave for it
// go in one write, so that no reader sees the one without the other.
std::string WaitingStatusPatch(const kube::Pod& pod, const WaitingStatus& status, Time now);

// Merge patch of podgroups/NAME/status, on top of `group`, whose resourceVersion it requires. ""
// when the group says all of it already.
std::string GroupStatusPatch(const kube::PodGroup& group, const model::GroupStatus& status,
                             Time now);

// Merge patch of queues/NAME/status, of what the scheduler keeps there; the state is its
// controller's. "" when the queue says all of it already.
std::string QueueStatusPatch(const model::QueueStatus& status);

// Merge patch of reservations/NAME/status: all of the status, on top of what the object says now.
std::string ReservationStatusPatch(const kube::Reservation& reservation,
                                   const kube::Reservation::Status& status);

}  // namespace basalt::scheduler
