#pragma once

#include <memory>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"
#include "scheduler/plugins/drf/share_tree.h"

namespace basalt::scheduler::plugins {

// Dominant resource fairness among jobs: the job with the smallest dominant share goes first, and
// may preempt those that would still have more. With `enableHierarchy` queues are ordered, and
// reclaimed from, by shares in the tree that their annotations volcano.sh/hierarchy and
// volcano.sh/hierarchy-weights make. Counterpart: Volcano plugins/drf. It takes no arguments.
//
// The tree looks at every job, as in Volcano, so that hierarchy costs a walk over all jobs after
// each change; without it a job's share is read from its ledger.
class Drf final : public Plugin,
                  public JobOrder,
                  public QueueOrder,
                  public PreemptionVictims,
                  public ReclaimVictims,
                  public SessionObserver,
                  public PlacementObserver {
 public:
  static constexpr std::string_view kName = "drf";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  explicit Drf(bool hierarchy) : hierarchy_(hierarchy) {}
  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override;
  void TaskMoved(const Task& task, const model::Holding& from) override;

  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override;
  std::weak_ordering CompareQueues(const Queue& a, const Queue& b) const override;
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override;
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override;

 private:
  double ShareOf(const Job& job) const;
  // With the reclaimer's request added and the victim's taken away, where given.
  ShareTree MakeTree(const Task* reclaimer, const Task* victim) const;

  bool hierarchy_;
  const SessionView* view_ = nullptr;
  mutable std::unique_ptr<ShareTree> tree_;  // of the state as it is; nullptr: out of date
};

}  // namespace basalt::scheduler::plugins
