#include "testing/settling/fast_cluster.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "kube/types/pod_resources.h"
#include "model/annotations.h"
#include "model/group_condition.h"

namespace basalt::testutil {
namespace {

using model::Outcome;

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

void SetNotScheduled(kube::Pod& pod, const std::string& reason, const std::string& message) {
  std::erase_if(pod.status.conditions, [](const auto& c) { return c.type == "PodScheduled"; });
  pod.status.conditions.push_back({.type = "PodScheduled",
                                   .status = kube::ConditionStatus::kFalse,
                                   .reason = reason,
                                   .message = message});
}

}  // namespace

std::string GroupKey(const kube::Pod& pod) {
  return pod.meta.ns + "/" + std::string(pod.meta.annotations.Get(model::annotations::kGroupName));
}

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
    trace_ += fmt::format("{:6} cycle {:3}  {}\n", loop_.elapsed() / 1ms, cycles(), what);
  }
}

void FastCluster::StartScheduler() {
  const auto carry = [this](std::vector<model::Intent> intents) {
    for (const model::Intent& intent : intents) Carry(intent);
  };
  scheduler::SchedulerOptions options = options_.scheduler;
  options.after_action = [this](const model::Cluster& cluster, std::string_view action) {
    const std::string wrong = cluster.CheckLedgers();
    if (!wrong.empty()) Violated(fmt::format("after {} the books are wrong: {}", action, wrong));
    CheckHeld(cluster);
  };
  scheduler_ = std::make_unique<scheduler::Scheduler>(loop_, std::move(options), carry);
  const Result<void> configured = scheduler_->Configure(options_.config);
  BASALT_CHECK(configured.has_value());
  const auto all = [this](const auto& objects) {
    for (const auto& [key, object] : objects) Tell({}, object);
  };
  all(nodes_);
  all(queues_);
  all(priority_classes_);
  all(namespaces_);
  all(quotas_);
  all(budgets_);
  all(claims_);
  all(volumes_);
  all(storage_classes_);
  all(groups_);
  all(pods_);
  all(reservations_);
  held_at_start_.clear();
  for (const auto& [key, object] : reservations_) held_at_start_[key] = object->status;
  scheduler_->Start();
}

void FastCluster::RestartScheduler() {
  if (!scheduler_) return;
  Trace("the scheduler dies");
  process_.Reset();
  earlier_cycles_ += scheduler_->cycles();
  scheduler_.reset();
  After(options_.most_latency + 1ms, [this] {
    StartScheduler();
    Trace("another scheduler starts");
  });
}

std::uint64_t FastCluster::cycles() const {
  return earlier_cycles_ + (scheduler_ ? scheduler_->cycles() : 0);
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
BASALT_ADD(Reservation, reservations_)
BASALT_ADD(Namespace, namespaces_)
BASALT_ADD(ResourceQuota, quotas_)
BASALT_ADD(PodDisruptionBudget, budgets_)
BASALT_ADD(PersistentVolumeClaim, claims_)
BASALT_ADD(PersistentVolume, volumes_)
BASALT_ADD(StorageClass, storage_classes_)
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

void FastCluster::DeleteReservation(const std::string& key) {
  const auto it = reservations_.find(key);
  if (it == reservations_.end()) return;
  Trace("deleted: reservation " + key);
  NoteHelped(key);
  const auto old = it->second;
  reservations_.erase(it);
  Tell(old, std::shared_ptr<const kube::Reservation>());
}

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
  if (options_.heard) options_.heard(intent);
  model::ForEachEviction(intent, [this](const model::Evict& evict) {
    Trace("decided: " + evict.reason + " evicts " + evict.pod->meta.name + " on " +
          evict.pod->spec.node_name + " for " + evict.beneficiary);
    last_eviction_cycle_ = cycles();
    last_decisions_[GroupKey(*evict.pod)].eviction = ++decisions_;
  });
  if (const auto* bind = std::get_if<model::Bind>(&intent)) {
    Trace("decided: bind " + bind->pod->meta.name + " to " + bind->node);
    last_decisions_[GroupKey(*bind->pod)].bind = ++decisions_;
    After(Latency(), [this, bind = *bind] { Bind(bind); });
  } else if (const auto* evict = std::get_if<model::Evict>(&intent)) {
    After(Latency(), [this, evict = *evict] { Evict(evict); });
  } else if (const auto* promise = std::get_if<model::Promise>(&intent)) {
    Trace("decided: promise " + promise->pod->meta.name + " '" + promise->node + "'");
    SendPromise(*promise);
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
        std::erase_if(group.conditions, [&](const auto& c) {
          return c.type == wanted.type || c.type == model::ExcludedBy(wanted.type);
        });
        group.conditions.push_back({.type = wanted.type,
                                    .status = kube::ConditionStatus::kTrue,
                                    .reason = wanted.reason,
                                    .message = wanted.message});
      }
      Add(std::move(group));
    });
  } else if (const auto* held = std::get_if<model::ReservationStatus>(&intent)) {
    Trace(fmt::format("decided: reservation {} is {}", held->reservation->meta.name,
                      ToString(held->status.phase)));
    After(Latency(), [this, held = *held] { WriteStatus(held); });
  } else if (const auto* waits = std::get_if<model::PodWaits>(&intent)) {
    Trace("decided: pod " + waits->pod->meta.name + " waits: " + waits->message);
    After(Latency(), [this, waits = *waits] {
      const kube::Pod* known = FindPod(waits.pod->meta.Key());
      if (!known || known->meta.uid != waits.pod->meta.uid || known->bound()) return;
      kube::Pod pod = *known;
      SetNotScheduled(pod, waits.reason, waits.message);
      SetPod(std::move(pod));
    });
  } else if (const auto* ungate = std::get_if<model::Ungate>(&intent)) {
    // As the writers do: before the pod's bind.
    After(Duration{0}, [this, ungate = *ungate] {
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
  if (!scheduler_) return;  // who asked for it is dead
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
  // As the writers do: the queue's own gate goes with the bind.
  std::vector<std::string> gates = known->spec.scheduling_gates;
  std::erase(gates, model::annotations::kQueueAllocationGate);
  if (!gates.empty()) return refuse("has gates");
  if (random_.Chance(options_.bind_failure)) return refuse("as the test wants it");
  ++binds_;
  kube::Pod pod = *known;
  pod.spec.node_name = bind.node;
  pod.spec.scheduling_gates.clear();
  pod.status.nominated_node_name.clear();
  pod.status.phase = kube::PodPhase::kRunning;
  pod.status.start_time = loop_.Now();
  pod.status.conditions = {{.type = "PodScheduled",
                            .status = kube::ConditionStatus::kTrue,
                            .last_transition_time = loop_.Now()}};
  for (Eviction& eviction : evictions_) {
    if (eviction.beneficiary_uid == pod.meta.uid) eviction.helped = true;
  }
  SetPod(std::move(pod));
  CheckNode(bind.node);
  CheckQueues();
  Report(std::move(outcome));
}

// As the writers do: the promise stands before anybody leaves for it, and with the scheduler die
// those evictions that it has not asked for yet.
void FastCluster::SendPromise(const model::Promise& promise) {
  auto evict = process_.Guard([this, victims = promise.victims] {
    for (const model::Evict& victim : victims) {
      After(Latency(), [this, victim] { Evict(victim); });
    }
  });
  After(Latency(), [this, promise, evict]() mutable {
    WritePromise(promise);
    evict();
  });
}

void FastCluster::Evict(const model::Evict& evict) {
  const std::string key = evict.pod->meta.Key();
  Outcome outcome{.kind = Outcome::Kind::kEvict, .task = evict.task, .uid = evict.pod->meta.uid};
  const kube::Pod* known = FindPod(key);
  if (known && known->meta.uid == evict.pod->meta.uid && !known->meta.deleting()) {
    if (random_.Chance(options_.eviction_failure)) {
      Trace("eviction of " + key + " refused");
      outcome.result = std::unexpected(
          Error{.code = ErrorCode::kTooManyRequests, .message = "a disruption budget says no"});
      return Report(std::move(outcome));
    }
    evictions_.push_back({.victim = key,
                          .victim_group = GroupKey(*known),
                          .beneficiary = evict.beneficiary,
                          .beneficiary_uid = evict.beneficiary_uid,
                          .reason = evict.reason,
                          .at = loop_.elapsed(),
                          .cycle = cycles()});
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
      again.meta.annotations.Erase(model::annotations::kEvictions);  // made from a template
      After(Latency(), [this, again = std::move(again)] { Add(again); });
    });
  }
  Report(std::move(outcome));
}

void FastCluster::WriteStatus(const model::ReservationStatus& written) {
  const kube::ObjectMeta& meta = written.reservation->meta;
  Outcome outcome{.kind = Outcome::Kind::kReservationStatus,
                  .task = {},
                  .uid = meta.uid,
                  .result = {},
                  .ns = meta.ns,
                  .name = meta.name};
  const auto it = reservations_.find(meta.Key());
  if (it == reservations_.end() || it->second->meta.uid != meta.uid) return;
  if (random_.Chance(options_.bind_failure)) {
    outcome.result =
        std::unexpected(Error{.code = ErrorCode::kUnavailable, .message = "as the test wants it"});
    return Report(std::move(outcome));
  }
  if (it->second->status == written.status) {
    Violated(fmt::format("reservation {} was written without a change", meta.name));
  }
  kube::Reservation reservation = *it->second;
  reservation.status = written.status;
  const kube::ReservationPhase phase = reservation.status.phase;
  Add(std::move(reservation));
  if (phase != kube::ReservationPhase::kPending && phase != kube::ReservationPhase::kWaiting) {
    NoteHelped(meta.Key());
  }
  Report(std::move(outcome));
}

// Who left for it did not leave in vain: it holds the room, or nobody wants it any more.
void FastCluster::NoteHelped(const std::string& reservation) {
  const auto it = reservations_.find(reservation);
  if (!scheduler_ || it == reservations_.end()) return;
  const model::Cluster& cluster = scheduler_->state().cluster();
  const auto* record = cluster.reservations().Find(it->second->meta.ns, it->second->meta.name);
  if (!record) return;
  for (const model::ReservedSlot& slot : record->slots) {
    for (Eviction& eviction : evictions_) {
      if (eviction.beneficiary_uid == cluster.task(slot.id).uid()) eviction.helped = true;
    }
  }
}

void FastCluster::WritePromise(const model::Promise& promise) {
  const kube::Pod* known = FindPod(promise.pod->meta.Key());
  if (!known || known->meta.uid != promise.pod->meta.uid || known->bound()) return;
  kube::Pod pod = *known;
  if (!pod.gated()) pod.status.nominated_node_name = promise.node;
  if (!promise.reason.empty()) SetNotScheduled(pod, promise.reason, promise.message);
  if (!promise.evictions.empty()) {
    pod.meta.annotations.Set(model::annotations::kEvictions, promise.evictions);
  }
  SetPod(std::move(pod));
}

}  // namespace basalt::testutil
