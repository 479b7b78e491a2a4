#include "model/queue_room.h"

namespace basalt::model {
namespace {

DimensionSet LacksCapability(const Queue& queue, QueueView view, const Amounts& request) {
  return Lacking(queue.tree, view, request, [&](int d) { return CapabilityOf(queue, d); });
}

DimensionSet SomeOf(const ResourceSum& sum) { return sum.value().NonZero(); }

}  // namespace

Shortfall CapabilityShortfall(const Cluster& cluster, const Job& job, const Task& task) {
  return FirstShortfall(cluster, job.queue, [&](const Queue& queue) {
    return LacksCapability(queue, ViewFor(task), task.request());
  });
}

Shortfall CapabilityShortfall(const Cluster& cluster, const Job& job) {
  if (!job.min_resources) return {};
  return FirstShortfall(cluster, job.queue, [&](const Queue& queue) {
    return LacksCapability(queue, QueueView::kEnqueue, *job.min_resources);
  });
}

bool MustWaitForLeaving(const Cluster& cluster, const Queue& queue, const Task& task) {
  return FirstShortfall(cluster, queue.id,
                        [&](const Queue& at) {
                          const DimensionSet leaving = SomeOf(at.tree.leaving);
                          if (leaving == 0) return leaving;
                          return leaving & LacksCapability(at, QueueView::kNow, task.request()) &
                                 ~LacksCapability(at, QueueView::kFuture, task.request());
                        })
      .exists();
}

Shortfall QueueToWaitFor(const Cluster& cluster, const Queue& queue, const Task& task) {
  return FirstShortfall(cluster, queue.id, [&](const Queue& at) {
    return SomeOf(at.tree.leaving) & LacksCapability(at, QueueView::kNow, task.request());
  });
}

Shortfall FullUntilOthersLeave(const Cluster& cluster, const Queue& queue, const Task& task) {
  return FirstShortfall(cluster, queue.id, [&](const Queue& at) {
    return SomeOf(at.tree.leaving) & LacksCapability(at, QueueView::kClaim, task.request());
  });
}

Shortfall FullOfOverdue(const Cluster& cluster, const Queue& queue, const Task& task) {
  return FirstShortfall(cluster, queue.id, [&](const Queue& at) {
    const DimensionSet overdue = SomeOf(at.tree.overdue);
    if (overdue == 0) return overdue;
    return overdue & LacksCapability(at, QueueView::kFuture, task.request());
  });
}

bool IsOverCapability(const Cluster& cluster, const Queue& queue, const Task& task) {
  return FirstShortfall(cluster, queue.id,
                        [&](const Queue& at) {
                          DimensionSet over = 0;
                          ForEachDimension(task.request().NonZero() & ~Bit(kPods), [&](int d) {
                            if (at.tree.Load(QueueView::kFuture, d) > CapabilityOf(at, d))
                              over |= Bit(d);
                          });
                          return over;
                        })
      .exists();
}

}  // namespace basalt::model
