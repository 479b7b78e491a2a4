// What must hold in a FastCluster: at each bind, and when nothing moves any more.
#include <fmt/format.h>

#include <algorithm>

#include "kube/types/pod_resources.h"
#include "model/annotations.h"
#include "testing/settling/fast_cluster.h"

namespace basalt::testutil {
namespace {

bool HoldsNode(const kube::Pod& pod) { return pod.bound() && !pod.terminal(); }

// Whether the group says that it cannot start, and why.
bool SaysWhyItWaits(const kube::PodGroup& group) {
  return group.phase == kube::PodGroupPhase::kUnknown &&
         std::ranges::any_of(group.conditions, [](const kube::PodGroupCondition& condition) {
           return condition.type == "Unschedulable" &&
                  condition.status == kube::ConditionStatus::kTrue && !condition.message.empty();
         });
}

}  // namespace

// ---- at each bind

void FastCluster::CheckNode(const std::string& name) {
  const auto node = nodes_.find(name);
  if (node == nodes_.end()) return;
  kube::ResourceList used;
  std::int64_t pods = 0;
  for (const auto& [key, pod] : pods_) {
    if (pod->spec.node_name != name || !HoldsNode(*pod)) continue;
    used.Add(kube::PodRequests(*pod));
    ++pods;
  }
  const kube::ResourceList& most = node->second->status.allocatable;
  for (const auto& entry : used) {
    if (entry.quantity > most.Get(entry.name)) {
      Violated(fmt::format("node {} has {} of {} taken, of {}", name, entry.quantity.ToString(),
                           entry.name, most.Get(entry.name).ToString()));
    }
  }
  if (const kube::Quantity* slots = most.Find("pods"); slots && pods > slots->Value()) {
    Violated(fmt::format("node {} has {} pods", name, pods));
  }
}

// A pod counts in its queue as long as it is on its node, also while it leaves.
void FastCluster::CheckQueues() {
  std::map<std::string, kube::ResourceList> used;
  for (const auto& [key, pod] : pods_) {
    if (!HoldsNode(*pod)) continue;
    const auto group = groups_.find(GroupKey(*pod));
    if (group == groups_.end()) continue;
    const kube::ResourceList request = kube::PodRequests(*pod);
    std::string queue = group->second->queue;
    for (int depth = 0; !queue.empty() && depth < 10; ++depth) {
      used[queue].Add(request);
      const auto it = queues_.find(queue);
      queue = it == queues_.end() ? std::string() : it->second->parent;
    }
  }
  for (const auto& [name, sum] : used) {
    const auto queue = queues_.find(name);
    if (queue == queues_.end()) continue;
    for (const auto& most : queue->second->capability) {
      if (sum.Get(most.name) > most.quantity) {
        Violated(fmt::format("queue {} holds {} of {}, of {}", name, sum.Get(most.name).ToString(),
                             most.name, most.quantity.ToString()));
      }
    }
  }
}

// Pods and reservations together never have more than a node, and what was held when the scheduler
// was started is held, or taken.
void FastCluster::CheckHeld(const model::Cluster& cluster) {
  for (const model::NodeId id : cluster.nodes()) {
    for (const int d : {model::kCpu, model::kMemory, model::kPods}) {
      if (cluster.ledger().idle(d, id) < -model::Amounts::kEpsilon) {
        Violated(fmt::format("node {} has less than nothing left", cluster.node(id).name));
      }
    }
  }
  for (const auto& [key, before] : std::exchange(held_at_start_, {})) {
    const auto object = reservations_.find(key);
    if (object == reservations_.end()) continue;
    const kube::ObjectMeta& meta = object->second->meta;
    const model::ReservationRecord* record = cluster.reservations().Find(meta.ns, meta.name);
    if (!record || record->ended) continue;
    for (const kube::Reservation::Placement& placement : before.placements) {
      if (placement.phase != kube::ReservationPhase::kAvailable) continue;
      const bool kept = std::ranges::any_of(record->slots, [&](const model::ReservedSlot& slot) {
        return record->object->tasks[slot.task].name == placement.task &&
               slot.index == placement.index && slot.node == placement.node;
      });
      if (!kept) Violated(fmt::format("{} lost {} at the start", key, placement.node));
    }
  }
}

// ---- when nothing moves any more

void FastCluster::CheckReservations(std::string& out) const {
  const model::Reservations& all = scheduler_->state().cluster().reservations();
  if (all.size() != reservations_.size()) out += "reservations are missing, or too many\n";
  for (const auto& [key, object] : reservations_) {
    const model::ReservationRecord* record = all.Find(object->meta.ns, object->meta.name);
    if (!record) continue;
    const kube::Reservation::Status& says = object->status;
    if (says != record->status) out += fmt::format("{} says something else than is so\n", key);
    if (says.phase == kube::ReservationPhase::kNone) out += fmt::format("{} has no phase\n", key);
    std::int32_t replicas = 0;
    for (const auto& task : object->tasks) replicas += task.replicas;
    if (says.phase != kube::ReservationPhase::kNone &&
        says.pending + says.available + says.succeeded + says.failed != replicas) {
      out += fmt::format("the counts of {} do not add up\n", key);
    }
    const bool over = says.phase == kube::ReservationPhase::kFailed;
    const std::int32_t least = object->min_available.value_or(replicas);
    if (!over && says.available + says.succeeded > 0 && says.available + says.succeeded < least) {
      out += fmt::format("{} holds {} and needs {}\n", key, says.available, least);
    }
  }
}

std::string FastCluster::CheckSettled() const {
  return violations_ + CheckState() + CheckGangs() + CheckEvictions();
}

std::string FastCluster::CheckState() const {
  if (!scheduler_) return "no scheduler runs\n";
  const model::Cluster& cluster = scheduler_->state().cluster();
  std::string out = cluster.CheckLedgers();
  CheckReservations(out);
  cluster.tasks().ForEach([&](const model::Task& task) {
    const model::Job* job = cluster.FindJob(task.job);
    if (job && job->reservation) return;  // it is no pod
    const std::string key = task.ns() + "/" + task.name();
    const kube::Pod* pod = FindPod(key);
    if (!pod || pod->meta.uid != task.uid()) {
      out += fmt::format("{} is in the state alone\n", key);
    } else if (task.status() == model::TaskStatus::kBinding ||
               task.status() == model::TaskStatus::kAllocated) {
      out += fmt::format("{} is {} for ever\n", key, model::ToString(task.status()));
    } else if (task.status() == model::TaskStatus::kReleasing && !pod->meta.deleting()) {
      out += fmt::format("{} is Releasing and nobody deletes it\n", key);
    } else if (pod->status.nominated_node_name != (task.status() == model::TaskStatus::kPipelined
                                                       ? cluster.node(task.node()).name
                                                       : std::string())) {
      out += fmt::format("{} is {} and nominated to '{}'\n", key, model::ToString(task.status()),
                         pod->status.nominated_node_name);
    }
  });
  return out;
}

// No gang starts in part. Volcano's rules for victims (session_view: TierIntersection) let a queue
// take back what it deserves from gangs too; what is left of one runs on, and the group says so.
std::string FastCluster::CheckGangs() const {
  std::string out;
  for (const auto& [key, group] : groups_) {
    int bound = 0;
    for (const auto& [pod_key, pod] : pods_) {
      if (GroupKey(*pod) == key && (HoldsNode(*pod) || pod->terminal())) ++bound;
    }
    if (bound == 0 || bound >= group->min_member) continue;
    const auto last = last_decisions_.find(key);
    if (last == last_decisions_.end() || last->second.eviction <= last->second.bind) {
      out += fmt::format("{} has {} pods on nodes and needs {}\n", key, bound, group->min_member);
    } else if (!SaysWhyItWaits(*group)) {
      out += fmt::format("{} lost pods to evictions, has {} of {} and does not say so\n", key,
                         bound, group->min_member);
    }
  }
  return out;
}

std::string FastCluster::CheckEvictions() const {
  // A disruption budget that refuses one of several makes the others go in vain.
  const bool refused = options_.eviction_failure > 0;
  std::string out;
  std::set<std::pair<std::string, std::string>> pairs;
  // Somebody who came later took from the gang for which it went: that could not be known.
  const auto undone = [&](const Eviction& eviction) {
    const kube::Pod* gainer = FindPod(eviction.beneficiary);
    return gainer && std::ranges::any_of(evictions_, [&](const Eviction& later) {
             return later.cycle > eviction.cycle && later.victim_group == GroupKey(*gainer);
           });
  };
  for (const Eviction& eviction : evictions_) {
    if (!eviction.helped && !refused && !undone(eviction)) {
      out += fmt::format("{} was evicted by {} at {} for {}, which did not run\n", eviction.victim,
                         eviction.reason, eviction.at / 1ms, eviction.beneficiary);
    }
    if (!pairs.emplace(eviction.victim, eviction.beneficiary).second) {
      out += fmt::format("{} was evicted twice for {}\n", eviction.victim, eviction.beneficiary);
    }
  }
  return out;
}

}  // namespace basalt::testutil
