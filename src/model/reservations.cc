#include "model/reservations.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "kube/types/pod_resources.h"
#include "model/cluster.h"
#include "model/reservation_match.h"
#include "model/reserved_pod.h"

namespace basalt::model {

using Phase = kube::ReservationPhase;

std::optional<Time> EndOf(const kube::Reservation& reservation) {
  std::optional<Time> end = reservation.expires;
  if (reservation.ttl && *reservation.ttl > Duration::zero()) {
    const Time created = reservation.meta.creation_timestamp;
    const Time by_ttl =
        *reservation.ttl > Time::max() - created ? Time::max() : created + *reservation.ttl;
    if (!end || by_ttl < *end) end = by_ttl;
  }
  return end;
}

// Host ports are the only thing of which others may take what a ledger does not show.
std::uint64_t GenerationFor(const Task& reserved, const Node& node) {
  return reserved.task_class->has_host_ports ? node.generation : node.object_generation;
}

// ---- reading

const ReservationRecord* Reservations::Find(std::string_view ns, std::string_view name) const {
  const auto it = by_key_.find(kube::ObjectKey(ns, name));
  return it == by_key_.end() ? nullptr : it->second.get();
}

ReservationRecord* Reservations::FindRecord(std::string_view ns, std::string_view name) {
  const auto it = by_key_.find(kube::ObjectKey(ns, name));
  return it == by_key_.end() ? nullptr : it->second.get();
}

bool Reservations::HasFreeSlot(const ReservationRecord& record) const {
  return cluster_.job(record.job).counts[TaskStatus::kBound] > 0;
}

const ReservationIndex& Reservations::FreshIndex() const {
  for (ReservationRecord* record : stale_) {
    record->stale = false;
    const bool serves = HasFreeSlot(*record);
    if (serves == record->indexed) continue;
    serves ? index_.Add(*record) : index_.Remove(*record);
    record->indexed = serves;
  }
  stale_.clear();
  return index_;
}

ReservationRecord& Reservations::RecordOf(const Task& task) const {
  return *cluster_.job(task.job).reservation;
}

ReservedSlot& Reservations::SlotIn(ReservationRecord& record, const Task& task) const {
  return record.slots[model::SlotOf(*task.pod)];
}

const ReservedSlot& Reservations::SlotOf(const Task& task) const {
  return SlotIn(RecordOf(task), task);
}

bool Reservations::IsTaken(const ReservedSlot& slot) const {
  return cluster_.task(slot.id).status() == TaskStatus::kSucceeded;
}

bool Reservations::IsFree(const ReservedSlot& slot) const {
  return cluster_.task(slot.id).status() == TaskStatus::kBound;
}

Phase Reservations::PhaseOf(const ReservedSlot& slot) const {
  switch (cluster_.task(slot.id).status()) {
    case TaskStatus::kAllocated:
    case TaskStatus::kBinding:
    case TaskStatus::kBound:
    case TaskStatus::kRunning: return Phase::kAvailable;
    case TaskStatus::kPipelined: return Phase::kWaiting;
    // Until its taker is bound nothing is taken for good.
    case TaskStatus::kSucceeded: return slot.taker.valid() ? Phase::kAvailable : Phase::kSucceeded;
    case TaskStatus::kFailed: return Phase::kFailed;
    default: return Phase::kPending;
  }
}

Phase Reservations::PhaseOf(const ReservationRecord& record) const {
  // As PhaseOf says of each slot, by the job's own counts.
  const StatusCounts& counts = cluster_.job(record.job).counts;
  return PhaseFrom({.all = static_cast<std::int32_t>(record.slots.size()),
                    .least = LeastAvailable(*record.object),
                    .usable = counts.Ready(),
                    .taken = counts[TaskStatus::kSucceeded] - record.being_taken,
                    .waiting = counts[TaskStatus::kPipelined],
                    .ended = record.ended});
}

std::string_view Reservations::global_default_class() const {
  for (const auto& [name, priority_class] : cluster_.objects().priority_classes) {
    if (priority_class->global_default) return name;
  }
  return {};
}

const kube::PriorityClass* Reservations::ClassOf(const kube::PodSpec& spec) const {
  const auto& classes = cluster_.objects().priority_classes;
  const std::string_view name =
      spec.priority_class_name.empty() ? global_default_class() : spec.priority_class_name;
  return name.empty() ? nullptr : classes.Find(name);
}

// ---- what events say

void Reservations::Add(std::shared_ptr<const kube::Reservation> object, std::string_view queue) {
  const auto [it, added] =
      by_key_.try_emplace(object->meta.Key(), std::make_unique<ReservationRecord>());
  BASALT_CHECK(added);
  ReservationRecord& record = *it->second;
  record.object = std::move(object);
  MakeTasks(record, queue);
  moves_.Add(record);
  SetEnd(record, true);
  Touch(record);
  Tell(record);
}

void Reservations::MakeTasks(ReservationRecord& record, std::string_view queue) {
  const kube::Reservation& object = *record.object;
  const kube::PriorityClass* highest = nullptr;
  std::string_view highest_name;
  for (const kube::Reservation::Task& task : object.tasks) {
    const kube::PriorityClass* own = ClassOf(task.pod_template.spec);
    if (!own || (highest && own->value <= highest->value)) continue;
    highest = own;
    highest_name = task.pod_template.spec.priority_class_name;
  }
  record.job = cluster_.SetGroup(ReservedGroup(object, queue, highest_name), queue);
  cluster_.SetReservation(record.job, &record);
  const std::string group = ReservedGroupName(object.meta.name);
  for (std::uint32_t t = 0; t < object.tasks.size(); ++t) {
    record.shapes.push_back(ShapeOf(object.tasks[t].pod_template.spec, object.scheduler_name));
    record.quick_shapes.push_back(QuickShape(object.tasks[t].pod_template.spec));
    const kube::PriorityClass* own = ClassOf(object.tasks[t].pod_template.spec);
    for (std::int32_t i = 0; i < object.tasks[t].replicas; ++i) {
      const auto slot = static_cast<std::uint32_t>(record.slots.size());
      auto pod = ReservedPod(object, t, i, slot, own);
      if (i == 0) record.requests.push_back(kube::PodRequests(*pod));
      const TaskId id = cluster_.SetPod(std::move(pod), group, {});
      record.slots.push_back({.task = t, .index = i, .id = id});
    }
    if (object.tasks[t].replicas <= 0) record.requests.emplace_back();
  }
}

// ---- after a restart

ReservedSlot* Reservations::SlotOf(ReservationRecord& record,
                                   const kube::Reservation::Placement& placement) {
  const auto slot = std::ranges::find_if(record.slots, [&](const ReservedSlot& s) {
    return s.index == placement.index && record.object->tasks[s.task].name == placement.task;
  });
  return slot == record.slots.end() ? nullptr : &*slot;
}

namespace {

// When the pod came to its node, as far as it says.
Time BoundSince(const kube::Pod& pod) {
  const kube::Condition* scheduled = kube::PodScheduledOf(pod);
  return scheduled && scheduled->status == kube::ConditionStatus::kTrue
             ? scheduled->last_transition_time
             : pod.meta.creation_timestamp;
}

}  // namespace

// A pod on the node that may use the slot and came after the reservation has taken it, if it has
// taken no other.
const Task* Reservations::FindUser(const ReservationRecord& record, const ReservedSlot& slot,
                                   std::string_view name) {
  const Node* node = cluster_.FindNode(name);
  if (!node) return nullptr;
  const Task* first = nullptr;
  for (const TaskId id : node->tasks) {
    const Task& task = cluster_.task(id);
    if (task.ns() != record.ns() || attributed_.contains(id)) continue;
    if (task.status() == TaskStatus::kPipelined) continue;
    const Job* job = cluster_.FindJob(task.job);
    if (!job || job->reservation) continue;
    const kube::PodGroup* group = job->group.get();
    if (BoundSince(*task.pod) < record.object->meta.creation_timestamp ||
        !MayUse(*record.object, *task.pod, group, job->shadow) ||
        !TemplateMatches(*record.object, record.object->tasks[slot.task], *task.pod,
                         global_default_class())) {
      continue;
    }
    if (!first || TaskBefore(task, *first)) first = &task;
  }
  return first;
}

void Reservations::RestoreTaken(ReservationRecord& record) {
  record.status = record.object->status;
  if (record.status.phase == Phase::kFailed) {
    SetEnd(record, false);
    record.ended = true;
  }
  for (const kube::Reservation::Placement& placement : record.status.placements) {
    ReservedSlot* slot = SlotOf(record, placement);
    if (!slot || placement.phase != Phase::kSucceeded || IsTaken(*slot)) continue;
    slot->node = placement.node;
    cluster_.Correct(slot->id, {.status = TaskStatus::kSucceeded});
    if (const Task* pod = FindUser(record, *slot, placement.node)) attributed_.insert(pod->id);
  }
}

// What cannot be true is left out: the task is placed anew.
void Reservations::RestoreHeld(ReservationRecord& record) {
  for (const kube::Reservation::Placement& placement : record.status.placements) {
    ReservedSlot* slot = SlotOf(record, placement);
    if (!slot || placement.node.empty() || !slot->node.empty()) continue;
    if (record.ended) {
      slot->node = placement.node;
      continue;
    }
    const Node* node = cluster_.FindNode(placement.node);
    if (!node) continue;
    if (placement.phase == Phase::kAvailable) {
      if (const Task* pod = FindUser(record, *slot, placement.node)) {
        attributed_.insert(pod->id);
        slot->node = placement.node;
        MarkTaken(record, *slot, *pod);
      } else if (cluster_.ledger().FitsIdle(cluster_.task(slot->id).request(), node->id)) {
        slot->node = placement.node;
        cluster_.Correct(slot->id, {.status = TaskStatus::kBound, .node = node->id});
      }
    } else if (placement.phase == Phase::kWaiting) {
      slot->node = placement.node;
      cluster_.Correct(slot->id,
                       {.status = TaskStatus::kPipelined, .node = node->id, .restored = true});
    }
  }
  if (!record.ended) {
    // It was let into its queue before.
    const Job& job = cluster_.job(record.job);
    if (job.HoldsNodes() || !job.pipelined.empty()) {
      cluster_.SetPhase(record.job, JobPhase::kInqueue);
    }
    return;
  }
  for (const ReservedSlot& slot : record.slots) {
    if (!IsTaken(slot)) cluster_.Correct(slot.id, {.status = TaskStatus::kFailed});
  }
}

void Reservations::Restore() {
  std::vector<ReservationRecord*> records;
  for (const auto& [key, record] : by_key_) records.push_back(record.get());
  // The one that came first held first.
  std::ranges::stable_sort(records, {}, [](const ReservationRecord* record) {
    return record->object->meta.creation_timestamp;
  });
  for (ReservationRecord* record : records) RestoreTaken(*record);
  for (ReservationRecord* record : records) RestoreHeld(*record);
  attributed_.clear();
}

// ---- later versions

bool Reservations::Refresh(std::shared_ptr<const kube::Reservation> object) {
  ReservationRecord* record = FindRecord(object->meta.ns, object->meta.name);
  BASALT_CHECK(record);
  const bool others = record->object->owners != object->owners;
  const bool other_end = EndOf(*record->object) != EndOf(*object);
  SetEnd(*record, false);
  record->object = std::move(object);
  SetEnd(*record, true);
  if (others) {
    Tell(*record);
    if (record->indexed) {  // under its owners
      index_.Remove(*record);
      index_.Add(*record);
    }
  }
  const kube::Reservation::Status& said = record->object->status;
  const auto echo = std::ranges::find(record->sent, said);
  if (said == record->status) {
    record->sent.clear();
    return others || other_end;
  }
  if (echo != record->sent.end()) {
    record->sent.erase(record->sent.begin(), echo + 1);
    return others || other_end;
  }
  Touch(*record);
  return true;
}

void Reservations::RemoveAll() {
  while (!by_key_.empty()) {
    const std::string ns = by_key_.begin()->second->ns(), name = by_key_.begin()->second->name();
    Remove(ns, name);
  }
  news_.clear();
}

void Reservations::Remove(std::string_view ns, std::string_view name) {
  ReservationRecord* record = FindRecord(ns, name);
  if (!record) return;
  SetEnd(*record, false);
  boost::unordered::erase_if(takers_,
                             [&](const auto& entry) { return entry.second.record == record; });
  const std::string key = record->key();
  const std::string group = ReservedGroupName(name);
  const std::string in(ns);
  moves_.Remove(*record);
  if (record->indexed) index_.Remove(*record);
  cluster_.SetReservation(record->job, nullptr);
  for (const ReservedSlot& slot : record->slots) {
    const std::string pod = cluster_.task(slot.id).name();
    cluster_.RemovePod(in, pod);
  }
  cluster_.RemoveGroup(in, group);
  if (record->touched) std::erase(touched_, record);
  if (record->stale) std::erase(stale_, record);
  Tell(*record);
  by_key_.erase(key);
}

// ---- the end

void Reservations::SetEnd(ReservationRecord& record, bool add) {
  const std::optional<Time> end = EndOf(*record.object);
  if (!end || record.ended) return;
  if (add) {
    ends_.emplace(*end, record.key());
  } else {
    ends_.erase({*end, record.key()});
  }
}

std::optional<Time> Reservations::next_end() const {
  if (ends_.empty()) return std::nullopt;
  return ends_.begin()->first;
}

void Reservations::EndDue(Time now) {
  while (!ends_.empty() && ends_.begin()->first <= now) {
    ReservationRecord& record = *by_key_.find(ends_.begin()->second)->second;
    ends_.erase(ends_.begin());
    // Taken to the last it does not end; what is given back after all is looked at again.
    if (std::ranges::all_of(record.slots,
                            [&](const ReservedSlot& slot) { return IsTaken(slot); })) {
      continue;
    }
    record.ended = true;
    for (const ReservedSlot& slot : record.slots) {
      // What is being taken stays with its taker.
      if (!IsTaken(slot)) cluster_.Correct(slot.id, {.status = TaskStatus::kFailed});
    }
    Tell(record);
  }
}

// ---- taking over

void Reservations::SetTaker(ReservationRecord& record, ReservedSlot& slot, TaskId taker) {
  record.being_taken += static_cast<int>(taker.valid()) - static_cast<int>(slot.taker.valid());
  slot.taker = taker;
  slot.taker_uid = taker.valid() ? cluster_.task(taker).uid() : std::string();
}

void Reservations::NoteTaker(TaskId reserved, TaskId taker) {
  const Task& task = cluster_.task(reserved);
  ReservationRecord& record = RecordOf(task);
  const std::uint32_t number = model::SlotOf(*task.pod);
  ReservedSlot& slot = record.slots[number];
  SetTaker(record, slot, taker);
  takers_[taker] = {&record, number};
  Touch(record);
}

namespace {

// The owner that took from a reservation: the group, or the pod where it has none of its own.
kube::ObjectReference OwnerFor(const Cluster& cluster, const Task& pod) {
  const Job* job = cluster.FindJob(pod.job);
  if (job && job->exists() && !job->shadow) {
    return {.api_version = "scheduling.volcano.sh/v1beta1",
            .kind = "PodGroup",
            .ns = job->ns,
            .name = job->name,
            .uid = job->uid(),
            .resource_version = {},
            .field_path = {}};
  }
  return {.api_version = "v1",
          .kind = "Pod",
          .ns = pod.ns(),
          .name = pod.name(),
          .uid = pod.uid(),
          .resource_version = {},
          .field_path = {}};
}

}  // namespace

void Reservations::MarkTaken(ReservationRecord& record, ReservedSlot& slot, const Task& pod) {
  if (!IsTaken(slot)) cluster_.Correct(slot.id, {.status = TaskStatus::kSucceeded});
  SetTaker(record, slot, {});
  slot.owner = OwnerFor(cluster_, pod);
  slot.taken_as = ++takes_;
  Touch(record);
}

void Reservations::GiveBack(ReservationRecord& record, ReservedSlot& slot, Move move) {
  SetTaker(record, slot, {});
  SetEnd(record, true);
  if (record.ended) {
    move(slot.id, {.status = TaskStatus::kFailed});
    return;
  }
  const Node* node = cluster_.FindNode(slot.node);
  if (node && cluster_.ledger().FitsIdle(cluster_.task(slot.id).request(), node->id)) {
    move(slot.id, {.status = TaskStatus::kBound, .node = node->id});
    Tell(record);
  } else {
    move(slot.id, {});
  }
}

void Reservations::SettleTake(TaskId taker, Move move) {
  const auto it = takers_.find(taker);
  if (it == takers_.end()) return;
  const Taker taken = it->second;
  ReservedSlot& slot = taken.record->slots[taken.slot];
  const Task* task = cluster_.FindTask(taker);
  const bool there = task && task->uid() == slot.taker_uid;
  if (there &&
      (task->status() == TaskStatus::kAllocated || task->status() == TaskStatus::kBinding ||
       task->status() == TaskStatus::kPipelined)) {
    const bool same_node = cluster_.node(task->node()).name == slot.node;
    if (same_node) return;
  }
  takers_.erase(it);
  const bool bound =
      there && (IsScheduled(task->status()) || task->status() == TaskStatus::kReleasing ||
                task->status() == TaskStatus::kUnknown);
  if (bound) {
    MarkTaken(*taken.record, slot, *task);
  } else {
    GiveBack(*taken.record, slot, move);
  }
}

void Reservations::SettleTakes() {
  if (takers_.empty()) return;
  std::vector<TaskId> takers;
  for (const auto& [taker, slot] : takers_) takers.push_back(taker);
  std::ranges::sort(takers);
  for (const TaskId taker : takers) {
    SettleTake(taker, [this](TaskId task, const Holding& to) { cluster_.Correct(task, to); });
  }
}

// ---- placements

void Reservations::NotePlaced(const Task& task) {
  ReservationRecord& record = RecordOf(task);
  record.slots[model::SlotOf(*task.pod)].node = cluster_.node(task.node()).name;
  Touch(record);
  if (task.status() == TaskStatus::kBound) Tell(record);
}

void Reservations::NoteGivenUp(const Task& task) { Tell(RecordOf(task)); }

void Reservations::NoteLookedAt(const Task& task) {
  SlotIn(RecordOf(task), task).looked_at = GenerationFor(task, cluster_.node(task.node()));
}

std::vector<TaskId> Reservations::TakeDoubtful() {
  const std::vector<NodeId>& log = cluster_.node_log();
  const std::uint64_t start = cluster_.node_log_start();
  const std::uint64_t from = std::exchange(nodes_seen_, start + log.size());
  std::vector<TaskId> doubtful;
  if (by_key_.empty()) return doubtful;
  if (from < start) {  // some of the log is gone
    for (const auto& [key, record] : by_key_) {
      for (const ReservedSlot& slot : record->slots) {
        if (IsFree(slot)) doubtful.push_back(slot.id);
      }
    }
    return doubtful;
  }
  boost::unordered_flat_set<NodeId> seen;
  for (std::size_t i = from - start; i < log.size(); ++i) {
    const Node* node = seen.insert(log[i]).second ? cluster_.node_slots().Find(log[i]) : nullptr;
    if (!node) continue;
    for (const TaskId id : node->tasks) {
      const Task& task = cluster_.task(id);
      const Job* job = cluster_.FindJob(task.job);
      if (job && job->reservation && task.status() == TaskStatus::kBound) doubtful.push_back(id);
    }
  }
  return doubtful;
}

void Reservations::SayWaiting(const Task& task, std::string_view reason, std::string_view message) {
  ReservationRecord& record = RecordOf(task);
  const std::uint32_t slot = model::SlotOf(*task.pod);
  const bool first =
      record.waiting_reason.empty() || slot <= record.waiting_slot ||
      cluster_.task(record.slots[record.waiting_slot].id).status() != TaskStatus::kPending;
  if (!first) return;
  record.waiting_slot = slot;
  record.waiting_reason = reason;
  record.waiting_message = message;
  if (record.status.phase != Phase::kPending) Touch(record);
}

// ---- statuses

void Reservations::Moved(const Task& task) {
  ReservationRecord& record = RecordOf(task);
  if (task.status() == TaskStatus::kBound) {
    record.first_free = std::min(record.first_free, model::SlotOf(*task.pod));
  }
  Touch(record);
}

void Reservations::Touch(ReservationRecord& record) {
  if (!std::exchange(record.touched, true)) touched_.push_back(&record);
  if (!std::exchange(record.stale, true)) stale_.push_back(&record);
}

std::vector<Reservations::Changed> Reservations::TakeChanged(Time now) {
  std::vector<Changed> changed;
  std::vector<ReservationRecord*> touched = std::exchange(touched_, {});
  std::ranges::sort(touched, {}, [](const ReservationRecord* record) { return record->key(); });
  for (ReservationRecord* one : touched) {
    ReservationRecord& record = *one;
    record.touched = false;
    std::vector<ReservedPlace> places;
    places.reserve(record.slots.size());
    const ReservedSlot* last = nullptr;
    for (const ReservedSlot& slot : record.slots) {
      Phase phase = PhaseOf(slot);
      // What is being taken when it ends stays so.
      if (record.ended && phase == Phase::kAvailable) phase = Phase::kSucceeded;
      places.push_back({.task = slot.task,
                        .index = slot.index,
                        .node = slot.node,
                        .phase = phase,
                        .requests = &record.requests[slot.task]});
      if (slot.owner && (!last || last->taken_as < slot.taken_as)) last = &slot;
    }
    const kube::Reservation::Status now_says =
        StatusAfter(record.status, {.object = record.object.get(),
                                    .places = places,
                                    .ended = record.ended,
                                    .reason = record.waiting_reason,
                                    .message = record.waiting_message,
                                    .owner = last ? last->owner : std::nullopt,
                                    .now = now});
    // No cycle has looked at it yet: there is nothing to tell.
    if (now_says.phase == Phase::kPending && record.waiting_reason.empty() &&
        record.status.phase == Phase::kNone) {
      continue;
    }
    const bool phase_changed = record.status.phase != now_says.phase;
    record.status = now_says;
    const kube::Reservation::Status& known =
        record.sent.empty() ? record.object->status : record.sent.back();
    if (known == record.status) continue;
    record.sent.push_back(record.status);
    changed.push_back({&record, phase_changed});
  }
  return changed;
}

void Reservations::WriteFailed(std::string_view ns, std::string_view name, std::string_view uid) {
  ReservationRecord* record = FindRecord(ns, name);
  if (!record || record->object->meta.uid != uid) return;
  record->sent.clear();
  Touch(*record);
}

// ---- jobs that wait for one

bool Reservations::Concerns(const ReservationRecord* record, std::string_view name,
                            const Job& job) const {
  return std::ranges::any_of(job.pending, [&](TaskId id) {
    const kube::Pod& pod = *cluster_.task(id).pod;
    if (NamedReservation(pod, job.group.get()) == name) return true;
    return record && MayUse(*record->object, pod, job.group.get(), job.shadow);
  });
}

void Reservations::WakeThoseServed() {
  std::vector<JobId> served;
  for (const auto& [ns, name] : std::exchange(news_, {})) {
    const auto* parked = cluster_.ParkedIn(ns);
    if (!parked) continue;
    const ReservationRecord* record = Find(ns, name);
    for (const JobId id : *parked) {
      const Job& job = cluster_.job(id);
      if (!job.reservation && Concerns(record, name, job)) served.push_back(id);
    }
  }
  std::ranges::sort(served);
  for (const JobId id : served) cluster_.Unpark(id);
}

}  // namespace basalt::model
