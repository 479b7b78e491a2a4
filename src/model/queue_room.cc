#include "model/queue_room.h"

namespace basalt::model {
namespace {

DimensionSet LacksCapability(const Queue& queue, QueueReach reach, QueueView view,
                             const Amounts& request) {
  return Lacking(LedgerOf(queue, reach), view, request,
                 [&](int d) { return CapabilityOf(queue, d); });
}

DimensionSet SomeOf(const ResourceSum& sum) { return sum.value().NonZero(); }

}  // namespace

Shortfall CapabilityShortfall(const Cluster& cluster, const Job& job, const Task& task,
                              QueueReach reach) {
  return FirstShortfall(cluster, job.queue, reach, [&](const Queue& queue) {
    return LacksCapability(queue, reach, ViewFor(task), task.request());
  });
}

Shortfall CapabilityShortfall(const Cluster& cluster, const Job& job, QueueReach reach) {
  if (!job.min_resources) return {};
  return FirstShortfall(cluster, job.queue, reach, [&](const Queue& queue) {
    return LacksCapability(queue, reach, QueueView::kEnqueue, *job.min_resources);
  });
}

bool MustWaitForLeaving(const Cluster& cluster, const Queue& queue, const Task& task,
                        QueueReach reach) {
  return FirstShortfall(cluster, queue.id, reach,
                        [&](const Queue& at) {
                          const DimensionSet leaving = SomeOf(LedgerOf(at, reach).leaving);
                          if (leaving == 0) return leaving;
                          return leaving &
                                 LacksCapability(at, reach, QueueView::kNow, task.request()) &
                                 ~LacksCapability(at, reach, QueueView::kFuture, task.request());
                        })
      .exists();
}

Shortfall QueueToWaitFor(const Cluster& cluster, const Queue& queue, const Task& task,
                         QueueReach reach) {
  return FirstShortfall(cluster, queue.id, reach, [&](const Queue& at) {
    return SomeOf(LedgerOf(at, reach).leaving) &
           LacksCapability(at, reach, QueueView::kNow, task.request());
  });
}

Shortfall FullUntilOthersLeave(const Cluster& cluster, const Queue& queue, const Task& task,
                               QueueReach reach) {
  return FirstShortfall(cluster, queue.id, reach, [&](const Queue& at) {
    return SomeOf(LedgerOf(at, reach).leaving) &
           LacksCapability(at, reach, QueueView::kClaim, task.request());
  });
}

Shortfall FullOfOverdue(const Cluster& cluster, const Queue& queue, const Task& task,
                        QueueReach reach) {
  return FirstShortfall(cluster, queue.id, reach, [&](const Queue& at) {
    const DimensionSet overdue = SomeOf(LedgerOf(at, reach).overdue);
    if (overdue == 0) return overdue;
    return overdue & LacksCapability(at, reach, QueueView::kFuture, task.request());
  });
}

bool IsOverCapability(const Cluster& cluster, const Queue& queue, const Task& task,
                      QueueReach reach) {
  return FirstShortfall(
             cluster, queue.id, reach,
             [&](const Queue& at) {
               DimensionSet over = 0;
               ForEachDimension(task.request().NonZero() & ~Bit(kPods), [&](int d) {
                 if (LedgerOf(at, reach).Load(QueueView::kFuture, d) > CapabilityOf(at, d))
                   over |= Bit(d);
               });
               return over;
             })
      .exists();
}

}  // namespace basalt::model
