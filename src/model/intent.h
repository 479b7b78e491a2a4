#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "kube/types/pod.h"
#include "kube/types/reservation.h"
#include "kube/types/scheduling.h"
#include "model/ids.h"
#include "model/status.h"

namespace basalt::model {

// What a cycle decided and the API server must learn. Values. The state has it already; an intent
// that fails comes back as an event that corrects the state.

// A claim that waited for its pod's node, and how it gets its volume now.
struct VolumeChoice {
  std::string ns, claim;
  std::string claim_uid;
  std::string volume;  // a volume that is there; "": the claim's provisioner makes one
  std::string volume_version;
  bool prebound = false;  // the volume names the claim already
  bool operator==(const VolumeChoice&) const = default;
};

struct Bind {
  TaskId task;
  std::shared_ptr<const kube::Pod> pod;
  std::string node;
  std::string queue = {};                  // in which it is from now on, whatever it says later
  std::vector<VolumeChoice> volumes = {};  // to be bound before the pod
};

// A pod is to leave.
struct Evict {
  TaskId task;
  std::shared_ptr<const kube::Pod> pod;
  std::string reason;       // the action: "preempt", "reclaim", …
  std::string beneficiary;  // "ns/name" of the pod it goes for; "" where there is none
  std::string beneficiary_uid;
};

// A node is promised to a pod, or is no longer: status.nominatedNodeName, the PodScheduled
// condition that goes with it in one write, and once these stand, the pods that leave for it.
struct Promise {
  TaskId task;
  std::shared_ptr<const kube::Pod> pod;
  std::string node;         // "": none any more
  std::string reason = {};  // of the condition; "": none, for a gated pod
  std::string message = {};
  std::string evictions = {};  // the annotation kEvictions; "": as it is
  std::vector<Evict> victims = {};
};

// The queue-allocation gate goes.
struct Ungate {
  TaskId task;
  std::shared_ptr<const kube::Pod> pod;
};

// The PodScheduled condition of a pod that waits.
struct PodWaits {
  TaskId task;
  std::shared_ptr<const kube::Pod> pod;
  std::string reason;
  std::string message;
};

// Something that people should hear about a pod.
struct PodEvent {
  std::shared_ptr<const kube::Pod> pod;
  bool warning = false;
  std::string reason;
  std::string message;
};

inline PodEvent Warning(std::shared_ptr<const kube::Pod> pod, std::string_view reason,
                        std::string message) {
  return {std::move(pod), true, std::string(reason), std::move(message)};
}

struct GroupCondition {
  std::string type;
  std::string reason;
  std::string message;
  bool operator==(const GroupCondition&) const = default;
};

struct GroupStatus {
  JobId job;
  std::shared_ptr<const kube::PodGroup> group;
  JobPhase phase = JobPhase::kPending;
  std::int32_t running = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  // To be set; those that they exclude go (group_condition.h), the others stay.
  std::vector<GroupCondition> conditions;
  std::string transition_id = {};  // of those that change
};

// What a queue's status says of its groups and of what they hold.
struct QueueStatus {
  std::shared_ptr<const kube::Queue> queue;
  kube::ResourceList allocated;
  std::int32_t unknown = 0;
  std::int32_t pending = 0;
  std::int32_t running = 0;
  std::int32_t inqueue = 0;
  std::int32_t completed = 0;
  // What reservations hold and no pod has taken: status.reservation.
  std::vector<std::string> reserved_nodes = {};
  kube::ResourceList reserved = {};
};

// Something that people should hear about a queue.
struct QueueEvent {
  std::shared_ptr<const kube::Queue> queue;
  std::string reason;
  std::string message;
};

// What a reservation's status is to say, all of it.
struct ReservationStatus {
  std::shared_ptr<const kube::Reservation> reservation;
  kube::Reservation::Status status;
  bool phase_changed = false;  // people should hear of it
};

using Intent = std::variant<Bind, Evict, Promise, Ungate, PodWaits, PodEvent, GroupStatus,
                            QueueStatus, QueueEvent, ReservationStatus>;

// Calls fn(evict) for each pod that is to leave, with a promise or without.
template <class Fn>
void ForEachEviction(const Intent& intent, Fn fn) {
  if (const auto* evict = std::get_if<Evict>(&intent)) fn(*evict);
  if (const auto* promise = std::get_if<Promise>(&intent)) {
    for (const Evict& victim : promise->victims) fn(victim);
  }
}

}  // namespace basalt::model
