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

// ---- when nothing moves any more

std::string FastCluster::CheckSettled() const {
  return violations_ + CheckState() + CheckGangs() + CheckEvictions();
}

std::string FastCluster::CheckState() const {
  if (!scheduler_) return "no scheduler runs\n";
  const model::Cluster& cluster = scheduler_->state().cluster();
  std::string out = cluster.CheckLedgers();
  cluster.tasks().ForEach([&](const model::Task& task) {
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
  for (const Eviction& eviction : evictions_) {
    if (!eviction.helped && !refused) {
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
