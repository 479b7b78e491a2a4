#pragma once

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Higher priority first, for jobs and for the tasks of a job; the lower may be preempted by the
// higher. Counterpart: Volcano plugins/priority. It takes no arguments.
class Priority final : public Plugin,
                       public TaskOrder,
                       public JobOrder,
                       public JobStarvation,
                       public PreemptionVictims,
                       public UnifiedVictims,
                       public SessionObserver {
 public:
  static constexpr std::string_view kName = "priority";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override { view_ = &view; }

  std::weak_ordering CompareTasks(const Task& a, const Task& b) const override {
    return b.priority <=> a.priority;
  }
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override {
    return b.priority <=> a.priority;
  }
  // A job starves as long as one of its tasks has no place.
  bool IsJobStarving(const Job& job) const override {
    return job.ready_tasks() + job.waiting_tasks() < job.counts.total();
  }
  // Between jobs their priorities count, within a job those of the tasks.
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override;
  // Reclaiming is about fairness between queues: priority is no hindrance there.
  VictimOpinion PermitEviction(const GangEviction& context,
                               std::span<const Task* const> candidates) const override;

 private:
  const SessionView* view_ = nullptr;
};

}  // namespace basalt::scheduler::plugins
