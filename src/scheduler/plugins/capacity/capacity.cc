#include <fmt/format.h>

#include <algorithm>

#include "kube/types/reasons.h"
#include "model/queue_room.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/session_plugin.h"
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
class Capacity final : public SessionPlugin,
                       public QueueOrder,
                       public VictimQueueOrder,
                       public QueueAdmission,
                       public QueuePreemption,
                       public EnqueueVoter,
                       public ReclaimVictims,
                       public UnifiedVictims {
 public:
  Result<void> Configure(const PluginConfig& config) override {
    constexpr std::string_view kClaims = "capacity.DynamicResourceAllocationEnable";
    constexpr std::string_view kClaimAmounts = "capacity.DRAConsumableCapacityEnable";
    bool claims = false, claim_amounts = false;
    const Result<void> read =
        config.arguments.Read({{kClaims, &claims},
                               {kClaimAmounts, &claim_amounts},
                               {"ancestorReclaimLevel", &ancestor_reclaim_level_}});
    if (read && (claims || claim_amounts)) {
      return Fail(ErrorCode::kUnsupported, fmt::format("{}: resource claims are not supported",
                                                       claims ? kClaims : kClaimAmounts));
    }
    hierarchy_ = config.IsOn(Switch::kHierarchy);
    return read;
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
    if (!IsUsableLeaf(queue)) {
      return Verdict::Unschedulable("queue is not a leaf of the queue tree");
    }
    const Amounts& request = task.request();
    const model::Shortfall shortfall =
        FirstLacking(queue, [&](const model::QueueLedger& ledger, const QueueLimits& limits) {
          // Claims count against capabilities, and not against what the nodes have: a claim that no
          // node fits keeps no task out of room that is there.
          model::DimensionSet lacking =
              Lacking(ledger, ViewFor(task), request, limits.gated_capability);
          if (LimitFor(cluster(), task) == model::QueueLimit::kNodes) {
            lacking |= Lacking(ledger, QueueView::kHeld, request, limits.real_capability);
          }
          return lacking;
        });
    if (!shortfall.exists()) return Verdict::Ok();
    return Verdict::QueueFull(view().reasons().Keep(QueueLacks(view(), shortfall)), shortfall);
  }
  model::QueueReach Reach() const override {
    return hierarchy_ ? model::QueueReach::kTree : model::QueueReach::kOwn;
  }
  bool MayReclaim(const Queue& queue, std::span<const Task* const> tasks) const override {
    const QueueLimits* limits = FindUsable(queue.id);
    if (!limits || !queue.open) return false;
    Amounts request;
    for (const Task* task : tasks) request.Add(task->request());
    if (Lacking(LedgerOf(queue), QueueView::kHeld, request, limits->real_capability) != 0) {
      return false;
    }
    // One resource of which it would have no more than it deserves is enough.
    const auto deserves_some = [&](QueueId id) {
      Amounts future = LedgerOf(cluster().queue(id)).allocated;
      return future.Add(request).FittingAlongNonZero(Find(id)->deserved, request) != 0;
    };
    if (deserves_some(queue.id)) return true;
    for (int depth = 1; depth <= LevelsAsked(*limits); ++depth) {
      if (deserves_some(limits->AncestorAt(depth))) return true;
    }
    return false;
  }
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override {
    const Queue& queue = view().QueueOf(job);
    const bool usable = IsUsableLeaf(queue);
    if (!usable || !queue.open) {
      why->text = fmt::format("queue {} is not {}", queue.name,
                              usable ? "open" : "a leaf of the queue tree");
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
        by_capability ? QueueLacks(view(), shortfall) : NodesLack(view(), job, shortfall.which);
    return Vote::kReject;
  }
  VictimOpinion PermitReclaim(const Task& reclaimer, Candidates candidates) const override {
    const Job* reclaimer_job = view().JobOf(reclaimer);
    const QueueLimits* mine = reclaimer_job ? FindUsable(reclaimer_job->queue) : nullptr;
    if (!mine) return {};
    std::vector<const Task*> ordered(candidates.begin(), candidates.end());
    std::ranges::stable_sort(ordered, [&](const Task* a, const Task* b) {
      return view().VictimBefore(*a, *b, reclaimer);
    });
    Left left;
    return VictimsAmong(ordered, [&](const Task& victim) {
      // It has nothing that the reclaimer wants.
      const auto wanted = victim.request().NonZero() & reclaimer.request().NonZero();
      if ((wanted & ~model::Bit(model::kPods)) == 0) return false;
      const Giver giver = FindGiver(victim, left);
      if (!giver.limits) return false;
      // Relatives that both deserve nothing of it do not take it from each other.
      if (!Deserves(*giver.limits, victim) && !Deserves(*mine, reclaimer) &&
          SharesAncestor(*mine, *giver.limits)) {
        return false;
      }
      std::vector<Amounts*> charged = {giver.left};
      if (!AncestorsCanGive(*mine, *giver.limits, victim, left, &charged)) return false;
      for (Amounts* amount : charged) amount->Sub(victim.request());
      return true;
    });
  }
  VictimOpinion PermitEviction(const GangEviction& context, Candidates candidates) const override {
    Left left;
    return VictimsAmong(candidates, [&](const Task& victim) {
      if (context.kind == GangEviction::Kind::kPreempt) return true;
      const Giver giver = FindGiver(victim, left);
      if (giver.limits) giver.left->Sub(victim.request());
      return giver.limits != nullptr;
    });
  }

 private:
  using Left = std::map<model::QueueId, model::Amounts>;
  // The queue of a victim, and what it would still have.
  struct Giver {
    const QueueLimits* limits = nullptr;
    Amounts* left = nullptr;
  };

  void Opened() override { limits_ = hierarchy_ ? TreeLimits(view()) : FlatLimits(view()); }
  const QueueLimits* Find(QueueId queue) const {
    const auto it = limits_.find(queue);
    return it == limits_.end() ? nullptr : &it->second;
  }
  const QueueLimits* FindUsable(QueueId queue) const {
    const QueueLimits* limits = Find(queue);
    return limits && limits->usable ? limits : nullptr;
  }
  bool IsUsableLeaf(const Queue& queue) const {
    const QueueLimits* limits = FindUsable(queue.id);
    return limits && limits->leaf;
  }
  const model::QueueLedger& LedgerOf(const Queue& queue) const {
    return model::LedgerOf(queue, Reach());
  }
  // The first queue for which `lacking(ledger, limits)` names dimensions: of the queue itself and,
  // in a tree, of those above it.
  template <class Fn>
  model::Shortfall FirstLacking(const Queue& queue, Fn lacking) const {
    const auto at = [&](const Queue& each) { return lacking(LedgerOf(each), *Find(each.id)); };
    return FirstShortfall(cluster(), queue.id, Reach(), at);
  }
  double ShareOf(QueueId id) const {
    const QueueLimits* limits = Find(id);
    // One that deserves nothing comes after all that have less than they deserve.
    if (!limits || limits->deserved.IsEmpty()) return 1;
    return DominantShare(LedgerOf(cluster().queue(id)).allocated, limits->deserved);
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
    return left.try_emplace(queue, LedgerOf(cluster().queue(queue)).allocated.value())
        .first->second;
  }
  static bool Deserves(const QueueLimits& limits, const Task& task) {
    return (task.request().NonZero() & limits.deserved.NonZero()) != 0;
  }
  // Whether it has more than it deserves of what the victim has, or deserves nothing of that.
  static bool HasToSpare(const QueueLimits& limits, const Amounts& allocated, const Task& victim) {
    return !Deserves(limits, victim) ||
           allocated.GreaterAlongRelevant(limits.deserved, victim.request()) != 0;
  }
  // None: the victim's queue cannot be asked to give it.
  Giver FindGiver(const Task& victim, Left& left) const {
    const Job* job = view().JobOf(victim);
    const QueueLimits* limits = job ? FindUsable(job->queue) : nullptr;
    if (!limits) return {};
    Amounts& allocated = LeftOf(job->queue, left);
    Amounts without = allocated;
    const bool keeps_guarantee =
        limits->guarantee.LessEqual(without.Sub(victim.request()), Undefined::kZero);
    if (!keeps_guarantee || !HasToSpare(*limits, allocated, victim)) return {};
    return {limits, &allocated};
  }
  // How many levels of ancestors are looked at; the root has no say.
  int LevelsAsked(const QueueLimits& limits) const {
    return std::min(ancestor_reclaim_level_, static_cast<int>(limits.ancestors.size()) - 1);
  }
  bool SharesAncestor(const QueueLimits& a, const QueueLimits& b) const {
    for (int i = 1; i <= LevelsAsked(a); ++i) {
      for (int j = 1; j <= LevelsAsked(b); ++j) {
        if (a.AncestorAt(i) == b.AncestorAt(j)) return true;
      }
    }
    return false;
  }
  bool AncestorsCanGive(const QueueLimits& reclaimer, const QueueLimits& victim_limits,
                        const Task& victim, Left& left, std::vector<Amounts*>* charged) const {
    for (int depth = 1; depth <= LevelsAsked(victim_limits); ++depth) {
      const QueueId id = victim_limits.AncestorAt(depth);
      if (id == reclaimer.AncestorAt(depth)) continue;
      charged->push_back(&LeftOf(id, left));
      if (!HasToSpare(*Find(id), *charged->back(), victim)) return false;
    }
    return true;
  }

  bool hierarchy_ = false;
  int ancestor_reclaim_level_ = 0;  // not above zero: none
  AllLimits limits_;
};

}  // namespace

std::unique_ptr<Plugin> MakeCapacity() { return std::make_unique<Capacity>(); }

}  // namespace basalt::scheduler::plugins
