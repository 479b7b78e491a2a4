#pragma once

#include <string>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler::plugins {

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
  static constexpr std::string_view kName = "gang";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override { view_ = &view; }
  // Says on each group whether it is ready, and if not how much is missing and why.
  void Close(StatusSink& sink) override;

  // Jobs that are not ready go first.
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override;
  Verdict ValidateJob(const Job& job) const override;
  bool IsJobReady(const Job& job) const override;
  Vote IsJobPipelined(const Job& job) const override;
  bool IsJobStarving(const Job& job) const override { return job.IsStarving(); }
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override;
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override;
  // Gang-aware eviction takes whole gangs; this plugin has nothing against any of them.
  VictimOpinion PermitEviction(const GangEviction& context,
                               std::span<const Task* const> candidates) const override;

 private:
  VictimOpinion SpareTasks(std::span<const Task* const> candidates) const;
  std::string WhyNotReady(const Job& job, const StatusSink& sink) const;

  const SessionView* view_ = nullptr;
};

}  // namespace basalt::scheduler::plugins
