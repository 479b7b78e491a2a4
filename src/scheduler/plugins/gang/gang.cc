#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <string>

#include "kube/types/reasons.h"
#include "model/group_condition.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/pod_wait.h"
#include "scheduler/framework/reasons.h"
#include "scheduler/framework/session_view.h"
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
class Gang final : public Plugin,
                   public JobOrder,
                   public JobValidator,
                   public JobReadiness,
                   public JobPipelining,
                   public JobStarvation,
                   public PreemptionVictims,
                   public ReclaimVictims,
                   public UnifiedVictims,
                   public SessionObserver {
 public:
  void Open(const SessionView& view) override { view_ = &view; }
  // Says on each group whether it is ready, and if not how much is missing and why.
  void Close(StatusSink& sink) override {
    const auto unschedulable = [&](const Job& job, std::string_view reason, std::string message) {
      sink.SetCondition(job, {.type = std::string(reasons::kUnschedulable),
                              .reason = std::string(reason),
                              .message = std::move(message)});
    };
    for (const Job* job : view_->ActiveJobs()) {
      if (job->counts.total() == 0) {
        // What was said of pods that are gone is not true any more.
        if (SaysUnschedulable(*job)) {
          unschedulable(*job, reasons::kNotEnoughPods, WhyInvalid(*job));
        }
        continue;
      }
      if (job->IsReady()) {
        sink.SetCondition(*job, {.type = std::string(model::kGroupScheduled),
                                 .reason = std::string(reasons::kGroupReady),
                                 .message = ""});
        continue;
      }
      // Too few pods, and nothing else in the way: room would not help.
      const Verdict valid = view_->ValidateJob(*job);
      if (!valid.ok() && !sink.FailureOf(*job)) {
        unschedulable(*job, valid.reason, WhyInvalid(*job));
        continue;
      }
      if (const FitFailure* why = sink.FailureOf(*job); why && !why->reason.empty()) {
        unschedulable(*job, why->reason, why->Message());
        continue;
      }
      // Nor where pods that it needs wait behind gates of others.
      if (const auto gated = GatedMembers(view_->cluster(), *job); !gated.empty()) {
        unschedulable(*job, reasons::kMembersGated, DescribeGatedMembers(*job, gated));
        continue;
      }
      int schedulable = job->ready_tasks();
      for (const model::TaskId id : job->pending) {
        const TaskStatus tried = sink.LastTried(view_->cluster().task(id));
        schedulable += model::IsAllocated(tried);
      }
      unschedulable(
          *job, reasons::kNotEnoughResources,
          fmt::format("{}/{} tasks in gang unschedulable: {}", job->min_available - schedulable,
                      job->counts.total(), WhyNotReady(*job, sink)));
    }
    view_ = nullptr;
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
  VictimOpinion PermitPreemption(const Task&,
                                 std::span<const Task* const> candidates) const override {
    return SpareTasks(candidates);
  }
  VictimOpinion PermitReclaim(const Task&, std::span<const Task* const> candidates) const override {
    return SpareTasks(candidates);
  }
  // Gang-aware eviction takes whole gangs; this plugin has nothing against any of them.
  VictimOpinion PermitEviction(const GangEviction&,
                               std::span<const Task* const> candidates) const override {
    return {.victims = {candidates.begin(), candidates.end()}};
  }

 private:
  VictimOpinion SpareTasks(std::span<const Task* const> candidates) const {
    // How many each job has; goes down as victims are named.
    boost::unordered_flat_map<model::JobId, int> occupied;
    VictimOpinion opinion;
    for (const Task* task : candidates) {
      const Job* job = view_->JobOf(*task);
      if (!job) continue;
      int& left = occupied.try_emplace(job->id, job->ready_tasks()).first->second;
      if (left <= job->min_available) continue;
      --left;
      opinion.victims.push_back(task);
    }
    return opinion;
  }
  std::string WhyNotReady(const Job& job, const StatusSink& sink) const {
    std::map<std::string, int> counts;
    for (int s = 0; s < model::kTaskStatuses; ++s) {
      const auto status = static_cast<TaskStatus>(s);
      if (job.counts[status] > 0) counts[std::string(model::ToString(status))] = job.counts[status];
    }
    counts["minAvailable"] = job.min_available;
    std::vector<std::string> parts;
    for (const auto& [what, count] : counts) parts.push_back(fmt::format("{} {}", count, what));
    std::ranges::sort(parts);
    std::string text = fmt::format("pod group is not ready, {}", fmt::join(parts, ", "));

    int schedulable = 0;
    const Task* example = nullptr;  // whose failure is shown: the first in the tasks' order
    for (const model::TaskId id : job.pending) {
      const Task& task = view_->cluster().task(id);
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

  const SessionView* view_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeGang(const PluginContext& context) {
  if (auto ok = context.config.arguments.Read({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Gang>();
}

}  // namespace basalt::scheduler::plugins
