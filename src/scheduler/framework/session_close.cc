// The end of a session: phases of groups, and what users see of jobs that wait. Nothing is said
// that the object says already, and no text depends on more than the state, so that a cycle that
// changes nothing writes nothing.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "model/group_condition.h"
#include "model/group_of.h"
#include "model/queue_room.h"
#include "scheduler/framework/aggregators.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/reasons.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler {

using model::JobPhase;
using model::TaskStatus;

namespace {

// What is about to be created, most likely: not worth a word, let alone a write per pod.
constexpr Duration kQueueMayCome = 1s;

bool HasType(const auto& conditions, std::string_view type) {
  return std::ranges::any_of(conditions, [&](const auto& known) { return known.type == type; });
}

bool Says(const kube::PodGroup& group, const model::GroupCondition& wanted) {
  const auto is_wanted = [&](const kube::PodGroupCondition& condition) {
    return condition.type == wanted.type && condition.status == kube::ConditionStatus::kTrue &&
           condition.reason == wanted.reason && StillHolds(condition.message, wanted.message);
  };
  return !HasType(group.conditions, model::ExcludedBy(wanted.type)) &&
         std::ranges::any_of(group.conditions, is_wanted);
}

}  // namespace

JobPhase Session::PhaseAfter(const Job& job, bool unschedulable) const {
  // A shadow goes with its pod. It never wants room again, so it must not ask to be enqueued.
  if (job.shadow && job.counts[TaskStatus::kReleasing] > 0) return JobPhase::kRunning;
  if (job.counts[TaskStatus::kRunning] > 0 && unschedulable) return JobPhase::kUnknown;
  const int completed = job.counts[TaskStatus::kSucceeded] + job.counts[TaskStatus::kFailed];
  const int scheduled =
      completed + job.counts[TaskStatus::kBound] + job.counts[TaskStatus::kRunning];
  if (scheduled >= job.min_available) {
    return scheduled == completed ? JobPhase::kCompleted : JobPhase::kRunning;
  }
  // What a job was promised it was admitted for: it must not have to ask again.
  const bool admitted = job.phase == JobPhase::kInqueue || !job.pipelined.empty();
  return admitted ? JobPhase::kInqueue : JobPhase::kPending;
}

bool Session::SaysAlready(const Task& task, std::string_view reason, std::string_view message) {
  const kube::Condition* known = kube::PodScheduledOf(*task.pod);
  const bool waits = known && known->status == kube::ConditionStatus::kFalse;
  if (waits && known->reason == reason && StillHolds(known->message, message)) return true;
  // Other words may have to wait their turn, and are said again until they stand there.
  if (const Job* job = JobOf(task); job && waits) DependsOnTime(*job);
  return false;
}

// A gated pod is never called unschedulable: that would call an autoscaler. One that is nominated
// and holds nothing loses that in the same write.
void Session::SayPodWaits(const Task& task, std::string_view reason, std::string message) {
  said_waits_.insert(task.id);
  if (cluster_.IsReserved(task)) {
    return state_.mutable_reservations().SayWaiting(task, reason, message);
  }
  const bool gated = task.gate != model::Gate::kNone;
  if (task.status() == TaskStatus::kPending && IsNominated(task)) {
    model::Promise none{.task = task.id, .pod = task.pod, .node = ""};
    if (!gated) {
      none.reason = reason;
      none.message = std::move(message);
    }
    intents_.push_back(std::move(none));
  } else if (!gated && !SaysAlready(task, reason, message)) {
    intents_.push_back(model::PodWaits{.task = task.id,
                                       .pod = task.pod,
                                       .reason = std::string(reason),
                                       .message = std::move(message)});
  }
}

model::GroupStatus Session::StatusOf(const Job& job) const {
  return {.job = job.id,
          .group = job.group,
          .phase = job.phase,
          .running = job.counts[TaskStatus::kRunning],
          .succeeded = job.counts[TaskStatus::kSucceeded],
          .failed = job.counts[TaskStatus::kFailed],
          .conditions = {}};
}

// As in Volcano the conditions that change in one cycle have one id, and no other cycle's have it.
void Session::Say(model::GroupStatus status) {
  status.transition_id = fmt::format("{}-{}", cycle(), now_.time_since_epoch() / 1ms);
  intents_.push_back(std::move(status));
}

// Whether it is too early to say so: the pods that a gang lacks may be on their way.
bool Session::PodsMayCome(const Job& job, const model::GroupCondition& condition) const {
  if (condition.reason != reasons::kNotEnoughPods &&
      condition.reason != reasons::kNotEnoughPodsOfTask) {
    return false;
  }
  return job.counts.total() > 0 && job.counts.total() == static_cast<int>(job.pending.size()) &&
         std::ranges::all_of(cluster_.TasksOf(job.pending), [&](const Task& task) {
           return task.pod->meta.creation_timestamp + kPodsMayCome > now_;
         });
}

void Session::SayThatQueueIsMissing(const Job& job) {
  const std::string message =
      fmt::format("queue {} does not exist", cluster_.queue(job.queue).name);
  for (const Task& task : cluster_.TasksOf(job.pending)) {
    SayPodWaits(task, reasons::kQueueNotFound, message);
  }
  if (!job.has_object()) return;
  model::GroupCondition condition{.type = std::string(reasons::kUnschedulable),
                                  .reason = std::string(reasons::kQueueNotFound),
                                  .message = message};
  if (Says(*job.group, condition)) return;
  model::GroupStatus status = StatusOf(job);
  status.conditions.push_back(std::move(condition));
  Say(std::move(status));
}

FitFailure Session::WhyNotAdmitted(const Task& task, const Verdict& refusal) {
  LastRefusal& last = last_refusal_;
  if (last.job == task.job && last.task_class == task.task_class && last.reason == refusal.reason) {
    return last.failure;
  }
  last = {.job = task.job,
          .task_class = task.task_class,
          .reason = refusal.reason,
          .failure = {.other = std::string(refusal.reason),
                      .nodes_would_help = false,
                      .step = FitFailure::Step::kQueue,
                      .shortfall = refusal.shortfall}};
  const Job* job = JobOf(task);
  if (!job || LimitFor(cluster_, task) == model::QueueLimit::kCapability) return last.failure;
  if (const Queue& queue = QueueOf(*job); queue.in_cycle) {
    last.failure.other = fmt::format("queue {} is its own ancestor: its parent {} leads back to it",
                                     queue.name, queue.object->parent);
    return last.failure;
  } else if (!queue.open || CapabilityShortfall(cluster_, *job, task, queue_reach()).exists()) {
    return last.failure;
  }
  // Looking at every node for each of thousands that wait would cost more than it tells: the first
  // in the order of jobs hear of the nodes.
  constexpr std::size_t kMostExplained = 64;
  if (cluster_.nodes().empty() || failures_.size() + job_failures_.size() >= kMostExplained) {
    last.failure.nodes_would_help = true;
    last.failure.step = FitFailure::Step::kNode;
    // It is the nodes that lack it, not the queue.
    if (cluster_.nodes().empty() || refusal.shortfall.which != 0) {
      last.failure.other = NodesLack(*this, *job, refusal.shortfall.which);
    }
  } else if (!finder_.Best(task, Room::kChecked)) {
    last.failure = WhyNoNode(task, Room::kChecked);
  }
  return last.failure;
}

void Session::SayWhyPodsWait(const Job& job) {
  for (PodWait& wait : WhyPodsWait(job)) {
    if (wait.task->pod->meta.creation_timestamp + wait.patience > now_) {
      DependsOnTime(job);
    } else {
      SayPodWaits(*wait.task, wait.reason, std::move(wait.message));
    }
  }
}

void Session::Close() {
  if (closed_) return;
  closed_ = true;
  CopyOutcomes();
  TellAll(plugins_.hooks<SessionObserver>(), [&](SessionObserver& plugin) { plugin.Close(*this); });
  const std::vector<model::JobId> active = cluster_.active_jobs();
  for (const model::JobId id : active) {
    const Job& job = cluster_.job(id);
    if (!job.exists() || FindJob(id) || job.created() + kQueueMayCome > now_) continue;
    SayThatQueueIsMissing(job);
    ParkUntilItsQueueComes(job);
  }
  for (const Job* job : JobsInTurn()) {
    looked_at_.push_back(job->id);
    model::GroupStatus status = StatusOf(*job);
    if (auto said = conditions_.find(job->id); said != conditions_.end()) {
      status.conditions = std::move(said->second);
    }
    status.phase = PhaseAfter(*job, HasType(status.conditions, model::kGroupUnschedulable));
    SayWhyPodsWait(*job);
    if (status.phase != job->phase) NoteChanged(*job);
    state_.SetPhase(job->id, status.phase);
    state_.Settle(job->id);
    if (!job->has_object()) continue;
    const kube::PodGroup& old = *status.group;
    std::erase_if(status.conditions, [&](const model::GroupCondition& condition) {
      if (Says(old, condition)) return true;
      const bool early = PodsMayCome(*job, condition);
      // Other words may have to wait their turn, and are said again until they stand there.
      if (early || HasType(old.conditions, condition.type)) DependsOnTime(*job);
      return early;
    });
    const bool changed = !status.conditions.empty() ||
                         model::ToString(status.phase) != kube::ToString(old.phase) ||
                         status.running != old.running || status.succeeded != old.succeeded ||
                         status.failed != old.failed;
    if (changed) Say(std::move(status));
  }
  SayWhichGroupsAreMissing();
  ReconcileNominations();
  SayWhoWasSpared();
  for (const auto& [record, phase_changed] : state_.mutable_reservations().TakeChanged(now_)) {
    intents_.push_back(model::ReservationStatus{
        .reservation = record->object, .status = record->status, .phase_changed = phase_changed});
  }
  for (const Job* job : JobsInTurn()) ParkIfStuck(*job);
  if (const std::optional<Time> due = cluster_.parking().next_due()) WakeAt(*due);
  state_.EndOfLook();
}

void Session::SayWhichGroupsAreMissing() {
  // Groups and pods are written by different hands; a moment without the group is nothing to tell.
  constexpr Duration kPatience = 2s;
  for (const model::JobId id : cluster_.groupless_jobs()) {
    const Job& job = cluster_.job(id);
    for (const Task& task : cluster_.TasksOf(job.pending)) {
      if (now_ - task.pod->meta.creation_timestamp < kPatience) continue;
      SayPodWaits(task, reasons::kGroupNotFound, model::WhyGroupIsMissing(*task.pod));
    }
  }
}

// ---- evictions

bool Session::MayEvict(const Task& victim, const Task& beneficiary) const {
  return !memory_ ||
         memory_->Judge(cluster_, victim, beneficiary, now_) == EvictionMemory::Ruling::kMay;
}

void Session::NoteSpared(const Task& victim, const Task& beneficiary) {
  // Another pod like this one might be evicted, and later this one.
  if (const Job* job = JobOf(beneficiary)) DependsOnTime(*job);
  const EvictionMemory::Ruling why = memory_->Judge(cluster_, victim, beneficiary, now_);
  if (why == EvictionMemory::Ruling::kRefusedLately) return;  // that passes by itself
  if (cluster_.IsReserved(beneficiary)) return;               // there is no pod to tell
  spared_.try_emplace(beneficiary.id, Spared{victim.id, why});
}

void Session::SayWhoWasSpared() {
  for (const auto& [id, spared] : spared_) {
    const Task* beneficiary = cluster_.FindTask(id);
    const Task* victim = cluster_.FindTask(spared.victim);
    if (!beneficiary || !victim || beneficiary->status() != TaskStatus::kPending) continue;
    if (!memory_->NoteSpared(spared.why, *victim, *beneficiary)) continue;  // it was told before
    const bool twice = spared.why == EvictionMemory::Ruling::kTwice;
    intents_.push_back(model::Warning(beneficiary->pod,
                                      twice ? reasons::kEvictedBefore : reasons::kEvictionCycle,
                                      WhySpared(*victim, spared.why)));
  }
}

model::Evict Session::EvictionOf(const Statement::Operation& operation) {
  const Task& task = cluster_.task(operation.task);
  model::Evict evict{.task = task.id, .pod = task.pod, .reason = std::string(operation.reason)};
  if (const Task* beneficiary = cluster_.FindTask(operation.beneficiary)) {
    evict.beneficiary = beneficiary->pod->meta.Key();
    evict.beneficiary_uid = beneficiary->uid();
    if (memory_) memory_->Record(cluster_, task, *beneficiary, now_);
  }
  return evict;
}

// ---- promises

// A gated pod is never called unschedulable: that would call an autoscaler.
void Session::Promise(const Task& task, std::vector<model::Evict> victims) {
  promises_changed_.insert(task.id);
  model::Promise promise{.task = task.id,
                         .pod = task.pod,
                         .node = cluster_.node(task.node()).name,
                         .victims = std::move(victims)};
  if (memory_) promise.evictions = memory_->AnnotationOf(task.uid());
  if (task.gate == model::Gate::kNone) {
    promise.reason = reasons::kUnschedulable;
    promise.message =
        fmt::format("promised node {}, once the pods that leave it are gone", promise.node);
  }
  const bool stands =
      promise.victims.empty() && task.pod->status.nominated_node_name == promise.node &&
      (promise.reason.empty() || SaysAlready(task, promise.reason, promise.message));
  if (!stands) intents_.push_back(std::move(promise));
}

bool Session::IsNominated(const Task& task) const {
  return !task.pod->status.nominated_node_name.empty() || promises_changed_.contains(task.id);
}

// What pods say follows what they hold, also where a write was lost: a pod that is promised a node
// is nominated there, and no other pod is nominated. Either goes with a condition, in one write: an
// autoscaler counts on a nomination only together with Unschedulable, and must see the pod when the
// nomination is gone.
void Session::ReconcileNominations() {
  for (const Task& task : cluster_.TasksOf(cluster_.promised())) {
    if (!JobOf(task) || task.gate != model::Gate::kNone || cluster_.IsReserved(task)) continue;
    if (!promises_changed_.contains(task.id)) Promise(task);
  }
  for (const Job* job : ActiveJobs()) {
    for (const Task& task : cluster_.TasksOf(job->pending)) {
      if (!IsNominated(task) || said_waits_.contains(task.id)) continue;
      SayPodWaits(task, reasons::kUnschedulable,
                  "the node that was promised to the pod cannot take it any more");
    }
  }
}

}  // namespace basalt::scheduler
