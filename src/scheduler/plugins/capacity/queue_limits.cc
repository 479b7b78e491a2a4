#include "scheduler/plugins/capacity/queue_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/queue_room.h"

namespace basalt::scheduler::plugins {

using model::Amounts;
using model::Undefined;

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::max();
// As much of a countable thing as anybody can ask for.
constexpr double kUnlimitedScalar = 9.2e18;

// The queue's capability; of every resource that is known and that it says nothing about without a
// limit.
Amounts FullCapability(const Queue& queue, const model::Dimensions& dimensions) {
  Amounts capability = queue.capability;
  for (int d = 0; d < dimensions.size(); ++d) {
    if (std::isfinite(CapabilityOf(queue, d))) continue;
    capability.Set(d, d <= model::kMemory ? kUnlimited : kUnlimitedScalar);
  }
  return capability;
}

void LimitChildren(const model::Cluster& cluster, const Queue& parent, AllLimits& all) {
  const QueueLimits& above = all[parent.id];
  Amounts guaranteed;
  for (const model::QueueId id : parent.children) guaranteed.Add(cluster.queue(id).guarantee);
  for (const model::QueueId id : parent.children) {
    const Queue& queue = cluster.queue(id);
    QueueLimits& limits = all[id];
    limits.usable = true;
    limits.leaf = queue.children.empty();
    limits.ancestors = above.ancestors;
    limits.ancestors.push_back(parent.id);
    limits.guarantee = queue.guarantee;
    limits.deserved = queue.deserved;
    limits.deserved.RaiseTo(queue.guarantee);
    limits.capability = queue.capability;
    model::ForEachDimension(above.capability.defined(), [&](int d) {
      if (!std::isfinite(CapabilityOf(queue, d))) limits.capability.Set(d, above.capability[d]);
    });
    limits.real_capability = ExceededPart(above.real_capability, guaranteed).Add(queue.guarantee);
    limits.real_capability.LowerTo(limits.capability, Undefined::kInfinity);
    limits.gated_capability = ExceededPart(above.gated_capability, guaranteed).Add(queue.guarantee);
    LowerToCapability(limits.gated_capability, queue);
  }
}

}  // namespace

AllLimits FlatLimits(const SessionView& view) {
  AllLimits all;
  const Amounts& total = view.cluster().total_allocatable();
  const std::vector<const Queue*> queues = view.Queues();
  Amounts guaranteed;
  for (const Queue* queue : queues) guaranteed.Add(queue->guarantee);
  for (const Queue* queue : queues) {
    QueueLimits& limits = all[queue->id];
    limits.usable = true;
    limits.guarantee = queue->guarantee;
    limits.real_capability = ExceededPart(total, guaranteed).Add(queue->guarantee);
    LowerToCapability(limits.real_capability, *queue);
    limits.gated_capability = FullCapability(*queue, view.cluster().dimensions());
    limits.deserved = queue->deserved;
    limits.deserved.LowerTo(limits.real_capability, Undefined::kInfinity);
    limits.deserved.RaiseTo(queue->guarantee);
  }
  return all;
}

AllLimits TreeLimits(const SessionView& view) {
  AllLimits all;
  for (const Queue* queue : view.Queues()) all[queue->id];
  const Queue* root = view.cluster().FindQueue(kube::kRootQueue);
  if (!root) return all;  // no queue is usable
  QueueLimits& limits = all[root->id];
  limits.usable = true;
  limits.leaf = root->children.empty();
  limits.capability = root->capability;
  if (limits.capability.IsEmpty()) {
    limits.capability = Amounts(kUnlimited, kUnlimited);
    model::ForEachDimension(view.cluster().total_allocatable().scalars(),
                            [&](int d) { limits.capability.Set(d, kUnlimitedScalar); });
  }
  limits.real_capability = limits.capability;
  limits.gated_capability = FullCapability(*root, view.cluster().dimensions());
  for (const model::QueueId id : root->children) {
    const Queue& child = view.cluster().queue(id);
    Amounts deserved = child.deserved;
    limits.deserved.Add(deserved.RaiseTo(child.guarantee));
    limits.guarantee.Add(child.guarantee);
  }
  view.cluster().ForQueueAndBelow(
      root->id, [&](const Queue& queue) { LimitChildren(view.cluster(), queue, all); });
  return all;
}

int CommonLevel(const QueueLimits& a, const QueueLimits& b) {
  int level = 0;
  const std::size_t depth = std::min(a.ancestors.size(), b.ancestors.size());
  for (std::size_t i = 0; i < depth && a.ancestors[i] == b.ancestors[i]; ++i) {
    level = static_cast<int>(i);
  }
  return level;
}

}  // namespace basalt::scheduler::plugins
