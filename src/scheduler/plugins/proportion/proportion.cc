#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <map>

#include "kube/types/reasons.h"
#include "model/queue_room.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
using model::Amounts;
using model::QueueView;
using model::Undefined;

namespace {

// A queue for itself, whatever those above it may have.
model::DimensionSet LacksCapability(const Queue& queue, QueueView view, const Amounts& request) {
  return Lacking(queue.own, view, request, [&](int d) { return CapabilityOf(queue, d); });
}

// Divides the cluster among the queues that have jobs, by their weights: what a queue deserves is
// its part of the total, at least its guarantee, at most its capability and what it asks for; what
// one does not need goes to the others. A queue that has what it deserves gets no more, and must
// give back what it has beyond when another asks. Counterpart: Volcano plugins/proportion. It takes
// no arguments.
class Proportion final : public SessionPlugin,
                         public QueueOrder,
                         public QueueOveruse,
                         public QueueAdmission,
                         public QueuePreemption,
                         public EnqueueVoter,
                         public ReclaimVictims {
 public:
  std::weak_ordering CompareQueues(const Queue& a, const Queue& b) const override {
    if (a.priority != b.priority) return b.priority <=> a.priority;
    return std::weak_order(ShareOf(a), ShareOf(b));
  }
  bool IsOverused(const Queue& queue) const override {
    const Share* share = Find(queue);
    return share && share->deserved.LessEqual(queue.own.allocated, Undefined::kZero);
  }
  Verdict MayAllocate(const Queue& queue, const Task& task) const override {
    if (!queue.open) return Verdict::Unschedulable(reasons::kQueueNotOpen);
    const Share* share = Find(queue);
    if (!share) return Verdict::Ok();
    const Amounts& request = task.request();
    // What a queue deserves is a part of the nodes that exist, and claims take no nodes: a claim
    // that no node fits keeps no task out of room that is there.
    if (LimitFor(cluster(), task) == model::QueueLimit::kNodes) {
      const auto lacking = Lacking(queue.own, QueueView::kHeld, request, share->deserved);
      if (lacking != 0) {
        return Verdict::Unschedulable(view().reasons().Keep(
            fmt::format("queue {} has no more than it deserves of {}", queue.name,
                        fmt::join(cluster().dimensions().Names(lacking), ", "))));
      }
    }
    const model::Shortfall shortfall{queue.id, LacksCapability(queue, ViewFor(task), request)};
    if (shortfall.which == 0) return Verdict::Ok();
    return Verdict::QueueFull(view().reasons().Keep(QueueLacks(view(), shortfall)), shortfall);
  }
  bool MayReclaim(const Queue& queue, std::span<const Task* const> tasks) const override {
    if (!queue.open) return false;
    const Share* share = Find(queue);
    if (!share) return false;
    Amounts request;
    for (const Task* task : tasks) request.Add(task->request());
    return Lacking(queue.own, QueueView::kHeld, request, share->deserved) == 0;
  }
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override {
    const Queue& queue = view().QueueOf(job);
    if (!queue.open) {
      why->text = fmt::format("queue {} is not open", queue.name);
      why->nodes_would_help = false;
      return Vote::kReject;
    }
    const Share* share = Find(queue);
    if (!share || !job.min_resources) return Vote::kPermit;
    const Amounts& asked = *job.min_resources;
    model::Shortfall shortfall{queue.id, LacksCapability(queue, QueueView::kEnqueue, asked)};
    if (shortfall.which != 0) {
      why->shortfall = shortfall;
      why->text = QueueLacks(view(), shortfall);
      return Vote::kReject;
    }
    if (LimitFor(job) == model::QueueLimit::kCapability) return Vote::kPermit;
    shortfall.limit = model::QueueLimit::kNodes;
    shortfall.which = Lacking(queue.own, QueueView::kEnqueueOfNodes, asked, share->real_capability);
    // The queue has nothing of a resource that no node and no queue offers.
    if (shortfall.which == 0 && !job.unknown_min_resource) return Vote::kPermit;
    why->shortfall = shortfall;
    why->text = NodesLack(view(), job, shortfall.which);
    return Vote::kReject;
  }
  VictimOpinion PermitReclaim(const Task&, Candidates candidates) const override {
    // What each queue would still have; goes down as victims are named.
    boost::unordered_flat_map<model::QueueId, Amounts> left;
    return VictimsAmong(candidates, [&](const Task& task) {
      const Job* job = view().JobOf(task);
      const Share* share = job ? Find(view().QueueOf(*job)) : nullptr;
      if (!share) return false;
      const Amounts& had = view().QueueOf(*job).own.allocated;
      Amounts& allocated = left.try_emplace(job->queue, had).first->second;
      if (allocated.LessEqual(share->deserved, Undefined::kZero)) return false;
      allocated.Sub(task.request());
      return true;
    });
  }

 private:
  struct Share {
    Amounts request;  // when the session was opened
    Amounts real_capability;
    Amounts deserved;
    bool met = false;
  };

  void Opened() override {
    shares_.clear();
    const Amounts& total = cluster().total_allocatable();
    const std::vector<const Queue*> queues = view().Queues();
    Amounts guaranteed;
    for (const Queue* queue : queues) guaranteed.Add(queue->guarantee);
    for (const Queue* queue : queues) {
      if (queue->jobs.empty()) continue;
      Share& share = shares_[queue->id];
      share.request = queue->own.request;
      share.real_capability = ExceededPart(total, guaranteed).Add(queue->guarantee);
      LowerToCapability(share.real_capability, *queue);
    }
    Divide(total);
  }
  void Divide(Amounts remaining) {
    while (true) {
      double total_weight = 0;
      for (const auto& [id, share] : shares_) {
        if (!share.met) total_weight += cluster().queue(id).weight;
      }
      if (total_weight == 0) return;
      Amounts increased;
      for (auto& [id, share] : shares_) {
        if (share.met) continue;
        const Queue& queue = cluster().queue(id);
        const Amounts old = share.deserved;
        share.deserved.Add(Amounts(remaining).Scale(queue.weight / total_weight));
        share.deserved.LowerTo(share.real_capability, Undefined::kInfinity);
        share.deserved.LowerTo(share.request, Undefined::kZero);
        share.deserved.RaiseTo(queue.guarantee);
        share.met =
            share.request.LessEqual(share.deserved, Undefined::kZero) || share.deserved == old;
        increased.Add(ExceededPart(share.deserved, old));
      }
      remaining = ExceededPart(remaining, increased);
      if (remaining.IsEmpty()) return;
    }
  }
  // nullptr: the queue has no jobs.
  const Share* Find(const Queue& queue) const {
    const auto it = shares_.find(queue.id);
    return it == shares_.end() ? nullptr : &it->second;
  }
  double ShareOf(const Queue& queue) const {
    const Share* share = Find(queue);
    return share ? DominantShare(queue.own.allocated, share->deserved) : 0;
  }

  std::map<model::QueueId, Share> shares_;  // in a fixed order, for sums
};

}  // namespace

std::unique_ptr<Plugin> MakeProportion() { return std::make_unique<Proportion>(); }

}  // namespace basalt::scheduler::plugins
