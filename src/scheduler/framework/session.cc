#include "scheduler/framework/session.h"

#include <algorithm>

#include "base/check.h"
#include "model/group_of.h"
#include "scheduler/framework/aggregators.h"

namespace basalt::scheduler {

using model::JobPhase;
using model::TaskStatus;

Session::Session(model::Cluster& cluster, PluginSet& plugins, Time now, EvictionMemory* memory)
    : SessionView(cluster, plugins, now),
      state_(cluster),
      memory_(memory),
      finder_(*this, plugins) {
  state_.CutNodeLog();
  TellAll(plugins_.hooks<SessionObserver>(), [&](SessionObserver& plugin) { plugin.Open(*this); });
}

Session::~Session() = default;

void Session::Enqueue(const Job& job) {
  TellAll(plugins_.hooks<EnqueueObserver>(),
          [&](EnqueueObserver& plugin) { plugin.JobEnqueued(job); });
  state_.SetPhase(job.id, JobPhase::kInqueue);
}

void Session::Admit(const Job& job) { state_.SetPhase(job.id, JobPhase::kInqueue); }

void Session::MarkStarted(const Job& job) {
  if (!job.schedule_start) state_.SetScheduleStart(job.id, now_);
}

void Session::Move(model::TaskId id, const model::Holding& to) {
  const Task& task = cluster_.task(id);
  const model::Holding from = task.holding;
  if (from == to) return;
  if (from.status == TaskStatus::kAllocated || from.status == TaskStatus::kPipelined) {
    if (to.status == TaskStatus::kPending) last_tried_[id] = from.status;
  }
  state_.Move(id, to);
  TellAll(plugins_.hooks<PlacementObserver>(),
          [&](PlacementObserver& plugin) { plugin.TaskMoved(task, from); });
}

void Session::Carry(const Statement::Operation& operation) {
  const Task& task = cluster_.task(operation.task);
  last_tried_.erase(task.id);
  switch (operation.kind) {
    case Statement::Kind::kAllocate: {
      // A later operation of the same statement may have moved it on.
      if (task.status() != TaskStatus::kAllocated) return;
      model::Holding binding = task.holding;
      binding.status = TaskStatus::kBinding;
      Move(task.id, binding);
      intents_.push_back(
          model::Bind{.task = task.id, .pod = task.pod, .node = cluster_.node(task.node()).name});
      return;
    }
    case Statement::Kind::kPipeline:
      if (task.status() != TaskStatus::kPipelined) return;
      Nominate(task, cluster_.node(task.node()).name);
      return;
    case Statement::Kind::kEvict: {
      if (task.status() != TaskStatus::kReleasing) return;
      model::Evict evict{.task = task.id, .pod = task.pod, .reason = std::string(operation.reason)};
      if (const Task* beneficiary = cluster_.FindTask(operation.beneficiary)) {
        evict.beneficiary = beneficiary->ns() + "/" + beneficiary->name();
        evict.beneficiary_uid = beneficiary->uid();
        if (memory_) memory_->Record(cluster_, task, *beneficiary, now_);
      }
      intents_.push_back(std::move(evict));
      return;
    }
    case Statement::Kind::kUnallocate:
      if (task.status() != TaskStatus::kPending) return;
      if (operation.before.status == TaskStatus::kPipelined) Nominate(task, "");
      return;
    case Statement::Kind::kVanish:
      BASALT_CHECK(false);  // never to be committed
      return;
    case Statement::Kind::kQueueClaim:
      intents_.push_back(model::Ungate{.task = task.id, .pod = task.pod});
      return;
  }
}

void Session::RecordFailure(const Task& task, FitFailure failure) {
  failures_.insert_or_assign(task.id, std::move(failure));
}

void Session::RecordFailure(const Job& job, std::string why) {
  job_failures_.insert_or_assign(job.id, std::move(why));
}

void Session::ForgetFailures(const Job& job) {
  job_failures_.erase(job.id);
  for (const model::TaskId id : job.pending) failures_.erase(id);
}

void Session::SetCondition(const Job& job, model::GroupCondition condition) {
  conditions_[job.id].push_back(std::move(condition));
}

const FitFailure* Session::FailureOf(const Task& task) const {
  const auto it = failures_.find(task.id);
  return it == failures_.end() ? nullptr : &it->second;
}

const std::string& Session::FailureOf(const Job& job) const {
  static const std::string kNone;
  const auto it = job_failures_.find(job.id);
  return it == job_failures_.end() ? kNone : it->second;
}

TaskStatus Session::LastTried(const Task& task) const {
  const auto it = last_tried_.find(task.id);
  return it == last_tried_.end() ? task.status() : it->second;
}

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
  return job.phase == JobPhase::kInqueue ? JobPhase::kInqueue : JobPhase::kPending;
}

namespace {

bool Has(const kube::PodGroup& group, const model::GroupCondition& wanted) {
  return std::ranges::any_of(group.conditions, [&](const kube::PodGroupCondition& condition) {
    return condition.type == wanted.type && condition.status == kube::ConditionStatus::kTrue &&
           condition.reason == wanted.reason && condition.message == wanted.message;
  });
}

}  // namespace

void Session::SayWhyPodsWait(const Job& job) {
  // A gang that may start needs nobody's help; of one that may not every pod waits, also those that
  // would fit: who makes room must see them all.
  if (IsJobReady(job) && job.pending.empty()) return;
  const std::string& job_failure = FailureOf(job);
  for (const model::TaskId id : job.pending) {
    const Task& task = cluster_.task(id);
    if (task.gate != model::Gate::kNone) continue;
    std::string message;
    if (const FitFailure* failure = FailureOf(task)) {
      message = failure->Message();
    } else if (LastTried(task) == TaskStatus::kAllocated) {
      message = "the pod fits, but its group is not complete";
    } else if (LastTried(task) == TaskStatus::kPipelined) {
      message = "the pod will fit once others have left, but its group is not complete";
    } else if (!job_failure.empty()) {
      message = job_failure;
    } else {
      continue;  // it was not looked at
    }
    SayPodWaits(task, reasons::kUnschedulable, std::move(message));
  }
}

void Session::SayPodWaits(const Task& task, std::string_view reason, std::string message) {
  said_waits_.insert(task.id);
  const kube::Condition* known = kube::FindCondition(task.pod->status.conditions, "PodScheduled");
  if (known && known->status == kube::ConditionStatus::kFalse && known->reason == reason &&
      known->message == message) {
    return;
  }
  intents_.push_back(model::PodWaits{.task = task.id,
                                     .pod = task.pod,
                                     .reason = std::string(reason),
                                     .message = std::move(message)});
}

void Session::Close() {
  if (closed_) return;
  closed_ = true;
  TellAll(plugins_.hooks<SessionObserver>(), [&](SessionObserver& plugin) { plugin.Close(*this); });
  for (const Job* job : ActiveJobs()) {
    auto conditions = conditions_.find(job->id);
    model::GroupStatus status{.job = job->id, .group = job->group};
    bool unschedulable = false;
    if (conditions != conditions_.end()) {
      for (const model::GroupCondition& condition : conditions->second) {
        unschedulable = unschedulable || condition.type == reasons::kUnschedulable;
      }
      status.conditions = std::move(conditions->second);
    }
    status.phase = PhaseAfter(*job, unschedulable);
    status.running = job->counts[TaskStatus::kRunning];
    status.succeeded = job->counts[TaskStatus::kSucceeded];
    status.failed = job->counts[TaskStatus::kFailed];
    SayWhyPodsWait(*job);
    state_.SetPhase(job->id, status.phase);
    state_.Settle(job->id);
    if (job->shadow) continue;  // nobody else knows of it
    const kube::PodGroup& old = *status.group;
    std::erase_if(status.conditions,
                  [&](const model::GroupCondition& condition) { return Has(old, condition); });
    const bool changed = !status.conditions.empty() ||
                         model::ToString(status.phase) != kube::ToString(old.phase) ||
                         status.running != old.running || status.succeeded != old.succeeded ||
                         status.failed != old.failed;
    if (changed) intents_.push_back(std::move(status));
  }
  SayWhichGroupsAreMissing();
  ReconcileNominations();
}

void Session::SayWhichGroupsAreMissing() {
  // Groups and pods are written by different hands; a moment without the group is nothing to tell.
  constexpr Duration kPatience = 2s;
  for (const model::JobId id : cluster_.groupless_jobs()) {
    const Job& job = cluster_.job(id);
    for (const model::TaskId task_id : job.pending) {
      const Task& task = cluster_.task(task_id);
      if (task.gate != model::Gate::kNone) continue;
      if (now_ - task.pod->meta.creation_timestamp < kPatience) continue;
      SayPodWaits(task, reasons::kGroupNotFound, model::WhyGroupIsMissing(*task.pod));
    }
  }
}

}  // namespace basalt::scheduler
