#pragma once

#include <algorithm>
#include <concepts>
#include <limits>

#include "model/cluster.h"

// Room in queues: which sums count for which question, one comparison with a limit, one walk up to
// the root. Policies bring their limits; what a queue's own capability leaves is answered here.
namespace basalt::model {

// Whether the task must have a queue claim before it may look for a node: it opted in to the
// queue-allocation gate, or its gang has not started and another pod of it that waits did. A gang
// is admitted as a whole, whichever of its pods opted in.
inline bool NeedsClaim(const Job& job, const Task& task) {
  return task.opted_in ||
         (job.pending_opted_in > 0 && !(job.IsPipelined() && job.RolesArePipelined()));
}

// Pods that opted in to the queue-allocation gate are limited by capability alone, so that an
// autoscaler hears of a job that is larger than today's cluster. So are the others of their gang
// that need a queue claim like them, or have one.
inline QueueLimit LimitFor(const Cluster& cluster, const Task& task) {
  const Job* job = cluster.FindJob(task.job);
  const bool by_claim = task.holding.queue_claim || (job ? NeedsClaim(*job, task) : task.opted_in);
  return by_claim ? QueueLimit::kCapability : QueueLimit::kNodes;
}
inline QueueLimit LimitFor(const Job& job) {
  return job.pending_opted_in > 0 ? QueueLimit::kCapability : QueueLimit::kNodes;
}
// A task with a queue claim does not compete with other claims: its own counts once, and two that
// came to claim more than there is do not block each other for ever.
inline QueueView ViewFor(const Task& task) {
  return task.holding.queue_claim ? QueueView::kHeld : QueueView::kClaimed;
}

// What the queue may have of the dimension by its object; infinite where that does not say. Zero of
// CPU or memory says nothing.
inline double CapabilityOf(const Queue& queue, int dimension) {
  const bool stated =
      dimension <= kMemory ? queue.capability[dimension] > 0 : queue.capability.Defines(dimension);
  return stated ? queue.capability[dimension] : std::numeric_limits<double>::infinity();
}

// Of each dimension that `amounts` defines no more than the queue's capability.
inline void LowerToCapability(Amounts& amounts, const Queue& queue) {
  ForEachDimension(amounts.defined(),
                   [&](int d) { amounts.Set(d, std::min(amounts[d], CapabilityOf(queue, d))); });
}

// What counts in the queue: what is below it too, where that is in reach.
inline const QueueLedger& LedgerOf(const Queue& queue, QueueReach reach) {
  return reach == QueueReach::kTree ? queue.tree : queue.own;
}

// How much the queue would have beyond its capability with so much more; not above zero: it may.
inline double BeyondCapability(const Queue& queue, QueueView view, int dimension, double more,
                               QueueReach reach = QueueReach::kTree) {
  return LedgerOf(queue, reach).Load(view, dimension) + more - CapabilityOf(queue, dimension);
}

// The dimensions that the request asks for and of which `limit(dimension)` leaves too little beside
// what counts in the view. The number of pods is no queue's business, as in Volcano.
template <std::invocable<int> Limit>
DimensionSet Lacking(const QueueLedger& ledger, QueueView view, const Amounts& request,
                     Limit limit) {
  DimensionSet lacking = 0;
  ForEachDimension(request.NonZero() & ~Bit(kPods), [&](int d) {
    if (ledger.Load(view, d) + request[d] > limit(d)) lacking |= Bit(d);
  });
  return lacking;
}
inline DimensionSet Lacking(const QueueLedger& ledger, QueueView view, const Amounts& request,
                            const Amounts& limit) {
  return Lacking(ledger, view, request, [&](int d) { return limit[d]; });
}

// The first queue, from `from` up to the root where that is in reach, for which `lacking(queue)`
// names dimensions.
template <class Fn>
Shortfall FirstShortfall(const Cluster& cluster, QueueId from, QueueReach reach, Fn lacking) {
  DimensionSet which = 0;
  if (!from.valid()) return {};
  if (reach == QueueReach::kOwn) {
    which = lacking(cluster.queue(from));
    return which != 0 ? Shortfall{from, which} : Shortfall{};
  }
  const Queue* first =
      cluster.FindUpwards(from, [&](const Queue& queue) { return (which = lacking(queue)) != 0; });
  return first ? Shortfall{first->id, which} : Shortfall{};
}

// The questions below are about the queue and, where they are in reach of the policy, those above.

// Which capability, of the job's queue or one above it, leaves too little for the task; and for all
// that the job needs to start. If none does, a queue that refuses is held to what the nodes have.
Shortfall CapabilityShortfall(const Cluster& cluster, const Job& job, const Task& task,
                              QueueReach reach = QueueReach::kTree);
Shortfall CapabilityShortfall(const Cluster& cluster, const Job& job,
                              QueueReach reach = QueueReach::kTree);

// Whether the task fits into the capability of its queue, and of those above it, once the tasks
// that leave them are gone, and not before: it may be promised a node, and must not start on it.
// Tasks that leave may come back yet, when a disruption budget says no.
bool MustWaitForLeaving(const Cluster& cluster, const Queue& queue, const Task& task,
                        QueueReach reach = QueueReach::kTree);
// Where the task does not fit beside the tasks that leave, whatever is promised there.
Shortfall QueueToWaitFor(const Cluster& cluster, const Queue& queue, const Task& task,
                         QueueReach reach = QueueReach::kTree);
// Where there is no room for another claim before tasks that leave are gone.
Shortfall FullUntilOthersLeave(const Cluster& cluster, const Queue& queue, const Task& task,
                               QueueReach reach = QueueReach::kTree);
// Where tasks that should be gone long ago fill the capability.
Shortfall FullOfOverdue(const Cluster& cluster, const Queue& queue, const Task& task,
                        QueueReach reach = QueueReach::kTree);
// Whether the queue, or one above it, will have more than its capability of something that the task
// asks for: a task whose eviction failed is back, or is overdue.
bool IsOverCapability(const Cluster& cluster, const Queue& queue, const Task& task,
                      QueueReach reach = QueueReach::kTree);

}  // namespace basalt::model
