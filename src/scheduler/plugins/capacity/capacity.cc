#include <fmt/format.h>

#include <algorithm>

#include "kube/types/reasons.h"
#include "model/queue_room.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"
#include "scheduler/plugins/capacity/queue_limits.h"

namespace basalt::scheduler::plugins {
using model::Amounts;
using model::QueueId;
using model::QueueView;
using model::Undefined;

namespace {

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
  Capacity(Reasons& reasons, bool hierarchy, int ancestor_reclaim_level)
      : reasons_(reasons), hierarchy_(hierarchy), ancestor_reclaim_level_(ancestor_reclaim_level) {}
  void Open(const SessionView& view) override {
    view_ = &view;
    limits_ = hierarchy_ ? TreeLimits(view) : FlatLimits(view);
  }

  std::weak_ordering CompareQueues(const Queue& a, const Queue& b) const override {
    if (a.priority != b.priority) return b.priority <=> a.priority;
    const QueueLimits* limits_a = Find(a.id);
    const QueueLimits* limits_b = Find(b.id);
    if (!limits_a || !limits_b) return CompareShares(a.id, b.id);
    if (limits_a->leaf != limits_b->leaf) return limits_b->leaf <=> limits_a->leaf;
    if (!limits_a->leaf) return CompareShares(a.id, b.id);
    // Where their ways part, the branches are compared: without a tree the queues themselves.
    const std::size_t next = CommonLevel(*limits_a, *limits_b) + 1;
    const QueueId branch_a = next < limits_a->ancestors.size() ? limits_a->ancestors[next] : a.id;
    const QueueId branch_b = next < limits_b->ancestors.size() ? limits_b->ancestors[next] : b.id;
    return CompareShares(branch_a, branch_b);
  }
  std::weak_ordering CompareVictimQueues(const Queue& a, const Queue& b,
                                         const Queue& preemptor) const override {
    const QueueLimits* limits_a = Find(a.id);
    const QueueLimits* limits_b = Find(b.id);
    const QueueLimits* mine = Find(preemptor.id);
    if (!limits_a || !limits_b || !mine) return std::weak_ordering::equivalent;
    // The nearer relative gives first.
    return CommonLevel(*limits_b, *mine) <=> CommonLevel(*limits_a, *mine);
  }
  Verdict MayAllocate(const Queue& queue, const Task& task) const override {
    if (!queue.open) return Verdict::Unschedulable(reasons::kQueueNotOpen);
    if (!FindUsableLeaf(queue)) {
      return Verdict::Unschedulable("queue is not a leaf of the queue tree");
    }
    const Amounts& request = task.request();
    const model::Shortfall shortfall =
        FirstLacking(queue, [&](const model::QueueLedger& ledger, const QueueLimits& limits) {
          // Claims count against capabilities, and not against what the nodes have: a claim that no
          // node fits keeps no task out of room that is there.
          model::DimensionSet lacking =
              Lacking(ledger, ViewFor(task), request, limits.gated_capability);
          if (LimitFor(view_->cluster(), task) == model::QueueLimit::kNodes) {
            lacking |= Lacking(ledger, QueueView::kHeld, request, limits.real_capability);
          }
          return lacking;
        });
    if (!shortfall.exists()) return Verdict::Ok();
    return Verdict::QueueFull(reasons_.Keep(QueueLacks(*view_, shortfall)), shortfall);
  }
  model::QueueReach Reach() const override {
    return hierarchy_ ? model::QueueReach::kTree : model::QueueReach::kOwn;
  }
  bool MayReclaim(const Queue& queue, std::span<const Task* const> tasks) const override {
    const QueueLimits* limits = Find(queue.id);
    if (!limits || !limits->usable || !queue.open) return false;
    Amounts request;
    for (const Task* task : tasks) request.Add(task->request());
    if (Lacking(LedgerOf(queue), QueueView::kHeld, request, limits->real_capability) != 0) {
      return false;
    }
    Amounts future = LedgerOf(queue).allocated;
    future.Add(request);
    // One resource of which it would have no more than it deserves is enough.
    if (future.FittingAlongNonZero(limits->deserved, request) != 0) return true;
    for (int depth = 1; hierarchy_ && depth <= ancestor_reclaim_level_; ++depth) {
      const QueueId id = limits->AncestorAt(depth);
      const QueueLimits* ancestor = id.valid() ? Find(id) : nullptr;
      if (!ancestor || ancestor->ancestors.empty()) continue;  // the root has no say
      Amounts above = LedgerOf(view_->cluster().queue(id)).allocated;
      if (above.Add(request).FittingAlongNonZero(ancestor->deserved, request) != 0) return true;
    }
    return false;
  }
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override {
    const Queue& queue = view_->QueueOf(job);
    if (!FindUsableLeaf(queue) || !queue.open) {
      why->text = fmt::format("queue {} is not {}", queue.name,
                              FindUsableLeaf(queue) ? "open" : "a leaf of the queue tree");
      why->nodes_would_help = false;
      return Vote::kReject;
    }
    if (!job.min_resources) return Vote::kPermit;
    const Amounts& asked = *job.min_resources;
    const bool of_nodes = LimitFor(job) == model::QueueLimit::kNodes;
    bool by_capability = false;
    model::Shortfall shortfall =
        FirstLacking(queue, [&](const model::QueueLedger& ledger, const QueueLimits& limits) {
          const auto capability =
              Lacking(ledger, QueueView::kEnqueue, asked, limits.gated_capability);
          by_capability = capability != 0;
          if (by_capability || !of_nodes) return capability;
          return Lacking(ledger, QueueView::kEnqueueOfNodes, asked, limits.real_capability);
        });
    // The queue has nothing of a resource that no node and no queue offers.
    if (!shortfall.exists() && of_nodes && job.unknown_min_resource) shortfall.queue = queue.id;
    if (!shortfall.exists()) return Vote::kPermit;
    shortfall.limit = by_capability ? model::QueueLimit::kCapability : model::QueueLimit::kNodes;
    why->shortfall = shortfall;
    why->text =
        by_capability ? QueueLacks(*view_, shortfall) : NodesLack(*view_, job, shortfall.which);
    return Vote::kReject;
  }
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override {
    VictimOpinion opinion;
    const Job* reclaimer_job = view_->JobOf(reclaimer);
    const QueueLimits* mine = reclaimer_job ? Find(reclaimer_job->queue) : nullptr;
    if (!mine || !mine->usable) return opinion;
    std::vector<const Task*> ordered(candidates.begin(), candidates.end());
    std::ranges::stable_sort(ordered, [&](const Task* a, const Task* b) {
      return view_->VictimBefore(*a, *b, reclaimer);
    });
    Left left;
    for (const Task* victim : ordered) {
      const Job* job = view_->JobOf(*victim);
      const QueueLimits* theirs = job ? Find(job->queue) : nullptr;
      if (!theirs || !theirs->usable) continue;
      const Amounts& request = victim->request();
      // It has nothing that the reclaimer wants.
      const auto wanted = request.NonZero() & reclaimer.request().NonZero();
      if ((wanted & ~model::Bit(model::kPods)) == 0) continue;
      Amounts& allocated = LeftOf(job->queue, left);
      Amounts without = allocated;
      if (!theirs->guarantee.LessEqual(without.Sub(request), Undefined::kZero)) continue;
      const bool deserves_none = (request.NonZero() & theirs->deserved.NonZero()) == 0;
      if (deserves_none) {
        // Relatives that both deserve nothing of it do not take it from each other.
        const bool i_deserve = (reclaimer.request().NonZero() & mine->deserved.NonZero()) != 0;
        if (!i_deserve && SharesAncestor(*mine, *theirs)) continue;
      } else if (allocated.GreaterAlongRelevant(theirs->deserved, request) == 0) {
        continue;
      }
      std::vector<Amounts*> charged = {&allocated};
      if (!AncestorsCanGive(*mine, *theirs, *victim, left, &charged)) continue;
      for (Amounts* amount : charged) amount->Sub(request);
      opinion.victims.push_back(victim);
    }
    return opinion;
  }
  VictimOpinion PermitEviction(const GangEviction& context,
                               std::span<const Task* const> candidates) const override {
    VictimOpinion opinion;
    if (context.kind == GangEviction::Kind::kPreempt) {
      opinion.victims.assign(candidates.begin(), candidates.end());
      return opinion;
    }
    Left left;
    for (const Task* victim : candidates) {
      const Job* job = view_->JobOf(*victim);
      const QueueLimits* theirs = job ? Find(job->queue) : nullptr;
      if (!theirs || !theirs->usable) continue;
      const Amounts& request = victim->request();
      Amounts& allocated = LeftOf(job->queue, left);
      Amounts without = allocated;
      if (!theirs->guarantee.LessEqual(without.Sub(request), Undefined::kZero)) continue;
      const bool deserves_none = (request.NonZero() & theirs->deserved.NonZero()) == 0;
      if (!deserves_none && allocated.GreaterAlongRelevant(theirs->deserved, request) == 0)
        continue;
      allocated.Sub(request);
      opinion.victims.push_back(victim);
    }
    return opinion;
  }

 private:
  using Left = std::map<model::QueueId, model::Amounts>;

  const QueueLimits* Find(QueueId queue) const {
    const auto it = limits_.find(queue);
    return it == limits_.end() ? nullptr : &it->second;
  }
  const QueueLimits* FindUsableLeaf(const Queue& queue) const {
    const QueueLimits* limits = Find(queue.id);
    return limits && limits->usable && limits->leaf ? limits : nullptr;
  }
  const model::QueueLedger& LedgerOf(const Queue& queue) const {
    return model::LedgerOf(queue, Reach());
  }
  // The first queue for which `lacking(ledger, limits)` names dimensions: of the queue itself and,
  // in a tree, of those above it.
  template <class Fn>
  model::Shortfall FirstLacking(const Queue& queue, Fn lacking) const {
    const auto at = [&](const Queue& each) { return lacking(LedgerOf(each), *Find(each.id)); };
    return FirstShortfall(view_->cluster(), queue.id, Reach(), at);
  }
  double ShareOf(QueueId id) const {
    const QueueLimits* limits = Find(id);
    // One that deserves nothing comes after all that have less than they deserve.
    if (!limits || limits->deserved.IsEmpty()) return 1;
    const Amounts& allocated = LedgerOf(view_->cluster().queue(id)).allocated;
    double largest = 0;
    model::ForEachDimension(limits->deserved.NonZero(), [&](int d) {
      largest = std::max(largest, allocated[d] / limits->deserved[d]);
    });
    return largest;
  }
  std::weak_ordering CompareShares(QueueId a, QueueId b) const {
    if (const auto order = std::weak_order(ShareOf(a), ShareOf(b)); order != 0) return order;
    const auto deserves = [&](QueueId id) {
      const QueueLimits* limits = Find(id);
      return limits && !limits->deserved.IsEmpty();
    };
    return deserves(b) <=> deserves(a);
  }
  // What the queue would still have, with what was named as victim taken away.
  model::Amounts& LeftOf(QueueId queue, Left& left) const {
    return left.try_emplace(queue, LedgerOf(view_->cluster().queue(queue)).allocated.value())
        .first->second;
  }
  bool SharesAncestor(const QueueLimits& a, const QueueLimits& b) const {
    for (int i = 1; i <= ancestor_reclaim_level_; ++i) {
      const QueueId mine = a.AncestorAt(i);
      if (!mine.valid() || Find(mine)->ancestors.empty()) continue;
      for (int j = 1; j <= ancestor_reclaim_level_; ++j) {
        if (b.AncestorAt(j) == mine) return true;
      }
    }
    return false;
  }
  bool AncestorsCanGive(const QueueLimits& reclaimer, const QueueLimits& victim_limits,
                        const Task& victim, Left& left, std::vector<Amounts*>* charged) const {
    for (int depth = 1; depth <= ancestor_reclaim_level_; ++depth) {
      const QueueId id = victim_limits.AncestorAt(depth);
      if (!id.valid() || id == reclaimer.AncestorAt(depth)) continue;
      const QueueLimits& ancestor = *Find(id);
      if (ancestor.ancestors.empty()) continue;
      Amounts& allocated = LeftOf(id, left);
      charged->push_back(&allocated);
      const bool deserves_none = (victim.request().NonZero() & ancestor.deserved.NonZero()) == 0;
      if (deserves_none) continue;
      if (allocated.GreaterAlongRelevant(ancestor.deserved, victim.request()) == 0) return false;
    }
    return true;
  }

  Reasons& reasons_;
  bool hierarchy_;
  int ancestor_reclaim_level_;
  const SessionView* view_ = nullptr;
  AllLimits limits_;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeCapacity(const PluginContext& context) {
  constexpr std::string_view kClaims = "capacity.DynamicResourceAllocationEnable";
  constexpr std::string_view kClaimAmounts = "capacity.DRAConsumableCapacityEnable";
  bool claims = false, claim_amounts = false;
  int level = 0;
  const Result<void> ok = context.config.arguments.Read(
      {{kClaims, &claims}, {kClaimAmounts, &claim_amounts}, {"ancestorReclaimLevel", &level}});
  if (!ok) return std::unexpected(ok.error());
  if (claims || claim_amounts) {
    return Fail(ErrorCode::kUnsupported, fmt::format("{}: resource claims are not supported",
                                                     claims ? kClaims : kClaimAmounts));
  }
  return std::make_unique<Capacity>(context.reasons, context.config.IsOn(Switch::kHierarchy),
                                    std::max(level, 0));
}

}  // namespace basalt::scheduler::plugins
