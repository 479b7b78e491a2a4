#include "scheduler/framework/admitted.h"

#include <string>
#include <vector>

#include "kube/types/time.h"
#include "scheduler/framework/reasons.h"

namespace basalt::scheduler {

using model::TaskStatus;

bool EnoughAdmitted(const model::Cluster& cluster, const Job& job) {
  std::vector<int> admitted(job.roles.size());
  int total = 0;
  for (std::size_t i = 0; i < job.roles.size(); ++i) {
    const model::StatusCounts& counts = job.roles[i].counts;
    admitted[i] = counts.Ready() + counts[TaskStatus::kPipelined];
    total += admitted[i];
  }
  for (const model::TaskId id : job.pending) {
    const Task& task = cluster.task(id);
    // A gate that is not ours to remove.
    if (task.gate != model::Gate::kNone && !task.waits_at_gate()) continue;
    // Best-effort tasks need no room; backfill places them.
    if (!IsAdmitted(job, task) && !task.best_effort()) continue;
    ++admitted[task.role];
    ++total;
  }
  if (total < job.min_available) return false;
  if (!job.RolesCount()) return true;
  for (std::size_t i = 0; i < job.roles.size(); ++i) {
    if (admitted[i] < job.roles[i].min_available) return false;
  }
  return true;
}

std::optional<Time> ClaimedSince(const Task& task) {
  if (task.claimed_since != Time{}) return task.claimed_since;
  const kube::Condition* said = kube::FindCondition(task.pod->status.conditions, "PodScheduled");
  if (said && said->reason == reasons::kUnschedulable) return said->last_transition_time;
  return std::nullopt;
}

Result<std::optional<Duration>> GateHoldTimeout(const Arguments& arguments) {
  std::string text;
  if (auto ok = arguments.Get("gateHoldTimeout", &text); !ok) return std::unexpected(ok.error());
  if (text.empty()) return std::nullopt;
  const Result<Duration> timeout = kube::ParseDuration(text);
  if (!timeout) return std::unexpected(timeout.error().Wrap("gateHoldTimeout"));
  if (*timeout > Duration::zero()) return *timeout;
  return Fail(ErrorCode::kInvalidArgument,
              "gateHoldTimeout: must be more than nothing; leave it out to switch it off");
}

}  // namespace basalt::scheduler
