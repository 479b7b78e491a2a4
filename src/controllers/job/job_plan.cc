#include "controllers/job/job_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "controllers/job/phase_table.h"

namespace basalt::controllers {
namespace {

using kube::VcJobPhase;

bool IsActive(VcJobPhase phase) {
  return phase == VcJobPhase::kPending || phase == VcJobPhase::kRunning;
}

// Which pods an unfinished restart of the whole job has left to remove: the status says what led to
// it. One that was asked to be resumed keeps what has ended.
bool RestartKeepsEnded(const kube::VcJob& job) {
  if (job.status.retry_count >= job.spec.MaxRetry()) return true;
  const std::string_view message = job.status.message;
  const auto action = ParseJobAction(message.substr(0, message.find(':')));
  return action && (*action == JobAction::kResumeJob || ReachOf(*action) != Reach::kJob);
}

bool IsTarget(const JobPod& pod, const Occurrence& occurrence) {
  switch (ReachOf(occurrence.action)) {
    case Reach::kJob: return true;
    case Reach::kTask: return pod.task == occurrence.task;
    case Reach::kPod: return pod.name == occurrence.pod;
    case Reach::kPartition:
      return pod.task == occurrence.task && pod.partition == occurrence.partition;
  }
  return false;
}

// What goes in any case: pods that are too many, that were marked, or whose attempt is over.
bool IsStale(const kube::VcJob& job, const JobPod& pod) {
  if (pod.leaving) return false;
  if (pod.ours) return true;
  const bool of_the_past = pod.version < job.status.version;
  if (job.status.phase == VcJobPhase::kRestarting) {
    return of_the_past && (!pod.has_ended() || !RestartKeepsEnded(job));
  }
  if (!IsActive(job.status.phase)) return false;
  const kube::VcJobTask* task = job.spec.FindTask(pod.task);
  return !task || pod.index >= task->replicas || (of_the_past && !pod.has_ended());
}

bool Goes(const kube::VcJob& job, const JobPod& pod, const Occurrence& occurrence,
          const PhaseCell& cell) {
  if (pod.uid.empty()) return false;  // seen, it goes
  const bool is_target = cell.kill == Kill::kTargets && IsTarget(pod, occurrence);
  // The pod that another client is deleting is marked, so that it is not counted again.
  if (pod.leaving) return is_target && !pod.marked;
  if (is_target || IsStale(job, pod)) return true;
  if (cell.kill == Kill::kSoft) return !pod.has_ended();
  if (cell.kill != Kill::kAll) return false;
  const std::int32_t used = job.status.retry_count + (cell.counts_as_retry ? 1 : 0);
  return used < job.spec.MaxRetry() || !pod.has_ended();
}

kube::VcJobStatus WithCounts(const kube::VcJob& job, const JobTally& tally) {
  kube::VcJobStatus status = job.status;
  status.min_available = job.spec.MinAvailable();
  status.pending = tally.pending;
  status.running = tally.running;
  status.succeeded = tally.succeeded;
  status.failed = tally.failed;
  status.terminating = tally.terminating;
  status.unknown = tally.unknown;
  status.task_status_count.clear();
  for (std::size_t i = 0; i < tally.tasks.size(); ++i) {
    const TaskTally& task = tally.tasks[i];
    auto& count = status.task_status_count.emplace_back();
    count.task = job.spec.tasks[i].name;
    const auto add = [&](kube::PodPhase phase, std::int32_t number) {
      if (number > 0) count.phases.emplace_back(kube::ToString(phase), number);
    };
    add(kube::PodPhase::kPending, task.pending);
    add(kube::PodPhase::kRunning, task.running);
    add(kube::PodPhase::kSucceeded, task.succeeded);
    add(kube::PodPhase::kFailed, task.failed);
    add(kube::PodPhase::kUnknown, task.unknown);
    std::ranges::sort(count.phases);
    if (count.phases.empty()) status.task_status_count.pop_back();
  }
  std::ranges::sort(status.task_status_count, {}, &kube::VcJobStatus::TaskCount::task);
  return status;
}

PhaseFacts FactsOf(const kube::VcJob& job, const JobTally& tally, std::int32_t retry_count) {
  PhaseFacts facts{.phase = job.status.phase,
                   .total = job.spec.TotalReplicas(),
                   .min_available = job.spec.MinAvailable(),
                   .total_minimum = job.spec.TotalMinimum(),
                   .min_success = job.spec.min_success,
                   .pending = tally.pending,
                   .running = tally.running,
                   .succeeded = tally.succeeded,
                   .failed = tally.failed,
                   .terminating = tally.terminating,
                   .retry_count = retry_count,
                   .max_retry = job.spec.MaxRetry()};
  for (std::size_t i = 0; i < tally.tasks.size(); ++i) {
    if (tally.tasks[i].succeeded < job.spec.tasks[i].Minimum()) facts.task_short_of_minimum = true;
  }
  return facts;
}

// A kill begins a new version, once: what is left of the old one is no news any more.
bool BeginsVersion(const kube::VcJob& job, const JobPods& pods, const PhaseCell& cell) {
  if (cell.kill != Kill::kAll && cell.kill != Kill::kSoft) return false;
  if (IsActive(job.status.phase)) return true;
  if (job.status.phase != VcJobPhase::kRestarting) return false;
  return std::ranges::any_of(
      pods, [&](const auto& entry) { return entry.second.version >= job.status.version; });
}

std::string WhyOf(const Occurrence& occurrence, const PhaseFacts& facts) {
  if (occurrence.action != JobAction::kSync) {
    return fmt::format("{}: {}", ToString(occurrence.action), occurrence.detail);
  }
  return fmt::format("SyncJob: of {} pods {} are pending, {} running, {} succeeded, {} failed",
                     facts.total, facts.pending, facts.running, facts.succeeded, facts.failed);
}

void Enter(kube::VcJobStatus& status, VcJobPhase phase, const kube::VcJob& job, Time now) {
  status.phase = phase;
  status.last_transition_time = std::chrono::floor<std::chrono::seconds>(now);
  status.conditions.push_back(
      {.phase = phase, .last_transition_time = status.last_transition_time});
  if (phase != VcJobPhase::kPending && phase != VcJobPhase::kRunning) {
    status.running_duration =
        std::max(Duration::zero(), status.last_transition_time - job.meta.creation_timestamp);
  }
}

std::vector<PodToMake> MissingPods(const kube::VcJob& job, const JobPods& pods,
                                   const JobTally& tally) {
  std::vector<PodToMake> make;
  const std::vector<bool> may_start = TasksThatMayStart(job.spec, tally);
  for (std::size_t i = 0; i < job.spec.tasks.size(); ++i) {
    if (!may_start[i]) continue;
    const kube::VcJobTask& task = job.spec.tasks[i];
    if (tally.tasks[i].wanted >= task.replicas) continue;
    for (std::int32_t index = 0; index < task.replicas; ++index) {
      if (!pods.contains(PodNameOf(job.meta.name, task.name, index))) {
        make.push_back({.task = i, .index = index});
      }
    }
  }
  return make;
}

}  // namespace

std::vector<bool> TasksThatMayStart(const kube::VcJobSpec& spec, const JobTally& tally) {
  std::vector<bool> may_start(spec.tasks.size(), true);
  for (std::size_t i = 0; i < spec.tasks.size(); ++i) {
    const auto& depends_on = spec.tasks[i].depends_on;
    if (!depends_on || depends_on->names.empty()) continue;
    const TaskTally& own = tally.tasks[i];
    if (own.pending + own.running + own.succeeded + own.failed + own.unknown > 0) continue;
    const auto serves = [&](const std::string& name) {
      for (std::size_t k = 0; k < spec.tasks.size(); ++k) {
        if (spec.tasks[k].name == name) return tally.tasks[k].serving >= spec.tasks[k].Minimum();
      }
      return false;
    };
    may_start[i] = depends_on->any ? std::ranges::any_of(depends_on->names, serves)
                                   : std::ranges::all_of(depends_on->names, serves);
  }
  return may_start;
}

JobPlan PlanJob(const kube::VcJob& job, const JobPods& pods, const Occurrence& occurrence,
                bool may_make, Time now) {
  JobPlan plan;
  const PhaseCell cell = CellOf(job.status.phase, occurrence.action);
  for (const auto& [name, pod] : pods) {
    if (Goes(job, pod, occurrence, cell)) plan.remove.push_back(name);
  }
  std::ranges::sort(plan.remove);
  if (cell.kill == Kill::kTargets) {
    for (const std::string& name : plan.remove) {
      if (name != occurrence.pod) plan.mark_first.push_back(name);
    }
  }
  plan.drop_parts = cell.kill == Kill::kSoft || cell.kill == Kill::kAll;

  JobPods after;
  if (!plan.remove.empty()) after = pods;
  for (const std::string& name : plan.remove) after[name].leaving = true;
  const JobTally tally = TallyOf(job.spec, plan.remove.empty() ? pods : after);
  plan.status = WithCounts(job, tally);
  if (BeginsVersion(job, pods, cell)) ++plan.status.version;
  if (cell.counts_as_retry) ++plan.status.retry_count;
  const PhaseFacts facts = FactsOf(job, tally, plan.status.retry_count);
  const VcJobPhase next = NextPhase(cell, facts);
  if (next != job.status.phase || occurrence.action != JobAction::kSync) {
    const bool goes_on_leaving = cell.next == PhaseCell::Next::kWhenLeft;
    // The reason why it leaves stays the reason why it has left.
    if (!goes_on_leaving) {
      plan.status.reason = ToString(occurrence.event);
      plan.status.message = WhyOf(occurrence, facts);
    }
  }
  if (next != job.status.phase) Enter(plan.status, next, job, now);
  // The counts of a job that has ended stay, even when its pods are deleted.
  const bool all_has_left =
      job.status.pending + job.status.running + job.status.unknown + job.status.terminating == 0;
  if (kube::HasEnded(job.status.phase) && all_has_left && plan.remove.empty()) {
    plan.status = job.status;
  }
  if (may_make && IsActive(job.status.phase) && next == job.status.phase) {
    plan.make = MissingPods(job, pods, tally);
  }
  return plan;
}

std::vector<JobPod> FindMissing(const kube::VcJob& job, const JobPods& pods) {
  std::vector<JobPod> missing;
  for (const auto& count : job.status.task_status_count) {
    const kube::VcJobTask* task = job.spec.FindTask(count.task);
    if (!task) continue;
    std::int32_t gone = 0;
    for (const auto& [phase, number] : count.phases) gone += number;
    for (const auto& [name, pod] : pods) gone -= pod.task == task->name ? 1 : 0;
    for (std::int32_t index = 0; index < task->replicas && gone > 0; ++index) {
      std::string name = PodNameOf(job.meta.name, task->name, index);
      if (pods.contains(name)) continue;
      --gone;
      JobPod& pod = missing.emplace_back();
      pod.name = std::move(name);
      pod.task = task->name;
      pod.index = index;
      pod.version = job.status.version;
      if (task->partition_policy && task->partition_policy->partition_size > 0) {
        pod.partition = std::to_string(index / task->partition_policy->partition_size);
      }
    }
  }
  return missing;
}

bool SameButCounts(const kube::VcJobStatus& a, const kube::VcJobStatus& b) {
  return a.phase == b.phase && a.version == b.version && a.retry_count == b.retry_count &&
         a.reason == b.reason && a.message == b.message && a.min_available == b.min_available &&
         a.controlled_resources == b.controlled_resources;
}

}  // namespace basalt::controllers
