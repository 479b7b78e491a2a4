#include "scheduler/framework/session.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "scheduler/framework/aggregators.h"

namespace basalt::scheduler {

using model::JobPhase;
using model::TaskStatus;

Session::Session(model::Cluster& cluster, PluginSet& plugins, Time now, EvictionMemory* memory,
                 CycleHost* host, Purpose purpose)
    : SessionView(cluster, plugins, now),
      state_(cluster),
      memory_(memory),
      host_(host),
      rehearsal_(purpose == Purpose::kRehearsal),
      finder_(*this, plugins),
      budgets_(cluster) {
  state_.CutNodeLog();
  state_.SplitClasses();
  if (!rehearsal_) state_.WakeParked(now);
  TellAll(plugins_.hooks<SessionObserver>(), [&](SessionObserver& plugin) { plugin.Open(*this); });
}

Session::~Session() = default;

std::vector<const Job*> Session::JobsInTurn() const {
  std::vector<const Job*> jobs = ActiveJobs();
  std::erase_if(jobs, [&](const Job* job) { return !IsInTurn(*job); });
  return jobs;
}

bool Session::GoOn(const Job& looked_at) {
  if (!host_) return true;
  // A promise waits for the condition that is written with it, and evictions for the promise.
  const auto waits = [](const model::Intent& intent) {
    return std::holds_alternative<model::Nominate>(intent) ||
           std::holds_alternative<model::Evict>(intent);
  };
  // Those that wait from earlier jobs stand in front, and are not moved again for each job.
  const auto first = std::ranges::find_if_not(intents_, waits);
  const auto out = std::stable_partition(first, intents_.end(), waits);
  std::vector<model::Intent> going(std::make_move_iterator(out),
                                   std::make_move_iterator(intents_.end()));
  intents_.erase(out, intents_.end());
  if (!going.empty()) {
    spoke_ = true;
    host_->SendOut(std::move(going));
  }
  return host_->TimeIsLeft(looked_at.ns);
}

void Session::Enqueue(const Job& job) {
  TellAll(plugins_.hooks<EnqueueObserver>(),
          [&](EnqueueObserver& plugin) { plugin.JobEnqueued(job); });
  Admit(job);
}

void Session::Admit(const Job& job) {
  decided_ = true;
  NoteChanged(job);
  state_.SetPhase(job.id, JobPhase::kInqueue);
}

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
  budgets_.Moved(task, from);
  TellAll(plugins_.hooks<PlacementObserver>(),
          [&](PlacementObserver& plugin) { plugin.TaskMoved(task, from); });
}

void Session::Carry(const Statement::Operation& operation) {
  const Task& task = cluster_.task(operation.task);
  decided_ = true;
  last_tried_.erase(task.id);
  NoteCarried(operation);
  switch (operation.kind) {
    case Statement::Kind::kAllocate: {
      // A later operation of the same statement may have moved it on.
      if (task.status() != TaskStatus::kAllocated) return;
      model::Holding binding = task.holding;
      binding.status = TaskStatus::kBinding;
      Move(task.id, binding);
      model::Bind bind{.task = task.id, .pod = task.pod, .node = cluster_.node(task.node()).name};
      if (const Job* job = JobOf(task)) bind.queue = QueueOf(*job).name;
      TellAll(plugins_.hooks<BindPlanner>(),
              [&](BindPlanner& plugin) { plugin.PlanBind(task, &bind); });
      intents_.push_back(std::move(bind));
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
    case Statement::Kind::kQueueClaim: state_.SetClaimedSince(task.id, now_); return;
    case Statement::Kind::kLapse: return;
  }
}

void Session::Ungate(const Task& task) {
  if (!task.waits_at_gate() || task.ungating) return;
  decided_ = true;
  if (const Job* job = JobOf(task)) NoteChanged(*job);
  state_.SetUngating(task.id, true);
  intents_.push_back(model::Ungate{.task = task.id, .pod = task.pod});
}

Time Session::ClaimedSince(const Task& task) {
  if (task.claimed_since == Time{}) {
    const kube::Condition* known = kube::FindCondition(task.pod->status.conditions, "PodScheduled");
    const bool unschedulable = known && known->reason == reasons::kUnschedulable;
    state_.SetClaimedSince(task.id, unschedulable ? known->last_transition_time : now_);
  }
  return task.claimed_since;
}

void Session::RecordFailure(const Task& task, FitFailure failure) {
  failures_.insert_or_assign(task.id, std::move(failure));
}

void Session::RecordFailure(const Job& job, FitFailure failure) {
  job_failures_.insert_or_assign(job.id, std::move(failure));
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

const FitFailure* Session::FailureOf(const Job& job) const {
  const auto it = job_failures_.find(job.id);
  return it == job_failures_.end() ? nullptr : &it->second;
}

TaskStatus Session::LastTried(const Task& task) const {
  const auto it = last_tried_.find(task.id);
  return it == last_tried_.end() ? task.status() : it->second;
}

}  // namespace basalt::scheduler
