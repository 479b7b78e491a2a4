#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "kube/types/pod.h"
#include "model/ids.h"
#include "model/status.h"
#include "model/task_class.h"

namespace basalt::model {

// Where a task stands and what it holds. A task holds at most one claim: of its queue (pending,
// with queue_claim), of a node's future room (pipelined), or of a node. Beside a node queue_claim
// is no claim: it says that the task had one, and has it again when it loses the node.
//
//   pending --+----------------+--> allocated --> binding --> bound, running --> releasing --> gone
//             +--> pipelined --+
//
// The steps of a pod's task, flags in brackets. The functions are those of Statement (in a cycle)
// and of ClusterState; "the watch" is ClusterState::Set, whose Reconcile keeps what the API server
// has not heard of yet: a bind, a promise or an eviction under way.
//
//   from                   to                           by
//   (new)                  what the pod says            the watch
//   (new)                  pipelined [restored]         the watch: Restored, if it was nominated
//   pending                pending [queue_claim]        GrantQueueClaim; the watch: the gate went
//   pending [queue_claim]  pending [lapsed]             LapseQueueClaim
//   pending                pipelined [after_eviction]   Pipeline; the flag if pods leave for it
//   pending, pipelined     allocated                    Allocate
//   allocated              pipelined                    Pipeline, while its gang cannot start
//   pipelined              pending                      Unallocate; Remove, of its node
//   pipelined              pipelined [restored]         EvictionFailed, of a task on its node
//   pipelined [restored]   pipelined [after_eviction]   Pipeline, in the next cycle
//   allocated              binding                      Commit (Session::CarryBind)
//   binding                bound, running               the watch
//   binding                pending                      BindFailed
//   binding                pending [resting]            BindFailed, refused again; until EndRest
//   binding                pipelined [restored]         BindFailed, of a gang that has started
//   bound, running         releasing                    Evict; the watch
//   releasing              releasing [overdue]          MarkOverdue
//   releasing              what the pod says            EvictionFailed
//   any                    succeeded, failed, unknown   the watch; releasing too, if it is deleted
//   any                    gone                         Remove, of its pod
//   any                    unknown                      Vanish, in a trial that is taken back
//   any                    what it was before           Discard, RollbackTo, Restore
//
// The task of a reservation has no pod. It goes from allocated to bound at once, and further:
//
//   bound                  succeeded                    Release: a pod takes its place
//   succeeded              bound, pending, failed       Reservations::GiveBack: that pod does not
//   bound                  pending                      Unallocate: its node cannot be used
//   all but succeeded      failed                       Reservations::EndDue
//   pending                bound, succeeded, failed     Reservations::Restore, after a restart
//   pending                pipelined [restored]         Reservations::Restore, after a restart
struct Holding {
  TaskStatus status = TaskStatus::kPending;
  NodeId node;
  bool queue_claim = false;
  bool after_eviction = false;  // pipelined, and pods were evicted for it, or may have been
  bool restored = false;        // pipelined, and no cycle has looked at it since (see above)
  bool overdue = false;         // releasing, for so long that its room is not counted on any more
  // Pending: it had a queue claim and gave it up, having found no node for too long, or because its
  // queue cannot take its gang as a whole. It counts for nothing in its queue until a node fits.
  bool lapsed = false;
  // Pending: its last bind was refused, and it is not tried again yet. Its room is for others.
  bool resting = false;

  bool operator==(const Holding&) const = default;
};

// Whether the holding takes room on its node, now or in future.
constexpr bool OccupiesNode(const Holding& holding) {
  return holding.node.valid() && holding.status != TaskStatus::kPending &&
         !IsCompleted(holding.status);
}

// Gates that keep a pod from being scheduled.
enum class Gate : std::uint8_t {
  kNone,
  kQueue,    // only the queue-allocation gate
  kForeign,  // at least one that is not ours
};

// Whether the pod asks to be held back by the queue-allocation gate while it waits for its queue.
bool OptsInToGate(const kube::Pod& pod);

// A pod, as the scheduler sees it. Owned by the Cluster; its holding changes through Cluster's
// Withdraw and Enter alone, which Move, SetPod and Correct call.
struct Task {
  TaskId id;
  JobId job;               // none: a pod that we only count on its node
  std::uint32_t role = 0;  // index of its role in the job
  Holding holding{.status = TaskStatus::kUnknown};

  std::shared_ptr<const kube::Pod> pod;
  const TaskClass* task_class = nullptr;

  std::int32_t priority = 1;
  // Last part of the pod's name, where the name has three or more and this one is a number.
  std::optional<std::int32_t> index;
  Gate gate = Gate::kNone;
  bool opted_in = false;  // to the queue-allocation gate
  bool ungating = false;  // the gate's removal is under way
  // Since when it has had a queue claim and no node.
  Time claimed_since{};
  bool preemptable = true;
  bool names_reservation = false;  // by the pod's own annotation

  // Places in the lists of its job and its node.
  std::uint32_t job_place = 0;
  std::uint32_t node_place = 0;
  std::uint32_t terms_place = 0;
  std::uint32_t class_place = 0;  // among the placed tasks of its class
  std::uint32_t claim_place = 0;  // in the cluster's list of tasks that leave, or are promised

  // The queue's gate is all that holds it back, and admission may take it away.
  bool waits_at_gate() const { return gate == Gate::kQueue && opted_in; }
  // A cycle may look for a node for it.
  bool may_be_placed() const {
    return (gate == Gate::kNone || waits_at_gate()) && !holding.resting;
  }
  // Pending, having been placed or promised: a task that its queue admitted stays admitted, also
  // one that did not opt in itself and was admitted with its gang.
  Holding PendingAgain() const { return {.queue_claim = opted_in || holding.queue_claim}; }

  TaskStatus status() const { return holding.status; }
  NodeId node() const { return holding.node; }
  const Amounts& request() const { return task_class->request; }
  bool best_effort() const { return task_class->best_effort; }
  const std::string& name() const { return pod->meta.name; }
  const std::string& ns() const { return pod->meta.ns; }
  const std::string& uid() const { return pod->meta.uid; }
};

// What the pod says about the task.
std::int32_t TaskPriority(const kube::Pod& pod);
bool IsTaskPreemptable(const kube::Pod& pod);
std::string_view TaskRole(const kube::Pod& pod);
Gate GateOf(const kube::Pod& pod);
std::optional<std::int32_t> TaskIndex(const kube::Pod& pod);
// As the API server sees it: never kAllocated, kPipelined or kBinding.
TaskStatus StatusOf(const kube::Pod& pod);

// Total order of last resort: by index in the job (those without one last), then age, then uid.
bool TaskBefore(const Task& a, const Task& b);

}  // namespace basalt::model
