// What a session says about promises and evictions.
#include <fmt/format.h>

#include "scheduler/framework/reasons.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler {

using model::TaskStatus;

void Session::MarkOverdue(const Task& leaving) {
  decided_ = true;
  ++helped_;
  state_.RaiseMove(leaving.holding, leaving.holding);
  model::Holding to = leaving.holding;
  to.overdue = true;
  Move(leaving.id, to);
}

bool Session::MayEvict(const Task& victim, const Task& beneficiary) {
  if (!memory_) return true;
  const EvictionMemory::Ruling ruling = memory_->Judge(cluster_, victim, beneficiary, now_);
  if (ruling == EvictionMemory::Ruling::kCycle && memory_->NoteBroken(victim, beneficiary)) {
    intents_.push_back(model::PodEvent{
        .pod = beneficiary.pod,
        .warning = true,
        .reason = "EvictionCycle",
        .message = fmt::format("{}/{} is not evicted for this pod: it has its place because a pod "
                               "of the same origin was evicted for it",
                               victim.ns(), victim.name())});
  }
  if (ruling == EvictionMemory::Ruling::kMay) return true;
  // Another pod like this one might, and later this one.
  if (const Job* job = JobOf(beneficiary)) DependsOnTime(*job);
  return false;
}

void Session::Nominate(const Task& task, std::string node) {
  nominated_[task.id] = node;
  std::string evictions;
  if (memory_ && !node.empty()) evictions = memory_->AnnotationOf(task.uid());
  intents_.push_back(model::Nominate{.task = task.id,
                                     .pod = task.pod,
                                     .node = std::move(node),
                                     .evictions = std::move(evictions)});
}

// What pods say follows what they hold, also where a write was lost: a pod that is promised a node
// is nominated there, and nobody else is anywhere. Either goes with a condition, in one write: an
// autoscaler counts on a nomination only together with Unschedulable, and must see the pod when the
// nomination is gone.
void Session::ReconcileNominations() {
  for (const model::TaskId id : cluster_.promised()) {
    const Task& task = cluster_.task(id);
    if (!JobOf(task) || task.gate != model::Gate::kNone) continue;
    const std::string& node = cluster_.node(task.node()).name;
    if (task.pod->status.nominated_node_name != node && !nominated_.contains(id)) {
      Nominate(task, node);
    }
    SayPodWaits(task, reasons::kUnschedulable,
                fmt::format("promised node {}, once the pods that leave it are gone", node));
  }
  for (const Job* job : ActiveJobs()) {
    for (const model::TaskId id : job->pending) {
      const Task& task = cluster_.task(id);
      const bool nominated = !task.pod->status.nominated_node_name.empty();
      if (!nominated && !nominated_.contains(id)) continue;
      if (nominated && !nominated_.contains(id)) Nominate(task, "");
      if (said_waits_.contains(id) || task.gate != model::Gate::kNone) continue;
      SayPodWaits(task, reasons::kUnschedulable,
                  "the node that was promised to the pod cannot take it any more");
    }
  }
}

}  // namespace basalt::scheduler
