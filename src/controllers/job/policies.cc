#include "controllers/job/policies.h"

#include <fmt/format.h>

#include <algorithm>

#include "controllers/job/phase_table.h"

namespace basalt::controllers {
namespace {

bool Matches(const kube::VcJobPolicy& policy, JobEvent event, std::int32_t exit_code) {
  if (event == JobEvent::kPodPending && !policy.timeout) return false;
  if (policy.exit_code) {
    return event == JobEvent::kPodFailed && exit_code != 0 && *policy.exit_code == exit_code;
  }
  return std::ranges::any_of(policy.events, [&](const std::string& name) {
    return name == "*" || name == ToString(event);
  });
}

// What happened to a pod that is there.
std::vector<JobEvent> EventsOf(const JobPod& pod, const kube::VcJobTask* task,
                               const TaskTally* tally) {
  if (pod.leaving) return {JobEvent::kPodEvicted};
  switch (pod.phase) {
    case kube::PodPhase::kFailed: return {JobEvent::kPodFailed};
    case kube::PodPhase::kSucceeded:
      if (task && task->replicas > 0 && tally->succeeded >= task->replicas) {
        return {JobEvent::kTaskCompleted};
      }
      return {};
    case kube::PodPhase::kPending:
    case kube::PodPhase::kRunning: {
      std::vector<JobEvent> events;
      if (task && pod.restarts > 0 && tally->restarts >= task->MaxRetry()) {
        events.push_back(JobEvent::kTaskFailed);
      }
      if (pod.phase == kube::PodPhase::kPending) events.push_back(JobEvent::kPodPending);
      return events;
    }
    case kube::PodPhase::kUnknown: break;
  }
  return {};
}

std::string Describe(JobEvent event, const JobPod& pod) {
  switch (event) {
    case JobEvent::kPodFailed:
      return fmt::format("pod {} failed with exit code {}", pod.name, pod.exit_code);
    case JobEvent::kPodEvicted: return fmt::format("pod {} was deleted", pod.name);
    case JobEvent::kPodPending: return fmt::format("pod {} is pending", pod.name);
    case JobEvent::kTaskCompleted:
      return fmt::format("all pods of task {} have succeeded", pod.task);
    case JobEvent::kTaskFailed:
      return fmt::format("containers of task {} have restarted too often", pod.task);
    default: return "";
  }
}

}  // namespace

PolicyMatch FindPolicy(const kube::VcJobSpec& spec, const kube::VcJobTask* task, JobEvent event,
                       std::int32_t exit_code) {
  const auto look =
      [&](const std::vector<kube::VcJobPolicy>& policies) -> std::optional<PolicyMatch> {
    for (const kube::VcJobPolicy& policy : policies) {
      if (!Matches(policy, event, exit_code)) continue;
      return PolicyMatch{.action = ParseJobAction(policy.action).value_or(JobAction::kSync),
                         .timeout = policy.timeout};
    }
    return std::nullopt;
  };
  if (task) {
    if (const auto found = look(task->policies)) return *found;
  }
  return look(spec.policies).value_or(PolicyMatch());
}

std::vector<Occurrence> FindOccurrences(const kube::VcJob& job, const JobPods& pods,
                                        const std::vector<JobPod>& gone, const JobTally& tally,
                                        bool group_is_unknown) {
  std::vector<Occurrence> found;
  const auto look = [&](const JobPod& pod, JobEvent event, const kube::VcJobTask* task) {
    const PolicyMatch match = FindPolicy(job.spec, task, event, pod.exit_code);
    if (!IsEffective(job.status.phase, match.action)) return;
    found.push_back({.event = event,
                     .action = match.action,
                     .timeout = match.timeout.value_or(Duration::zero()),
                     .pod = pod.name,
                     .pod_uid = pod.uid,
                     .task = pod.task,
                     .partition = pod.partition,
                     .version = pod.version,
                     .sequence = pod.sequence,
                     .since = event == JobEvent::kPodPending  ? pod.created
                              : event == JobEvent::kPodFailed ? pod.ended
                                                              : Time{},
                     .detail = Describe(event, pod)});
  };
  const auto task_of = [&](const JobPod& pod, std::size_t& at) -> const kube::VcJobTask* {
    for (at = 0; at < job.spec.tasks.size(); ++at) {
      if (job.spec.tasks[at].name == pod.task) return &job.spec.tasks[at];
    }
    return nullptr;
  };
  const bool none_apply =
      job.spec.policies.empty() &&
      std::ranges::all_of(job.spec.tasks, [](const auto& task) { return task.policies.empty(); });
  if (none_apply) return found;
  std::size_t at = 0;
  for (const auto& [name, pod] : pods) {
    if (pod.ours || pod.uid.empty() || pod.version < job.status.version) continue;
    const kube::VcJobTask* task = task_of(pod, at);
    // More replicas were wished for once: its end is no event.
    if (task && pod.index >= task->replicas) continue;
    for (const JobEvent event : EventsOf(pod, task, task ? &tally.tasks[at] : nullptr)) {
      look(pod, event, task);
    }
  }
  for (const JobPod& pod : gone) {
    if (pod.version < job.status.version) continue;
    const kube::VcJobTask* task = task_of(pod, at);
    if (task && pod.index < task->replicas) look(pod, JobEvent::kPodEvicted, task);
  }
  std::ranges::stable_sort(found, {},
                           [](const Occurrence& one) { return std::pair(one.sequence, one.pod); });
  if (group_is_unknown) {
    const PolicyMatch match = FindPolicy(job.spec, nullptr, JobEvent::kUnknown);
    // What is about a task or a pod has none here.
    if (ReachOf(match.action) == Reach::kJob && IsEffective(job.status.phase, match.action)) {
      found.push_back({.event = JobEvent::kUnknown,
                       .action = match.action,
                       .timeout = match.timeout.value_or(Duration::zero()),
                       .version = job.status.version,
                       .detail = "some pods run and the others cannot be placed"});
    }
  }
  return found;
}

}  // namespace basalt::controllers
