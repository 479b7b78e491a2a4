#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <string>

#include "kube/types/reasons.h"
#include "model/group_condition.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/pod_wait.h"
#include "scheduler/framework/reasons.h"
#include "scheduler/framework/session_plugin.h"
#include "scheduler/framework/status_sink.h"

namespace basalt::scheduler::plugins {
using model::TaskStatus;

namespace {

bool SaysUnschedulable(const Job& job) {
  return std::ranges::any_of(job.group->conditions, [](const kube::PodGroupCondition& condition) {
    return condition.type == model::kGroupUnschedulable &&
           condition.status == kube::ConditionStatus::kTrue;
  });
}

// All or nothing: a job starts only when min_available of its tasks can, and never loses so many
// that fewer remain. Counterpart: Volcano plugins/gang, without subgroups. It takes no arguments.
class Gang final : public SessionPlugin,
                   public JobOrder,
                   public JobValidator,
                   public JobReadiness,
                   public JobPipelining,
                   public JobStarvation,
                   public EvictionVictims,
                   public UnifiedVictims {
 public:
  // Says on each group whether it is ready, and if not how much is missing and why.
  void Close(StatusSink& sink) override {
    for (const Job* job : view().ActiveJobs()) {
      const bool has_pods = job->counts.total() > 0;
      if (has_pods && job->IsReady()) {
        sink.SetCondition(*job, {.type = std::string(model::kGroupScheduled),
                                 .reason = std::string(reasons::kGroupReady),
                                 .message = ""});
      } else if (has_pods || SaysUnschedulable(*job)) {
        Why why = WhyUnschedulable(*job, sink);
        sink.SetCondition(*job, {.type = std::string(reasons::kUnschedulable),
                                 .reason = std::string(why.reason),
                                 .message = std::move(why.message)});
      }
    }
  }

  // Jobs that are not ready go first.
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override {
    return a.IsReady() <=> b.IsReady();
  }
  Verdict ValidateJob(const Job& job) const override {
    if (!job.RolesAreValid()) return Verdict::Unschedulable(reasons::kNotEnoughPodsOfTask);
    if (job.valid_tasks() < job.min_available) {
      return Verdict::Unschedulable(reasons::kNotEnoughPods);
    }
    return Verdict::Ok();
  }
  bool IsJobReady(const Job& job) const override { return job.RolesAreReady() && job.IsReady(); }
  Vote IsJobPipelined(const Job& job) const override {
    return job.RolesArePipelined() && job.IsPipelined() ? Vote::kPermit : Vote::kReject;
  }
  bool IsJobStarving(const Job& job) const override { return job.IsStarving(); }
  VictimOpinion Permit(const Task&, Candidates candidates) const override {
    // How many each job can spare; goes down as victims are named.
    boost::unordered_flat_map<model::JobId, int> spare;
    return VictimsAmong(candidates, [&](const Task& task) {
      const Job* job = view().JobOf(task);
      if (!job) return false;
      const int more_than_needed = job->ready_tasks() - job->min_available;
      return spare.try_emplace(job->id, more_than_needed).first->second-- > 0;
    });
  }
  // Gang-aware eviction takes whole gangs; this plugin has nothing against any of them.
  VictimOpinion PermitEviction(const GangEviction&, Candidates candidates) const override {
    return {.victims = {candidates.begin(), candidates.end()}};
  }

 private:
  struct Why {
    std::string_view reason;
    std::string message;
  };
  Why WhyUnschedulable(const Job& job, const StatusSink& sink) const {
    // What was said of pods that are gone is not true any more.
    if (job.counts.total() == 0) return {reasons::kNotEnoughPods, WhyInvalid(job)};
    // Too few pods, and nothing else in the way: room would not help.
    const FitFailure* failure = sink.FailureOf(job);
    const Verdict valid = view().ValidateJob(job);
    if (!valid.ok() && !failure) return {valid.reason, WhyInvalid(job)};
    if (failure && !failure->reason.empty()) return {failure->reason, failure->Message()};
    // Nor where pods that it needs wait behind gates of others.
    if (const auto gated = GatedMembers(cluster(), job); !gated.empty()) {
      return {reasons::kMembersGated, DescribeGatedMembers(job, gated)};
    }
    int schedulable = job.ready_tasks();
    for (const model::TaskId id : job.pending) {
      schedulable += model::IsAllocated(sink.LastTried(cluster().task(id)));
    }
    return {reasons::kNotEnoughResources,
            fmt::format("{}/{} tasks in gang unschedulable: {}", job.min_available - schedulable,
                        job.counts.total(), WhyNotReady(job, sink))};
  }
  std::string WhyNotReady(const Job& job, const StatusSink& sink) const {
    std::vector<std::string> parts = {fmt::format("{} minAvailable", job.min_available)};
    for (int s = 0; s < model::kTaskStatuses; ++s) {
      const auto status = static_cast<TaskStatus>(s);
      const int count = job.counts[status];
      if (count > 0) parts.push_back(fmt::format("{} {}", count, model::ToString(status)));
    }
    std::ranges::sort(parts);
    std::string text = fmt::format("pod group is not ready, {}", fmt::join(parts, ", "));

    int schedulable = 0;
    const Task* example = nullptr;  // whose failure is shown: the first in the tasks' order
    for (const Task& task : cluster().TasksOf(job.pending)) {
      schedulable += sink.LastTried(task) == TaskStatus::kAllocated;
      if (sink.FailureOf(task) && (!example || model::TaskBefore(task, *example))) example = &task;
    }
    const int waiting = static_cast<int>(job.pending.size());
    if (waiting > 0) {
      std::vector<std::string> kinds;
      if (schedulable > 0) kinds.push_back(fmt::format("{} Schedulable", schedulable));
      if (waiting > schedulable) {
        kinds.push_back(fmt::format("{} Unschedulable", waiting - schedulable));
      }
      text += fmt::format("; Pending: {}", fmt::join(kinds, ", "));
    }
    if (const FitFailure* why = sink.FailureOf(job)) {
      text += ". Origin reason is: " + why->Message();
    } else if (example) {
      text += fmt::format(". Origin reason is {}: {}", example->name(),
                          sink.FailureOf(*example)->Message());
    }
    return text;
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeGang() { return std::make_unique<Gang>(); }

}  // namespace basalt::scheduler::plugins
