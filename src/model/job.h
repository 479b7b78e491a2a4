#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "kube/types/scheduling.h"
#include "model/ids.h"
#include "model/resource_sum.h"
#include "model/status.h"

namespace basalt::model {

struct ReservationRecord;

// How many tasks stand where. A value.
class StatusCounts {
 public:
  std::int32_t operator[](TaskStatus status) const { return counts_[static_cast<int>(status)]; }
  std::int32_t total() const { return total_; }
  // Allocated, or done: what a gang counts as there.
  std::int32_t Ready() const { return Allocated() + (*this)[TaskStatus::kSucceeded]; }
  std::int32_t Allocated() const {
    return (*this)[TaskStatus::kAllocated] + (*this)[TaskStatus::kBinding] +
           (*this)[TaskStatus::kBound] + (*this)[TaskStatus::kRunning];
  }
  // Ready, or may become so.
  std::int32_t Valid() const {
    return Ready() + (*this)[TaskStatus::kPipelined] + (*this)[TaskStatus::kPending];
  }
  void Change(TaskStatus status, int by) {
    counts_[static_cast<int>(status)] += by;
    total_ += by;
  }

 private:
  std::array<std::int32_t, kTaskStatuses> counts_{};
  std::int32_t total_ = 0;
};

// The tasks of one kind in a job ("master", "worker"; "" where pods name none).
struct Role {
  std::string name;
  std::int32_t min_available = 0;
  StatusCounts counts;
  std::int32_t pending_best_effort = 0;
};

// A PodGroup and its tasks. Owned by the Cluster, which alone changes it. A group that pods name
// and that does not exist (yet) has no object.
//
// A pod that belongs to no group has a shadow: a group of one that exists in the state alone, comes
// and goes with its pod and is never written. Pods that look alike share its object, which
// therefore has no name, uid or age of its own: ask the Job for these, never `group->meta`.
//
// The questions about readiness are Volcano's (api.JobInfo): pending best-effort tasks count as
// ready, since they need no room; minima of roles are not looked at where they add up to more than
// the job's own minimum.
struct Job {
  JobId id;
  std::string ns;
  std::string name;
  std::shared_ptr<const kube::PodGroup> group;  // nullptr: it does not exist
  QueueId queue;                                // none: no group, and no task on a node
  bool shadow = false;
  // In which order jobs came to be known. Of jobs that were created in the same second the first
  // known is served first: the API server tells no more.
  std::uint64_t arrival = 0;
  Time shadow_created{};  // of a shadow: when its pod was created

  std::int32_t priority = 0;
  std::int32_t min_available = 0;
  std::optional<Amounts> min_resources;
  // The group's minimum names a resource that no node and no queue offers.
  bool unknown_min_resource = false;
  JobPhase phase = JobPhase::kPending;
  // When a cycle first saw it.
  std::optional<Time> schedule_start;

  std::vector<Role> roles;
  std::int64_t role_min_total = 0;
  StatusCounts counts;
  std::int32_t pending_best_effort = 0;
  std::int32_t pending_opted_in = 0;  // pending tasks that opted in to the queue-allocation gate
  std::int32_t queue_claims = 0;      // pending tasks that their queue has admitted
  std::int32_t pending_naming = 0;    // pending tasks whose pods name a reservation
  bool group_names_reservation = false;

  // The tasks that wait, those that are promised a node, and the rest; in no order.
  std::vector<TaskId> pending;
  std::vector<TaskId> pipelined;
  std::vector<TaskId> others;

  ResourceSum allocated;      // node claims
  ResourceSum promised;       // promises
  ResourceSum total_request;  // of all its tasks
  // Of pending tasks that cannot take anything for now: a gate that is not ours holds them back,
  // their queue claim has lapsed, or their bind was refused.
  ResourceSum held_back;
  // What it adds to its queue's ledger beside its tasks.
  Amounts in_queue;
  Amounts elastic;
  bool in_queue_of_all = false;  // in_queue is in the Cluster's total too

  // An event has changed what its status should say, and no session has closed since.
  bool changed = false;

  std::uint32_t queue_place = 0;
  // The one of the Cluster's lists that it is in, and its place there.
  enum class List : std::uint8_t { kNone, kActive, kGroupless };
  List list = List::kNone;
  std::uint32_t list_place = 0;
  // The bucket in which it waits (Parking), 0: it is not parked, and its place there; the bucket
  // out of which it was woken.
  std::uint64_t parked_in = 0;
  Time parked_created{};
  std::uint64_t woken_from = 0;
  // Woken because it was time to look at everything, not because of an event.
  bool checked = false;
  bool parked() const { return parked_in != 0; }

  // What it is the job of; nullptr: of pods. Its tasks hold room and never become pods; its group
  // is none that exists.
  ReservationRecord* reservation = nullptr;
  // A reservation for a pod that is to be moved: what it holds and asks for counts in no queue,
  // since the pod's does (ReservationMoves).
  bool counts_with_pod = false;
  // Pods of it that wait may use one reservation alone.
  bool NamesReservation() const {
    return pending_naming > 0 || (group_names_reservation && !pending.empty());
  }

  bool exists() const { return group != nullptr; }
  // Some of its tasks have nodes, or are on their way there or away.
  bool HoldsNodes() const { return counts.Allocated() + counts[TaskStatus::kReleasing] > 0; }
  std::string key() const { return ns + "/" + name; }
  Time created() const {
    if (shadow) return shadow_created;
    return group ? group->meta.creation_timestamp : Time{};
  }
  // Its group is an object at the API server: others know of it.
  bool has_object() const { return exists() && !shadow && !reservation; }
  const std::string& uid() const;  // of a shadow its name

  std::int32_t ready_tasks() const { return counts.Ready(); }
  std::int32_t waiting_tasks() const { return counts[TaskStatus::kPipelined]; }
  std::int32_t valid_tasks() const { return counts.Valid(); }
  bool IsPending() const { return phase == JobPhase::kPending; }

  bool IsReady() const { return ready_tasks() + pending_best_effort >= min_available; }
  bool IsPipelined() const {
    return waiting_tasks() + ready_tasks() + pending_best_effort >= min_available;
  }
  bool IsStarving() const { return waiting_tasks() + ready_tasks() < min_available; }
  // Every role has as many tasks as it needs: at all, placed, placed or promised.
  bool RolesAreValid() const;
  bool RolesAreReady() const;
  bool RolesArePipelined() const;
  bool RolesCount() const { return min_available >= role_min_total; }
};

}  // namespace basalt::model
