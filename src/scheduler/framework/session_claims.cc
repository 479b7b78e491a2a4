// What a session says about promises and evictions.
#include <fmt/format.h>

#include "scheduler/framework/reasons.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler {

using model::TaskStatus;

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
  if (IsReserved(beneficiary)) return;                        // there is no pod to tell
  spared_.try_emplace(beneficiary.id, Spared{victim.id, why});
}

void Session::SayWhoWasSpared() {
  for (const auto& [id, spared] : spared_) {
    const Task* beneficiary = cluster_.FindTask(id);
    const Task* victim = cluster_.FindTask(spared.victim);
    if (!beneficiary || !victim || beneficiary->status() != TaskStatus::kPending) continue;
    if (!memory_->NoteSpared(spared.why, *victim, *beneficiary)) continue;  // it was told before
    const bool twice = spared.why == EvictionMemory::Ruling::kTwice;
    intents_.push_back(model::PodEvent{
        .pod = beneficiary->pod,
        .warning = true,
        .reason = std::string(twice ? reasons::kEvictedBefore : reasons::kEvictionCycle),
        .message = fmt::format(
            "{}/{} is not evicted for this pod: {}", victim->ns(), victim->name(),
            twice ? "a pod of that name was evicted for it before"
                  : "it has its place because a pod of the same origin was evicted for it")});
  }
}

model::Evict Session::EvictionOf(const Statement::Operation& operation) {
  const Task& task = cluster_.task(operation.task);
  model::Evict evict{.task = task.id, .pod = task.pod, .reason = std::string(operation.reason)};
  if (const Task* beneficiary = cluster_.FindTask(operation.beneficiary)) {
    evict.beneficiary = beneficiary->ns() + "/" + beneficiary->name();
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
// is nominated there, and nobody else is anywhere. Either goes with a condition, in one write: an
// autoscaler counts on a nomination only together with Unschedulable, and must see the pod when the
// nomination is gone.
void Session::ReconcileNominations() {
  for (const model::TaskId id : cluster_.promised()) {
    const Task& task = cluster_.task(id);
    if (!JobOf(task) || task.gate != model::Gate::kNone || IsReserved(task)) continue;
    if (!promises_changed_.contains(id)) Promise(task);
  }
  for (const Job* job : ActiveJobs()) {
    for (const model::TaskId id : job->pending) {
      const Task& task = cluster_.task(id);
      if (!IsNominated(task) || said_waits_.contains(id)) continue;
      SayPodWaits(task, reasons::kUnschedulable,
                  "the node that was promised to the pod cannot take it any more");
    }
  }
}

}  // namespace basalt::scheduler
