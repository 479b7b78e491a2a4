#pragma once

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"
#include "scheduler/plugins/capacity/queue_limits.h"

namespace basalt::scheduler::plugins {

// Queues with a capability (never more), what they deserve (others may be asked to give it back)
// and a guarantee (never taken away), by resource; with `enableHierarchy` in a tree, in which a
// queue may have what all its ancestors may have. Queue claims count like what is allocated, but
// not against what the nodes have. Counterpart: Volcano plugins/capacity, without DRA.
//
// Argument: ancestorReclaimLevel (0): how many levels of ancestors are looked at beside the queue
// itself when others are asked to give back.
//
// Differs from Volcano: a queue whose way to the root is broken, or that has both jobs and
// children, is not used, but the others are; in Volcano the whole cycle stops.
class Capacity final : public Plugin,
                       public QueueOrder,
                       public VictimQueueOrder,
                       public QueueAdmission,
                       public QueuePreemption,
                       public EnqueueVoter,
                       public ReclaimVictims,
                       public UnifiedVictims,
                       public SessionObserver {
 public:
  static constexpr std::string_view kName = "capacity";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  Capacity(Reasons& reasons, bool hierarchy, int ancestor_reclaim_level)
      : reasons_(reasons), hierarchy_(hierarchy), ancestor_reclaim_level_(ancestor_reclaim_level) {}
  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override;

  std::weak_ordering CompareQueues(const Queue& a, const Queue& b) const override;
  std::weak_ordering CompareVictimQueues(const Queue& a, const Queue& b,
                                         const Queue& preemptor) const override;
  Verdict MayAllocate(const Queue& queue, const Task& task) const override;
  bool MayReclaim(const Queue& queue, std::span<const Task* const> tasks) const override;
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override;
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override;
  VictimOpinion PermitEviction(const GangEviction& context,
                               std::span<const Task* const> candidates) const override;

 private:
  using Left = std::map<model::QueueId, model::Resource>;

  const QueueLimits* Find(model::QueueId queue) const;
  const QueueLimits* FindUsableLeaf(const Queue& queue) const;
  const model::QueueLedger& LedgerOf(const Queue& queue) const {
    return hierarchy_ ? queue.tree : queue.own;
  }
  // The first queue for which `lacking(ledger, limits)` names dimensions: of the queue itself and,
  // in a tree, of those above it.
  template <class Fn>
  model::Shortfall FirstLacking(const Queue& queue, Fn lacking) const;
  double ShareOf(model::QueueId queue) const;
  std::weak_ordering CompareShares(model::QueueId a, model::QueueId b) const;
  // What the queue would still have, with what was named as victim taken away.
  model::Resource& LeftOf(model::QueueId queue, Left& left) const;
  bool SharesAncestor(const QueueLimits& a, const QueueLimits& b) const;
  bool AncestorsCanGive(const QueueLimits& reclaimer, const QueueLimits& victim_limits,
                        const Task& victim, Left& left,
                        std::vector<model::Resource*>* charged) const;

  Reasons& reasons_;
  bool hierarchy_;
  int ancestor_reclaim_level_;
  const SessionView* view_ = nullptr;
  AllLimits limits_;
};

}  // namespace basalt::scheduler::plugins
