// Jobs that wait. They are not active, so that ten thousand of them cost a cycle nothing; what they
// wait for is compared with what has happened, when a cycle begins. What a cycle tries and takes
// back has not happened: room on nodes and in queues is compared by amount, with the least that
// there was when a job was refused.
#include <algorithm>
#include <utility>

#include "model/cluster.h"

namespace basalt::model {
namespace {

bool LessInAny(const Amounts& now, const Amounts& before) {
  for (int d = 0; d < std::max(now.bound(), before.bound()); ++d) {
    if (now[d] < before[d]) return true;
  }
  return false;
}

Amounts LesserOf(const Amounts& a, const Amounts& b) {
  Amounts lesser;
  for (int d = 0; d < std::max(a.bound(), b.bound()); ++d) lesser.Set(d, std::min(a[d], b[d]));
  return lesser;
}

Amounts GreaterOf(const Amounts& a, const Amounts& b) {
  Amounts greater;
  for (int d = 0; d < std::max(a.bound(), b.bound()); ++d) greater.Set(d, std::max(a[d], b[d]));
  return greater;
}

// In some view less counts than before: whichever question was answered with no, the answer may be
// another now.
bool IsLessFull(const QueueLedger& now, const QueueLoad& before) {
  for (int view = 0; view < kQueueViews; ++view) {
    for (int d = 0; d < before[view].bound(); ++d) {
      if (now.Load(static_cast<QueueView>(view), d) < before[view][d]) return true;
    }
  }
  return false;
}

void Raise(QueueLoad& load, const QueueLedger& now, int dimensions) {
  for (int view = 0; view < kQueueViews; ++view) {
    for (int d = 0; d < dimensions; ++d) {
      const double counts = now.Load(static_cast<QueueView>(view), d);
      if (d >= load[view].bound() || counts > load[view][d]) load[view].Set(d, counts);
    }
  }
}

bool HasMoreRoom(const Queue& queue) {
  return IsLessFull(queue.own, queue.refused_own_load) ||
         IsLessFull(queue.tree, queue.refused_tree_load);
}

Parking::Place PlaceOf(const Job& job) { return {job.parked_created, job.arrival, job.id}; }

}  // namespace

// Called when the queue refuses, not when the job is parked at the end of the session: a task may
// have left the queue in between.
void Cluster::NoteRefusal(QueueId full) {
  Queue& queue = queues_[full];
  model::Raise(queue.refused_own_load, queue.own, dimensions_.size());
  model::Raise(queue.refused_tree_load, queue.tree, dimensions_.size());
}

void Cluster::Park(JobId id, std::string_view likeness, const Waits& waits, Time now) {
  Job& job = jobs_[id];
  Unpark(job);
  job.woken_from = Parking::kNone;
  job.checked = false;
  job.parked_created = job.created();
  job.parked_in = parking_.Put(likeness, PlaceOf(job), waits);
  parked_in_[job.ns].insert(id);
  UpdateActive(job);
  if (parking_.ShouldTellOthers(job.parked_in, ReasonOf(job), now)) {
    WakeWhoSaysOtherwise(job.parked_in, now);
  }
}

// That its first pod gives; "": none does.
std::string_view Cluster::ReasonOf(const Job& job) const {
  const Task* first = nullptr;
  for (const Task& task : TasksOf(job.pending)) {
    if (!first || TaskBefore(task, *first)) first = &task;
  }
  const kube::Condition* said = first ? kube::PodScheduledOf(*first->pod) : nullptr;
  return said ? std::string_view(said->reason) : std::string_view();
}

// Not all at once: each of their pods costs a write.
void Cluster::WakeWhoSaysOtherwise(Parking::BucketId id, Time now) {
  constexpr std::size_t kMostAtOnce = 1000;
  const Parking::Bucket& bucket = parking_.bucket(id);
  std::vector<JobId> others;
  for (const Parking::Place& place : bucket.members) {
    if (others.size() > kMostAtOnce) break;
    if (ReasonOf(jobs_[place.job]) != bucket.said) others.push_back(place.job);
  }
  const bool all = others.size() <= kMostAtOnce;
  if (!all) others.pop_back();
  parking_.NoteTold(id, others.size(), all, now);
  for (const JobId other : others) Unpark(jobs_[other]);
}

void Cluster::Unpark(Job& job) {
  job.woken_from = Parking::kNone;
  job.checked = false;
  if (!job.parked()) return;
  parking_.Take(job.parked_in, PlaceOf(job));
  job.parked_in = Parking::kNone;
  const auto beside = parked_in_.find(job.ns);
  beside->second.erase(job.id);
  if (beside->second.empty()) parked_in_.erase(beside);
  UpdateActive(job);
}

void Cluster::Unpark(JobId id) {
  if (Job& job = jobs_[id]; job.parked()) Unpark(job);
}

JobId Cluster::WakeNextAfter(JobId id) {
  return WakeNext(std::exchange(jobs_[id].woken_from, Parking::kNone));
}

JobId Cluster::WakeNext(Parking::BucketId bucket) {
  if (!parking_.exists(bucket)) return {};
  const Parking::Bucket& from = parking_.bucket(bucket);
  if (from.asleep || from.members.empty()) return {};
  const bool checked = from.checked;
  Job& job = jobs_[from.members.begin()->job];
  Unpark(job);  // `from` stays: it is awake
  job.woken_from = bucket;
  job.checked = checked;
  return job.id;
}

void Cluster::RaiseMove(const Holding& from, const Holding& to) {
  if (OccupiesNode(to)) Raise(Happening::kArrival);
  if (OccupiesNode(from)) Raise(Happening::kDeparture);
}

void Cluster::Correct(TaskId id, const Holding& to) {
  const Task& task = tasks_[id];
  RaiseMove(task.holding, to);
  Move(id, to);
  if (Job* job = jobs_.Find(task.job)) Unpark(*job);
}

void Cluster::UngateRefused(TaskId id) {
  SetUngating(id, false);
  if (Job* job = jobs_.Find(tasks_[id].job)) Unpark(*job);
}

void Cluster::UnparkAll() {
  std::vector<JobId> parked;
  parking_.ForEachJob([&](JobId id) { parked.push_back(id); });
  for (const JobId id : parked) Unpark(jobs_[id]);
}

void Cluster::SetJobPriority(JobId id, std::int32_t priority) {
  Job& job = jobs_[id];
  if (job.priority == priority) return;
  job.priority = priority;
  Unpark(job);
  Raise(Happening::kPriority);
}

// ---- what has happened

// Limits come from the queues and, for some, from the nodes.
bool Cluster::HasMoreRoomThanWhenItRefused(const Queue& queue) const {
  return raised_.Has(Happening::kQueue) || !(seen_total_ == total_allocatable_) ||
         HasMoreRoom(queue);
}

// A job that is refused because of all that is asked of the cluster waits for less of that.
void Cluster::NoteTotals() {
  Amounts wanted = total_held_;
  seen_wanted_ = GreaterOf(seen_wanted_, wanted.Add(total_in_queue_));
}

Cluster::SeenRoom Cluster::RoomOf(NodeId id) const {
  const Node* node = nodes_.Find(id);
  if (!node || !node->exists()) return {};
  return {ledger_.Idle(id), ledger_.Future(id)};
}

// Objects that are only looked up are counted where they are kept.
Happenings Cluster::ChangedObjects() const {
  Happenings changed;
  for (int kind = 0; kind < kHappenings; ++kind) {
    if (ObjectsGeneration(static_cast<Happening>(kind)) != seen_objects_[kind]) {
      changed |= Happenings{static_cast<Happening>(kind)};
    }
  }
  return changed;
}

std::uint64_t Cluster::ObjectsGeneration(Happening kind) const {
  switch (kind) {
    case Happening::kVolume:
      return objects_.volume_claims.generation() + objects_.volumes.generation() +
             objects_.storage_classes.generation() + objects_.csi_nodes.generation();
    case Happening::kQuota: return objects_.resource_quotas.generation();
    case Happening::kBudget: return objects_.disruption_budgets.generation();
    case Happening::kPriority: return objects_.priority_classes.generation();
    case Happening::kNamespace: return objects_.namespaces.generation();
    default: return 0;
  }
}

bool Cluster::LessIsWanted() const {
  Amounts wanted = total_held_;
  return LessInAny(wanted.Add(total_in_queue_), seen_wanted_) ||
         !(seen_total_ == total_allocatable_);
}

std::vector<QueueId> Cluster::WakeBuckets() {
  raised_ |= ChangedObjects();
  std::vector<QueueId> freer = parking_.queues();
  std::erase_if(freer, [&](QueueId id) { return !HasMoreRoomThanWhenItRefused(queues_[id]); });
  for (const QueueId id : freer) parking_.WakeForQueue(id);
  if (LessIsWanted()) Raise(Happening::kTotal);
  parking_.WakeFor(raised_);
  seen_rooms_.resize(nodes_.bound());
  if (!parking_.anybody_waits_for_room()) return freer;
  for (const NodeId id : touched_) {
    const SeenRoom& seen = seen_rooms_[id.index()];
    const SeenRoom room = RoomOf(id);
    const bool more_in_future = LessInAny(seen.future, room.future);
    if (more_in_future || LessInAny(seen.idle, room.idle)) {
      parking_.WakeForRoom(room.future, more_in_future);
    }
  }
  return freer;
}

void Cluster::WakeFirstOfEach(std::vector<Parking::BucketId> buckets) {
  for (const Parking::BucketId bucket : buckets) WakeNext(bucket);
}

// Of a bucket that was awake before, the first job is up already.
void Cluster::WakeWhoGains() {
  WakeBuckets();
  WakeFirstOfEach(parking_.TakeWoken());
}

void Cluster::WakeParked(Time now) {
  parking_.EndChecks();
  parking_.WakeDue(now);
  const std::vector<QueueId> freer = WakeBuckets();

  // From here on it is known.
  for (int kind = 0; kind < kHappenings; ++kind) {
    seen_objects_[kind] = ObjectsGeneration(static_cast<Happening>(kind));
  }
  for (const QueueId id : freer) {
    queues_[id].refused_own_load = queues_[id].refused_tree_load = {};
  }
  raised_ = {};
  seen_wanted_ = total_held_;
  seen_wanted_.Add(total_in_queue_);
  seen_total_ = total_allocatable_;
  for (const NodeId id : touched_) {
    is_touched_[id.index()] = false;
    seen_rooms_[id.index()] = RoomOf(id);
  }
  touched_.clear();

  // After the jobs that are woken by what has happened.
  if (std::exchange(check_is_due_, false)) parking_.WakeAll(/*as_check=*/true);
  WakeFirstOfEach(parking_.Awake());
  // A pod that this cycle places may be one that others want to stand beside, in the same cycle.
  // Where many wait for that, they are looked at when the pod is there.
  constexpr std::size_t kMostBesideOthers = 64;
  if (active_jobs_.empty()) return;
  parking_.WakeForIfFew(Happening::kArrival, kMostBesideOthers);
  WakeFirstOfEach(parking_.TakeWoken());
  // The first job of a bucket may come too early for it, and the next not.
  const std::vector beside = parking_.AwakeThatWaitedFor(Happening::kArrival);
  std::size_t jobs = 0;
  for (const Parking::BucketId id : beside) jobs += parking_.bucket(id).members.size();
  if (jobs > kMostBesideOthers) return;
  for (const Parking::BucketId id : beside) {
    while (WakeNext(id).valid()) {
    }
  }
}

bool Cluster::WouldWake(const Waits& waits) const {
  if (Parking::Wakes(waits, raised_)) return true;
  const Queue* queue = queues_.Find(waits.queue);
  if (queue && HasMoreRoom(*queue)) return true;
  if (waits.kinds.Has(Happening::kTotal) && LessIsWanted()) return true;
  if (!waits.room) return false;
  return std::ranges::any_of(touched_, [&](NodeId id) {
    if (id.index() >= seen_rooms_.size()) return true;
    const SeenRoom& seen = seen_rooms_[id.index()];
    const SeenRoom room = RoomOf(id);
    const bool more = LessInAny(seen.future, room.future);
    if (!more && !(waits.leaving && LessInAny(seen.idle, room.idle))) return false;
    return Parking::Wakes(waits, room.future);
  });
}

void Cluster::EndOfLook() {
  NoteTotals();
  seen_rooms_.resize(nodes_.bound());
  for (const NodeId id : touched_) {
    SeenRoom& seen = seen_rooms_[id.index()];
    const SeenRoom room = RoomOf(id);
    seen = {LesserOf(seen.idle, room.idle), LesserOf(seen.future, room.future)};
  }
}

Cluster::Supposition::Supposition(Cluster& cluster)
    : cluster_(cluster), raised_(cluster.raised_), touched_(cluster.touched_.size()) {}

Cluster::Supposition::~Supposition() {
  cluster_.raised_ = raised_;
  for (std::size_t i = touched_; i < cluster_.touched_.size(); ++i) {
    cluster_.is_touched_[cluster_.touched_[i].index()] = false;
  }
  cluster_.touched_.resize(touched_);
}

bool Cluster::MayWake() const {
  return parking_.buckets() > 0 && (parking_.anybody_awake() || !raised_.empty() ||
                                    !touched_.empty() || !ChangedObjects().empty());
}

}  // namespace basalt::model
