#include "scheduler/framework/queue_room.h"

namespace basalt::scheduler {

bool HasCapability(const model::Cluster& cluster, const model::Queue& queue, int dimension) {
  if (!queue.exists() || !queue.capability.Defines(dimension)) return false;
  if (!queue.object->capability.Find(cluster.dimensions().name(dimension))) return false;
  return dimension > model::kMemory || queue.capability[dimension] > 0;
}

bool CapabilityRefuses(const model::Cluster& cluster, const model::Job& job,
                       const model::Task& task) {
  const model::Resource& request = task.request();
  for (model::QueueId id = job.queue; id.valid(); id = cluster.queue(id).parent) {
    const model::Queue& queue = cluster.queue(id);
    bool refuses = false;
    model::ForEachDimension(request.NonZero(), [&](int d) {
      if (!HasCapability(cluster, queue, d)) return;
      double held = queue.tree.allocated.value()[d] + queue.tree.claimed.value()[d];
      if (task.holding.queue_claim) held -= request[d];  // not counted twice
      refuses = refuses || held + request[d] > queue.capability[d] + model::Resource::kEpsilon;
    });
    if (refuses) return true;
  }
  return false;
}

bool CapabilityRefuses(const model::Cluster& cluster, const model::Job& job) {
  if (!job.min_resources) return false;
  for (model::QueueId id = job.queue; id.valid(); id = cluster.queue(id).parent) {
    const model::Queue& queue = cluster.queue(id);
    model::Resource wanted = *job.min_resources;
    wanted.Add(queue.tree.allocated).Add(queue.tree.in_queue).Sub(queue.tree.elastic);
    bool refuses = false;
    model::ForEachDimension(job.min_resources->NonZero(), [&](int d) {
      refuses = refuses || (HasCapability(cluster, queue, d) &&
                            wanted[d] > queue.capability[d] + model::Resource::kEpsilon);
    });
    if (refuses) return true;
  }
  return false;
}

namespace {

// The first queue on the way up, from the queue itself, for which `test(queue, dimension)` holds in
// a dimension that it limits and `of` names; none: for none it does. The number of pods is no
// queue's business, as in Volcano.
template <class Test>
model::QueueId FirstOnTheWayUp(const model::Cluster& cluster, const model::Queue& from,
                               model::DimensionSet of, Test test) {
  for (model::QueueId id = from.id; id.valid(); id = cluster.queue(id).parent) {
    const model::Queue& queue = cluster.queue(id);
    if (!queue.exists()) continue;
    bool found = false;
    model::ForEachDimension(
        of & queue.capability.defined() & ~model::Bit(model::kPods),
        [&](int d) { found = found || (HasCapability(cluster, queue, d) && test(queue, d)); });
    if (found) return id;
  }
  return {};
}

bool Exceeds(const model::Queue& queue, int d, double amount) {
  return amount > queue.capability[d] + model::Resource::kEpsilon;
}

}  // namespace

bool MustWaitForLeaving(const model::Cluster& cluster, const model::Queue& queue,
                        const model::Task& task) {
  const model::Resource& request = task.request();
  return FirstOnTheWayUp(cluster, queue, request.NonZero(),
                         [&](const model::Queue& at, int d) {
                           if (at.tree.leaving.value()[d] == 0) return false;
                           return Exceeds(at, d, at.tree.Now(d) + request[d]) &&
                                  !Exceeds(at, d, at.tree.Future(d) + request[d]);
                         })
      .valid();
}

model::QueueId QueueToWaitFor(const model::Cluster& cluster, const model::Queue& queue,
                              const model::Task& task) {
  const model::Resource& request = task.request();
  return FirstOnTheWayUp(cluster, queue, request.NonZero(), [&](const model::Queue& at, int d) {
    return at.tree.leaving.value()[d] > 0 && Exceeds(at, d, at.tree.Now(d) + request[d]);
  });
}

model::QueueId FullUntilOthersLeave(const model::Cluster& cluster, const model::Queue& queue,
                                    const model::Task& task) {
  const model::Resource& request = task.request();
  return FirstOnTheWayUp(cluster, queue, request.NonZero(), [&](const model::Queue& at, int d) {
    const model::QueueLedger& ledger = at.tree;
    const double held =
        ledger.allocated.value()[d] + ledger.leaving.value()[d] + ledger.claimed.value()[d];
    return ledger.leaving.value()[d] > 0 && Exceeds(at, d, held + request[d]);
  });
}

model::QueueId FullOfOverdue(const model::Cluster& cluster, const model::Queue& queue,
                             const model::Task& task) {
  const model::Resource& request = task.request();
  return FirstOnTheWayUp(cluster, queue, request.NonZero(), [&](const model::Queue& at, int d) {
    return at.tree.overdue.value()[d] > 0 && Exceeds(at, d, at.tree.Future(d) + request[d]);
  });
}

bool IsOverCapability(const model::Cluster& cluster, const model::Queue& queue,
                      const model::Task& task) {
  const auto exceeds = [](const model::Queue& at, int d) {
    return Exceeds(at, d, at.tree.Future(d));
  };
  return FirstOnTheWayUp(cluster, queue, task.request().NonZero(), exceeds).valid();
}

}  // namespace basalt::scheduler
