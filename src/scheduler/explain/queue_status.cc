#include "scheduler/explain/queue_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "kube/types/reasons.h"
#include "scheduler/explain/amounts.h"

namespace basalt::scheduler::explain {

using model::JobPhase;

namespace {

struct JobCounts {
  std::int32_t by_phase[5] = {};
  // What reservations hold and no pod has taken.
  std::set<std::string> reserved_nodes;
  model::Amounts reserved;

  void Reserve(const model::Cluster& cluster, const model::ReservationRecord& record) {
    for (const model::ReservedSlot& slot : record.slots) {
      if (!cluster.reservations().IsFree(slot)) continue;
      reserved_nodes.insert(slot.node);
      reserved.Add(cluster.task(slot.id).request());
    }
  }
};

bool Says(const model::QueueStatus& status) {
  const kube::Queue& queue = *status.queue;
  const auto counts = [](const auto& of) {
    return std::tie(of.unknown, of.pending, of.running, of.inqueue, of.completed);
  };
  if (counts(queue) != counts(status)) return false;
  // Nothing and zero are the same: a queue that never held anything need not be told.
  const auto has = [](const kube::ResourceList& all, const kube::ResourceList& some) {
    return std::ranges::all_of(some, [&](const kube::ResourceList::Entry& entry) {
      return all.Get(entry.name) == entry.quantity;
    });
  };
  return has(queue.allocated, status.allocated) && has(status.allocated, queue.allocated) &&
         has(queue.reserved_resource, status.reserved) &&
         has(status.reserved, queue.reserved_resource) &&
         queue.reserved_nodes == status.reserved_nodes;
}

}  // namespace

std::vector<model::QueueStatus> QueueStatuses(const model::Cluster& cluster) {
  std::vector<JobCounts> counts(cluster.queues().bound());
  cluster.jobs().ForEach([&](const model::Job& job) {
    if (!job.queue.valid()) return;
    if (job.reservation) {
      counts[job.queue.index()].Reserve(cluster, *job.reservation);
    } else if (job.exists()) {
      ++counts[job.queue.index()].by_phase[static_cast<int>(job.phase)];
    }
  });
  std::vector<model::QueueStatus> statuses;
  cluster.queues().ForEach([&](const model::Queue& queue) {
    if (!queue.exists()) return;
    const JobCounts& count = counts[queue.id.index()];
    // Promises are none of what tasks have.
    const model::Amounts held = model::Amounts(queue.tree.allocated).Sub(queue.tree.promised);
    const auto of = [&](JobPhase phase) { return count.by_phase[static_cast<int>(phase)]; };
    statuses.push_back(
        {.queue = queue.object,
         .allocated = ToResourceList(held, cluster.dimensions()),
         .unknown = of(JobPhase::kUnknown),
         .pending = of(JobPhase::kPending),
         .running = of(JobPhase::kRunning),
         .inqueue = of(JobPhase::kInqueue),
         .completed = of(JobPhase::kCompleted),
         .reserved_nodes = {count.reserved_nodes.begin(), count.reserved_nodes.end()},
         .reserved = ToResourceList(count.reserved, cluster.dimensions())});
  });
  std::ranges::sort(statuses, {}, [](const model::QueueStatus& status) {
    return std::string_view(status.queue->meta.name);
  });
  return statuses;
}

std::vector<model::Intent> QueueStatusIntents(const model::Cluster& cluster) {
  std::vector<model::Intent> intents;
  for (model::QueueStatus& status : QueueStatuses(cluster)) {
    if (!Says(status)) intents.push_back(std::move(status));
  }
  return intents;
}

std::vector<const model::Queue*> CycleOf(const model::Cluster& cluster, const model::Queue& queue) {
  std::vector<const model::Queue*> cycle;
  const model::Queue* at = queue.in_cycle ? &queue : nullptr;
  while (at) {
    cycle.push_back(at);
    at = cluster.FindQueue(at->object->parent);
    if (at == &queue) at = nullptr;
  }
  return cycle;
}

std::vector<model::Intent> QueueCycleEvents(const model::Cluster& cluster) {
  std::vector<model::Intent> intents;
  cluster.queues().ForEach([&](const model::Queue& queue) {
    if (!queue.exists() || !queue.in_cycle) return;
    std::string way;
    for (const model::Queue* each : CycleOf(cluster, queue)) way += each->name + " -> ";
    intents.push_back(model::QueueEvent{
        .queue = queue.object,
        .reason = std::string(reasons::kQueueCycle),
        .message = fmt::format("the queue is its own ancestor ({}{}): it is not used in the "
                               "tree until one of them has another spec.parent",
                               way, queue.name)});
  });
  return intents;
}

}  // namespace basalt::scheduler::explain
