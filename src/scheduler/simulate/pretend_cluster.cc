#include "scheduler/simulate/pretend_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "kube/types/time.h"
#include "model/annotations.h"
#include "model/group_condition.h"
#include "model/task.h"

namespace basalt::scheduler::simulate {
namespace {

using model::Outcome;

constexpr std::int64_t kDefaultGraceSeconds = 30;
constexpr std::string_view kRunDuration = "basalt.sh/run-duration";

constexpr std::chrono::seconds kForEver = 10 * 365 * 24h;

Duration GraceOf(const kube::Pod& pod) {
  const std::int64_t seconds =
      pod.spec.termination_grace_period_seconds.value_or(kDefaultGraceSeconds);
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kForEver.count()));
}

// How long the pod says that it runs; nothing: for ever, or for as good as ever.
std::optional<Duration> RunTimeOf(const kube::Pod& pod) {
  const auto text = pod.meta.annotations.Find(kRunDuration);
  if (!text) return std::nullopt;
  const Result<Duration> parsed = kube::ParseDuration(*text);
  if (!parsed || *parsed < Duration::zero() || *parsed > kForEver) return std::nullopt;
  return *parsed;
}

void SetScheduled(kube::Pod& pod, kube::ConditionStatus status, std::string reason,
                  std::string message, Time now) {
  std::erase_if(pod.status.conditions,
                [](const kube::Condition& c) { return c.type == kube::kPodScheduled; });
  pod.status.conditions.push_back({.type = std::string(kube::kPodScheduled),
                                   .status = status,
                                   .last_transition_time = now,
                                   .reason = std::move(reason),
                                   .message = std::move(message)});
}

kube::PodGroupPhase ToGroupPhase(model::JobPhase phase) {
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

PretendCluster::PretendCluster(const SchedulerImage& image)
    : loop_(image.taken_at),
      scheduler_(loop_, image.options, [this](std::vector<model::Intent> intents) {
        // After the cycle that decided it, as a writer would.
        loop_.Post(scope_.Guard([this, intents = std::move(intents)] {
          for (const model::Intent& intent : intents) {
            std::visit([this](const auto& one) { Do(one); }, intent);
          }
        }));
      }) {
  scheduler_.Adopt(image);
}

// ---- objects

void PretendCluster::Admit(const kube::ObjectMeta* known, kube::ObjectMeta& meta) {
  if (known) {
    meta.uid = known->uid;
    meta.creation_timestamp = known->creation_timestamp;
    return;
  }
  if (meta.uid.empty()) meta.uid = fmt::format("simulated-{}", ++made_);
  if (meta.creation_timestamp == Time{}) meta.creation_timestamp = now();
}

PretendCluster::PodPointer PretendCluster::Find(const kube::Pod& pod) const {
  const model::Task* task = state().FindTask(pod.meta.ns, pod.meta.name);
  return task && task->uid() == pod.meta.uid ? task->pod : nullptr;
}

void PretendCluster::Gone(const kube::Pod& pod) {
  if (PodPointer last = Find(pod)) TellGone(std::move(last));
}

void PretendCluster::Submit(kube::Pod pod) {
  const model::Task* task = state().FindTask(pod.meta.ns, pod.meta.name);
  const kube::Pod* known = task ? task->pod.get() : nullptr;
  Admit(known ? &known->meta : nullptr, pod.meta);
  if (known) {
    // Its place and its state are not for people to write.
    pod.spec.node_name = known->spec.node_name;
    if (!pod.spec.priority) pod.spec.priority = known->spec.priority;
    pod.status = known->status;
    Tell(task->pod, std::move(pod));
    return;
  }
  pod.status = {};
  const auto& classes = state().objects().priority_classes;
  std::string_view class_name = pod.spec.priority_class_name;
  if (class_name.empty()) class_name = state().reservations().global_default_class();
  if (const kube::PriorityClass* named = classes.Find(class_name)) {
    pod.spec.priority_class_name = class_name;
    pod.spec.priority = named->value;
  }
  if (!pod.spec.priority) pod.spec.priority = 0;
  constexpr std::string_view kGate = model::annotations::kQueueAllocationGate;
  if (state().gates_enabled() && model::OptsInToGate(pod) && !pod.HasGate(kGate)) {
    pod.spec.scheduling_gates.emplace_back(kGate);  // as the webhook does
  }
  Tell(nullptr, std::move(pod));
}

void PretendCluster::Submit(kube::PodGroup group) {
  const model::Job* job = state().FindJob(group.meta.ns, group.meta.name);
  const auto known = job && !job->shadow ? job->group : nullptr;
  Admit(known ? &known->meta : nullptr, group.meta);
  group.phase = known ? ToGroupPhase(job->phase) : kube::PodGroupPhase::kPending;
  if (known) group.conditions = known->conditions;
  Tell(known, std::move(group));
}

void PretendCluster::Submit(kube::Reservation reservation) {
  const auto* record = state().reservations().Find(reservation.meta.ns, reservation.meta.name);
  Admit(record ? &record->object->meta : nullptr, reservation.meta);
  reservation.status = record ? record->object->status : kube::Reservation::Status{};
  Tell(nullptr, std::move(reservation));
}

void PretendCluster::Submit(kube::Queue queue) {
  const model::Queue* slot = state().FindQueue(queue.meta.name);
  const auto known = slot ? slot->object : nullptr;
  Admit(known ? &known->meta : nullptr, queue.meta);
  if (queue.state == kube::QueueState::kNone) queue.state = kube::QueueState::kOpen;
  Tell(known, std::move(queue));
}

void PretendCluster::Submit(kube::Node node) {
  const model::Node* slot = state().FindNode(node.meta.name);
  const auto known = slot ? slot->object : nullptr;
  Admit(known ? &known->meta : nullptr, node.meta);
  Tell(known, std::move(node));
}

void PretendCluster::RemoveNode(const std::string& name) {
  const model::Node* node = state().FindNode(name);
  std::vector<PodPointer> pods;
  for (const model::Task& task : state().TasksOf(node->tasks)) {
    if (task.pod->bound() && !state().IsReserved(task)) pods.push_back(task.pod);
  }
  TellGone(node->object);
  for (const auto& pod : pods) Gone(*pod);
}

void PretendCluster::Finish(const PodPointer& pod) {
  kube::Pod ended = *pod;
  ended.status.phase = kube::PodPhase::kSucceeded;
  Tell(pod, std::move(ended));
}

void PretendCluster::Delete(const PodPointer& pod) {
  if (pod->meta.deleting()) return;
  if (!pod->bound() || pod->terminal()) return Gone(*pod);
  kube::Pod leaving = *pod;
  leaving.meta.deletion_timestamp = now() + GraceOf(*pod);
  leaving.meta.deletion_grace_period_seconds = GraceOf(*pod) / 1s;
  ExpectLeave(Tell(pod, std::move(leaving)));
}

// ---- time

void PretendCluster::Expect(Duration delay, Callback what) {
  ++expected_;
  loop_.Schedule(std::max(delay, Duration::zero()),
                 scope_.Guard([this, what = std::move(what)]() mutable {
                   --expected_;
                   last_change_ = elapsed();
                   what();
                 }));
}

void PretendCluster::ExpectLeave(const PodPointer& pod) {
  const Time when = pod->meta.deletion_timestamp.value_or(now() + GraceOf(*pod));
  Expect(when - now(), [this, pod] { Gone(*pod); });
}

void PretendCluster::ExpectEnd(const PodPointer& pod) {
  const std::optional<Duration> runs = RunTimeOf(*pod);
  if (!time_passes_ || !runs || pod->meta.deleting()) return;
  const Time since = pod->status.start_time.value_or(now());
  Expect(since + *runs - now(), [this, pod] {
    const PodPointer there = Find(*pod);
    if (!there || there->terminal() || there->meta.deleting()) return;
    happened_.ended[pod->meta.Key()] = elapsed();
    Finish(there);
  });
}

void PretendCluster::LetTimePass() {
  time_passes_ = true;
  for (const model::TaskId id : state().releasing()) ExpectLeave(state().task(id).pod);
  state().tasks().ForEach([&](const model::Task& task) {
    if (model::IsAllocated(task.status()) && task.pod->bound()) ExpectEnd(task.pod);
  });
}

bool PretendCluster::Run(Duration length, const GoOn& go_on) {
  return !loop_.RunUntil([&] { return !go_on(); }, length);
}

// ---- what the scheduler asks for

void PretendCluster::Report(Outcome::Kind kind, model::TaskId task, const kube::Pod& pod) {
  scheduler_.Apply(Outcome{.kind = kind, .task = task, .uid = pod.meta.uid, .result = {}});
}

void PretendCluster::Bind(const model::VolumeChoice& choice) {
  const model::Objects& objects = state().objects();
  const auto* claim = objects.volume_claims.Find(kube::ObjectKey(choice.ns, choice.claim));
  const auto* volume = objects.volumes.Find(choice.volume);
  if (!claim || !volume) return;  // a provisioner makes it, where the pod is
  kube::PersistentVolume bound = *volume;
  bound.claim_ref.emplace();
  bound.claim_ref->ns = choice.ns;
  bound.claim_ref->name = choice.claim;
  bound.claim_ref->uid = choice.claim_uid;
  bound.phase = kube::PersistentVolume::Phase::kBound;
  kube::PersistentVolumeClaim has = *claim;
  has.volume_name = choice.volume;
  has.phase = kube::PersistentVolumeClaim::Phase::kBound;
  has.meta.annotations.Set("pv.kubernetes.io/bind-completed", "yes");
  Submit(std::move(bound));
  Submit(std::move(has));
}

void PretendCluster::Do(const model::Bind& bind) {
  const PodPointer known = Find(*bind.pod);
  if (!known || known->bound()) return;
  for (const model::VolumeChoice& choice : bind.volumes) Bind(choice);
  last_change_ = elapsed();
  happened_.binds[bind.pod->meta.Key()] = {.node = bind.node, .at = elapsed()};
  kube::Pod pod = *known;
  pod.spec.node_name = bind.node;
  pod.spec.scheduling_gates.clear();
  pod.status.nominated_node_name.clear();
  pod.status.phase = kube::PodPhase::kRunning;
  pod.status.start_time = now();
  SetScheduled(pod, kube::ConditionStatus::kTrue, "", "", now());
  const PodPointer placed = Tell(known, std::move(pod));
  Report(Outcome::Kind::kBind, bind.task, *bind.pod);
  ExpectEnd(placed);
}

void PretendCluster::Do(const model::Evict& evict) {
  const PodPointer known = Find(*evict.pod);
  if (known && !known->meta.deleting()) {
    last_change_ = elapsed();
    happened_.evictions.push_back({.pod = evict.pod->meta.Key(),
                                   .node = known->spec.node_name,
                                   .beneficiary = evict.beneficiary,
                                   .action = evict.reason,
                                   .at = elapsed()});
    Delete(known);
  }
  Report(Outcome::Kind::kEvict, evict.task, *evict.pod);
}

void PretendCluster::Do(const model::Promise& promise) {
  const PodPointer known = Find(*promise.pod);
  if (known && !known->bound()) {
    last_change_ = elapsed();
    kube::Pod pod = *known;
    if (!pod.gated()) pod.status.nominated_node_name = promise.node;
    if (!promise.reason.empty()) {
      SetScheduled(pod, kube::ConditionStatus::kFalse, promise.reason, promise.message, now());
    }
    Tell(known, std::move(pod));
  }
  for (const model::Evict& victim : promise.victims) Do(victim);
}

void PretendCluster::Do(const model::Ungate& ungate) {
  const PodPointer known = Find(*ungate.pod);
  if (known && known->HasGate(model::annotations::kQueueAllocationGate)) {
    last_change_ = elapsed();
    happened_.ungated.push_back(ungate.pod->meta.Key());
    kube::Pod pod = *known;
    std::erase(pod.spec.scheduling_gates, model::annotations::kQueueAllocationGate);
    Tell(known, std::move(pod));
  }
  Report(Outcome::Kind::kUngate, ungate.task, *ungate.pod);
}

void PretendCluster::Do(const model::PodWaits& waits) {
  const PodPointer known = Find(*waits.pod);
  if (!known || known->bound()) return;
  kube::Pod pod = *known;
  SetScheduled(pod, kube::ConditionStatus::kFalse, waits.reason, waits.message, now());
  Tell(known, std::move(pod));
}

void PretendCluster::Do(const model::GroupStatus& status) {
  const model::Job* job = state().FindJob(status.group->meta.ns, status.group->meta.name);
  if (!job || !job->exists() || job->shadow) return;
  kube::PodGroup group = *job->group;
  group.phase = ToGroupPhase(status.phase);
  group.running = status.running;
  group.succeeded = status.succeeded;
  group.failed = status.failed;
  for (const model::GroupCondition& wanted : status.conditions) {
    std::erase_if(group.conditions, [&](const kube::PodGroupCondition& c) {
      return c.type == wanted.type || c.type == model::ExcludedBy(wanted.type);
    });
    group.conditions.push_back({.type = wanted.type,
                                .status = kube::ConditionStatus::kTrue,
                                .transition_id = status.transition_id,
                                .last_transition_time = now(),
                                .reason = wanted.reason,
                                .message = wanted.message});
  }
  Tell(job->group, std::move(group));
}

void PretendCluster::Do(const model::ReservationStatus& status) {
  const kube::ObjectMeta& meta = status.reservation->meta;
  const auto* known = state().reservations().Find(meta.ns, meta.name);
  if (!known || known->object->meta.uid != meta.uid) return;
  if (status.phase_changed) last_change_ = elapsed();
  kube::Reservation written = *known->object;
  written.status = status.status;
  Tell(known->object, std::move(written));
}

}  // namespace basalt::scheduler::simulate
