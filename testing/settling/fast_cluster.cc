#include "testing/settling/fast_cluster.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "kube/types/pod_resources.h"
#include "model/annotations.h"

namespace basalt::testutil {
namespace {

using kube::InformerEvent;
using kube::InformerEventKind;
using scheduler::Outcome;

std::string GroupKey(const kube::Pod& pod) {
  return pod.meta.ns + "/" + std::string(pod.meta.annotations.Get(model::annotations::kGroupName));
}

bool HoldsNode(const kube::Pod& pod) { return pod.bound() && !pod.terminal(); }

kube::PodGroupPhase ToPhase(model::JobPhase phase) {
  switch (phase) {
    case model::JobPhase::kPending: return kube::PodGroupPhase::kPending;
    case model::JobPhase::kInqueue: return kube::PodGroupPhase::kInqueue;
    case model::JobPhase::kRunning: return kube::PodGroupPhase::kRunning;
    case model::JobPhase::kUnknown: return kube::PodGroupPhase::kUnknown;
    case model::JobPhase::kCompleted: return kube::PodGroupPhase::kCompleted;
  }
  return kube::PodGroupPhase::kNone;
}

}  // namespace

FastCluster::FastCluster(FastClusterOptions options)
    : options_(std::move(options)), random_(options_.seed) {
  StartScheduler();
}

FastCluster::~FastCluster() = default;

Duration FastCluster::Latency() {
  const auto most = options_.most_latency.count();
  return most <= 0 ? Duration{0} : Duration(random_.Below(most + 1));
}

void FastCluster::After(Duration delay, std::function<void()> what) {
  loop_.Schedule(delay, scope_.Guard(std::move(what)));
}

void FastCluster::Violated(std::string what) {
  violations_ += fmt::format("at {}: {}\n", loop_.elapsed() / 1ms, what);
}

void FastCluster::Trace(const std::string& what) {
  if (options_.trace) {
    trace_ +=
        fmt::format("{:6} cycle {:3}  {}\n", loop_.elapsed() / 1ms, scheduler_->cycles(), what);
  }
}

void FastCluster::StartScheduler() {
  scheduler_ = std::make_unique<scheduler::Scheduler>(loop_, options_.scheduler,
                                                      [this](std::vector<model::Intent> intents) {
                                                        for (const model::Intent& intent : intents)
                                                          Carry(intent);
                                                      });
  const Result<void> configured = scheduler_->Configure(options_.config);
  BASALT_CHECK(configured.has_value());
  const auto all = [this](const auto& objects) {
    for (const auto& [key, object] : objects) Tell({}, object);
  };
  all(nodes_);
  all(queues_);
  all(priority_classes_);
  all(groups_);
  all(pods_);
  scheduler_->Start();
}

void FastCluster::RestartScheduler() {
  process_.Reset();
  scheduler_.reset();
  StartScheduler();
}

template <class T>
void FastCluster::Tell(std::shared_ptr<const T> old, std::shared_ptr<const T> object) {
  const auto kind = !object ? InformerEventKind::kDeleted
                    : old   ? InformerEventKind::kUpdated
                            : InformerEventKind::kAdded;
  scheduler_->Apply(
      InformerEvent<T>{.kind = kind, .old_object = std::move(old), .object = std::move(object)});
}

#define BASALT_ADD(Type, member)                                                    \
  void FastCluster::Add(kube::Type object) {                                        \
    if (object.meta.uid.empty()) object.meta.uid = fmt::format("u{}", next_uid_++); \
    auto shared = std::make_shared<const kube::Type>(std::move(object));            \
    auto& slot = member[shared->meta.Key()];                                        \
    const auto old = std::exchange(slot, shared);                                   \
    Tell(old, shared);                                                              \
  }
BASALT_ADD(Node, nodes_)
BASALT_ADD(Queue, queues_)
BASALT_ADD(PriorityClass, priority_classes_)
BASALT_ADD(PodGroup, groups_)
#undef BASALT_ADD

void FastCluster::Add(kube::Pod pod) {
  pod.meta.uid = fmt::format("u{}", next_uid_++);
  pod.meta.creation_timestamp = loop_.Now();
  if (options_.trace) {
    Trace(fmt::format("pod {} cpu {} priority {} of {}", pod.meta.name,
                      kube::PodRequests(pod).Get("cpu").ToString(), pod.spec.priority.value_or(0),
                      GroupKey(pod)));
  }
  SetPod(std::move(pod));
}

void FastCluster::SetPod(kube::Pod pod) {
  auto shared = std::make_shared<const kube::Pod>(std::move(pod));
  auto& slot = pods_[shared->meta.Key()];
  const auto old = std::exchange(slot, shared);
  Tell(old, shared);
}

void FastCluster::ErasePod(const std::string& key) {
  const auto it = pods_.find(key);
  if (it == pods_.end()) return;
  const auto old = it->second;
  pods_.erase(it);
  Tell(old, std::shared_ptr<const kube::Pod>());
}

void FastCluster::DeletePod(const std::string& key) { ErasePod(key); }

void FastCluster::RemoveNode(const std::string& name) {
  const auto it = nodes_.find(name);
  if (it == nodes_.end()) return;
  const auto old = it->second;
  nodes_.erase(it);
  Tell(old, std::shared_ptr<const kube::Node>());
  // Its pods go with it.
  std::vector<std::string> gone;
  for (const auto& [key, pod] : pods_) {
    if (pod->spec.node_name == name) gone.push_back(key);
  }
  for (const std::string& key : gone) ErasePod(key);
}

const kube::Pod* FastCluster::FindPod(const std::string& key) const {
  const auto it = pods_.find(key);
  return it == pods_.end() ? nullptr : it->second.get();
}

// ---- what the scheduler decides

void FastCluster::Carry(const model::Intent& intent) {
  if (const auto* bind = std::get_if<model::Bind>(&intent)) {
    Trace("decided: bind " + bind->pod->meta.name + " to " + bind->node);
    After(Latency(), [this, bind = *bind] { Bind(bind); });
  } else if (const auto* evict = std::get_if<model::Evict>(&intent)) {
    Trace("decided: " + evict->reason + " evicts " + evict->pod->meta.name + " on " +
          evict->pod->spec.node_name + " for " + evict->beneficiary);
    last_eviction_cycle_ = scheduler_->cycles();
    evicting_.insert(evict->pod->meta.uid);
    After(Latency(), [this, evict = *evict] { Evict(evict); });
  } else if (const auto* nominate = std::get_if<model::Nominate>(&intent)) {
    Trace("decided: nominate " + nominate->pod->meta.name + " to '" + nominate->node + "'");
    After(Latency(), [this, nominate = *nominate] { Nominate(nominate); });
  } else if (const auto* status = std::get_if<model::GroupStatus>(&intent)) {
    if (options_.trace) {
      Trace(fmt::format("decided: group {} is {}", status->group->meta.name,
                        model::ToString(status->phase)));
      for (const auto& c : status->conditions)
        Trace("   " + c.type + " " + c.reason + ": " + c.message);
    }
    After(Latency(), [this, status = *status] {
      const auto it = groups_.find(status.group->meta.Key());
      if (it == groups_.end()) return;
      kube::PodGroup group = *it->second;
      group.phase = ToPhase(status.phase);
      group.running = status.running;
      group.succeeded = status.succeeded;
      group.failed = status.failed;
      for (const model::GroupCondition& wanted : status.conditions) {
        std::erase_if(group.conditions, [&](const auto& c) { return c.type == wanted.type; });
        group.conditions.push_back({.type = wanted.type,
                                    .status = kube::ConditionStatus::kTrue,
                                    .reason = wanted.reason,
                                    .message = wanted.message});
      }
      Add(std::move(group));
    });
  } else if (const auto* waits = std::get_if<model::PodWaits>(&intent)) {
    Trace("decided: pod " + waits->pod->meta.name + " waits: " + waits->message);
    After(Latency(), [this, waits = *waits] {
      const kube::Pod* known = FindPod(waits.pod->meta.Key());
      if (!known || known->meta.uid != waits.pod->meta.uid || known->bound()) return;
      kube::Pod pod = *known;
      std::erase_if(pod.status.conditions, [](const auto& c) { return c.type == "PodScheduled"; });
      pod.status.conditions.push_back({.type = "PodScheduled",
                                       .status = kube::ConditionStatus::kFalse,
                                       .reason = waits.reason,
                                       .message = waits.message});
      SetPod(std::move(pod));
    });
  } else if (const auto* ungate = std::get_if<model::Ungate>(&intent)) {
    After(Latency(), [this, ungate = *ungate] {
      const kube::Pod* known = FindPod(ungate.pod->meta.Key());
      if (!known || known->meta.uid != ungate.pod->meta.uid) return;
      kube::Pod pod = *known;
      std::erase(pod.spec.scheduling_gates, model::annotations::kQueueAllocationGate);
      SetPod(std::move(pod));
      Report({.kind = Outcome::Kind::kUngate, .task = ungate.task, .uid = ungate.pod->meta.uid});
    });
  }
}

void FastCluster::Report(Outcome outcome) {
  loop_.Schedule(Latency(), process_.Guard([this, outcome = std::move(outcome)] {
    scheduler_->Apply(outcome);
  }));
}

void FastCluster::Bind(const model::Bind& bind) {
  const std::string key = bind.pod->meta.Key();
  Outcome outcome{.kind = Outcome::Kind::kBind, .task = bind.task, .uid = bind.pod->meta.uid};
  const kube::Pod* known = FindPod(key);
  const auto refuse = [&](std::string why) {
    Trace("bind of " + key + " refused: " + why);
    outcome.result =
        std::unexpected(Error{.code = ErrorCode::kConflict, .message = std::move(why)});
    Report(std::move(outcome));
  };
  if (!known || known->meta.uid != bind.pod->meta.uid) return refuse("gone");
  if (known->meta.deleting()) return refuse("is being deleted");
  if (known->bound()) {
    if (known->spec.node_name != bind.node) Violated(key + " was to be bound to a second node");
    return refuse("is bound already");
  }
  if (!known->spec.scheduling_gates.empty()) return refuse("has gates");
  if (random_.Chance(options_.bind_failure)) return refuse("as the test wants it");
  ++binds_;
  kube::Pod pod = *known;
  pod.spec.node_name = bind.node;
  pod.status.nominated_node_name.clear();
  pod.status.phase = kube::PodPhase::kRunning;
  pod.status.start_time = loop_.Now();
  pod.status.conditions.clear();
  for (Eviction& eviction : evictions_) {
    if (eviction.beneficiary == key) eviction.helped = true;
  }
  SetPod(std::move(pod));
  CheckNode(bind.node);
  CheckQueues();
  Report(std::move(outcome));
}

void FastCluster::Evict(const model::Evict& evict) {
  const std::string key = evict.pod->meta.Key();
  Outcome outcome{.kind = Outcome::Kind::kEvict, .task = evict.task, .uid = evict.pod->meta.uid};
  const kube::Pod* known = FindPod(key);
  if (known && known->meta.uid == evict.pod->meta.uid && !known->meta.deleting()) {
    if (random_.Chance(options_.eviction_failure)) {
      Trace("eviction of " + key + " refused");
      evicting_.erase(known->meta.uid);
      outcome.result = std::unexpected(
          Error{.code = ErrorCode::kTooManyRequests, .message = "a disruption budget says no"});
      return Report(std::move(outcome));
    }
    evictions_.push_back({.victim = key,
                          .victim_group = GroupKey(*known),
                          .beneficiary = evict.beneficiary,
                          .reason = evict.reason,
                          .at = loop_.elapsed(),
                          .cycle = scheduler_->cycles()});
    broken_up_.insert(GroupKey(*known));
    kube::Pod pod = *known;
    pod.meta.deletion_timestamp = loop_.Now() + options_.grace;
    SetPod(std::move(pod));
    After(options_.grace, [this, key, uid = evict.pod->meta.uid] {
      const kube::Pod* gone = FindPod(key);
      if (!gone || gone->meta.uid != uid) return;
      kube::Pod again = *gone;
      Trace("gone: " + key);
      ErasePod(key);
      if (!options_.recreate) return;
      again.meta.deletion_timestamp.reset();
      again.spec.node_name.clear();
      again.status = {};
      After(Latency(), [this, again = std::move(again)] { Add(again); });
    });
  }
  Report(std::move(outcome));
}

void FastCluster::Nominate(const model::Nominate& nominate) {
  const kube::Pod* known = FindPod(nominate.pod->meta.Key());
  if (!known || known->meta.uid != nominate.pod->meta.uid || known->bound()) return;
  kube::Pod pod = *known;
  pod.status.nominated_node_name = nominate.node;
  SetPod(std::move(pod));
}

// ---- what must hold

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

void FastCluster::CheckQueues() {
  std::map<std::string, kube::ResourceList> used;
  for (const auto& [key, pod] : pods_) {
    // As in Volcano a pod whose eviction is under way has left its queue.
    if (!HoldsNode(*pod) || pod->meta.deleting() || evicting_.contains(pod->meta.uid)) continue;
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

std::string FastCluster::CheckSettled() const {
  std::string out = violations_;
  // Where writes fail, one may succeed and another that it needs may not: a gang may be there in
  // part, and somebody may have gone in vain.
  const bool writes_fail = options_.bind_failure > 0 || options_.eviction_failure > 0;
  const model::Cluster& cluster = scheduler_->state().cluster();
  out += cluster.CheckLedgers();
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
  // Volcano's rules for victims can break a gang (session_view: TierIntersection); what is left of
  // it runs on.
  std::set<std::string> robbed;
  for (const Eviction& eviction : evictions_) robbed.insert(eviction.victim_group);
  for (const auto& [key, group] : groups_) {
    if (robbed.contains(key)) continue;
    int bound = 0;
    for (const auto& [pod_key, pod] : pods_) {
      if (GroupKey(*pod) == key && (HoldsNode(*pod) || pod->terminal())) ++bound;
    }
    // Policies may break up a gang for a better one; no gang starts in part.
    if (bound > 0 && bound < group->min_member && !writes_fail && !broken_up_.contains(key)) {
      out += fmt::format("{} has {} pods on nodes and needs {}\n", key, bound, group->min_member);
    }
  }
  std::set<std::pair<std::string, std::string>> pairs;
  for (const Eviction& eviction : evictions_) {
    if (!eviction.helped && !writes_fail) {
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
