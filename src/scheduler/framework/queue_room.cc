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

}  // namespace basalt::scheduler
