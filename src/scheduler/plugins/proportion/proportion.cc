#include "scheduler/plugins/proportion/proportion.h"

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <limits>

#include "kube/types/reasons.h"
#include "model/queue_room.h"
#include "scheduler/framework/job_text.h"

namespace basalt::scheduler::plugins {

using model::Amounts;
using model::QueueView;
using model::Undefined;

namespace {

// A capability that leaves CPU or memory out does not limit them.
Amounts Limits(const Queue& queue) {
  Amounts limits = queue.capability;
  for (const int d : {model::kCpu, model::kMemory}) {
    if (limits[d] <= 0) limits.Set(d, std::numeric_limits<double>::max());
  }
  return limits;
}

// A queue for itself, whatever those above it may have.
model::DimensionSet LacksCapability(const Queue& queue, QueueView view, const Amounts& request) {
  return Lacking(queue.own, view, request, [&](int d) { return CapabilityOf(queue, d); });
}

}  // namespace

Result<std::unique_ptr<Plugin>> Proportion::Make(const PluginContext& context) {
  if (auto ok = context.config.arguments.Read({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Proportion>(context.reasons);
}

void Proportion::Open(const SessionView& view) {
  view_ = &view;
  shares_.clear();
  const Amounts& total = view.cluster().total_allocatable();
  const std::vector<const Queue*> queues = view.Queues();
  Amounts guaranteed;
  for (const Queue* queue : queues) guaranteed.Add(queue->guarantee);
  for (const Queue* queue : queues) {
    if (queue->jobs.empty()) continue;
    Share& share = shares_[queue->id];
    share.request = queue->own.request;
    share.real_capability = ExceededPart(total, guaranteed).Add(queue->guarantee);
    if (!queue->object->capability.empty()) {
      share.real_capability.LowerTo(Limits(*queue), Undefined::kInfinity);
    }
  }
  Divide(total);
}

void Proportion::Divide(Amounts remaining) {
  while (true) {
    double total_weight = 0;
    for (const auto& [id, share] : shares_) {
      if (!share.met) total_weight += view_->cluster().queue(id).weight;
    }
    if (total_weight == 0) return;
    Amounts increased;
    for (auto& [id, share] : shares_) {
      if (share.met) continue;
      const Queue& queue = view_->cluster().queue(id);
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

const Amounts* Proportion::Deserved(const Queue& queue) const {
  const Share* share = Find(queue);
  return share ? &share->deserved : nullptr;
}

double Proportion::ShareOf(const Queue& queue) const {
  const Share* share = Find(queue);
  if (!share) return 0;
  const Amounts& allocated = queue.own.allocated;
  double largest = 0;
  model::ForEachDimension(share->deserved.NonZero(), [&](int d) {
    largest = std::max(largest, allocated[d] / share->deserved[d]);
  });
  return largest;
}

std::weak_ordering Proportion::CompareQueues(const Queue& a, const Queue& b) const {
  if (a.priority != b.priority) return b.priority <=> a.priority;
  return std::weak_order(ShareOf(a), ShareOf(b));
}

bool Proportion::IsOverused(const Queue& queue) const {
  const Share* share = Find(queue);
  return share && share->deserved.LessEqual(queue.own.allocated, Undefined::kZero);
}

Verdict Proportion::MayAllocate(const Queue& queue, const Task& task) const {
  if (!queue.open) return Verdict::Unschedulable(reasons::kQueueNotOpen);
  const Share* share = Find(queue);
  if (!share) return Verdict::Ok();
  const Amounts& request = task.request();
  // What a queue deserves is a part of the nodes that exist, and claims take no nodes: a claim that
  // no node fits keeps no task out of room that is there.
  if (LimitFor(view_->cluster(), task) == model::QueueLimit::kNodes) {
    const auto lacking = Lacking(queue.own, QueueView::kHeld, request, share->deserved);
    if (lacking != 0) {
      return Verdict::Unschedulable(reasons_.Keep(
          fmt::format("queue {} has no more than it deserves of {}", queue.name,
                      fmt::join(view_->cluster().dimensions().Names(lacking), ", "))));
    }
  }
  const model::Shortfall shortfall{queue.id, LacksCapability(queue, ViewFor(task), request)};
  if (shortfall.which == 0) return Verdict::Ok();
  return Verdict::QueueFull(reasons_.Keep(QueueLacks(*view_, shortfall)), shortfall);
}

bool Proportion::MayReclaim(const Queue& queue, std::span<const Task* const> tasks) const {
  if (!queue.open) return false;
  const Share* share = Find(queue);
  if (!share) return false;
  Amounts request;
  for (const Task* task : tasks) request.Add(task->request());
  return Lacking(queue.own, QueueView::kHeld, request, share->deserved) == 0;
}

Vote Proportion::MayEnqueue(const Job& job, EnqueueRefusal* why) const {
  const Queue& queue = view_->QueueOf(job);
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
    why->text = QueueLacks(*view_, shortfall);
    return Vote::kReject;
  }
  if (LimitFor(job) == model::QueueLimit::kCapability) return Vote::kPermit;
  shortfall.limit = model::QueueLimit::kNodes;
  shortfall.which = Lacking(queue.own, QueueView::kEnqueueOfNodes, asked, share->real_capability);
  // The queue has nothing of a resource that no node and no queue offers.
  if (shortfall.which == 0 && !job.unknown_min_resource) return Vote::kPermit;
  why->shortfall = shortfall;
  why->text = NodesLack(*view_, job, shortfall.which);
  return Vote::kReject;
}

VictimOpinion Proportion::PermitReclaim(const Task&,
                                        std::span<const Task* const> candidates) const {
  VictimOpinion opinion;
  // What each queue would still have; goes down as victims are named.
  boost::unordered_flat_map<model::QueueId, Amounts> left;
  for (const Task* task : candidates) {
    const Job* job = view_->JobOf(*task);
    if (!job) continue;
    const Queue& queue = view_->QueueOf(*job);
    const Share* share = Find(queue);
    if (!share) continue;
    Amounts& allocated = left.try_emplace(queue.id, queue.own.allocated.value()).first->second;
    if (allocated.LessEqual(share->deserved, Undefined::kZero)) continue;
    allocated.Sub(task->request());
    opinion.victims.push_back(task);
  }
  return opinion;
}

}  // namespace basalt::scheduler::plugins
