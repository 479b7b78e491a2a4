// Queues: what jobs and tasks count for in their ledgers, and the tree.
#include <algorithm>

#include "model/cluster.h"
#include "model/cluster_parts.h"

namespace basalt::model {

using parts::InQueue;
using parts::Lookup;
using parts::QueueClass;

namespace {

void Change(ResourceSum& sum, const Resource& item, int by) {
  by > 0 ? sum.Add(item) : sum.Remove(item);
}

// What a job adds beside its tasks.
void ChangeContribution(QueueLedger& ledger, const Job& job, int by) {
  Change(ledger.in_queue, job.in_queue, by);
  if (!job.in_queue_of_all) Change(ledger.in_queue_gated, job.in_queue, by);
  Change(ledger.elastic, job.elastic, by);
}

void Count(QueueLedger& ledger, const Resource& request, InQueue in, int by) {
  if (in == InQueue::kLeaves || in == InQueue::kOverdue) {
    Change(ledger.leaving, request, by);
    if (in == InQueue::kOverdue) Change(ledger.overdue, request, by);
    return;
  }
  Change(ledger.request, request, by);
  if (in == InQueue::kHolds || in == InQueue::kPromised) Change(ledger.allocated, request, by);
  if (in == InQueue::kPromised) Change(ledger.promised, request, by);
  if (in == InQueue::kClaims) Change(ledger.claimed, request, by);
}

}  // namespace

template <class Fn>
void Cluster::ForQueueAndAncestors(QueueId id, Fn fn) {
  if (!id.valid()) return;
  fn(queues_[id].own);
  while (id.valid()) {
    Queue& queue = queues_[id];
    fn(queue.tree);
    id = queue.parent;
  }
}

void Cluster::CountInQueue(const Task& task, const Job& const_job, int by) {
  Job& job = jobs_[const_job.id];
  const InQueue in = QueueClass(task.holding);
  if (in == InQueue::kNothing) return;
  const Resource& request = task.request();
  if (in == InQueue::kHolds) Change(job.allocated, request, by);
  if (in == InQueue::kPromised) Change(job.promised, request, by);
  if ((in == InQueue::kWants || in == InQueue::kClaims) &&
      (task.gate == Gate::kForeign || task.holding.lapsed || task.holding.resting)) {
    Change(job.held_back, request, by);
  }
  ForQueueAndAncestors(job.queue, [&](QueueLedger& ledger) { Count(ledger, request, in, by); });
}

namespace {

// What an admitted job may still take up to its minimum, less what is held back.
Resource InQueueOf(const Job& job) {
  Resource result;
  if (!job.group || !job.min_resources) return result;
  const bool admitted =
      job.phase == JobPhase::kInqueue ||
      (job.phase == JobPhase::kRunning && job.counts.Allocated() >= job.min_available);
  if (!admitted) return result;
  const Resource& allocated = job.allocated;
  const Resource& held_back = job.held_back;
  ForEachDimension(job.min_resources->defined(), [&](int d) {
    const double left = (*job.min_resources)[d] - allocated[d];
    if (left > 0) result.Set(d, std::max(0.0, left - held_back[d]));
  });
  return result;
}

}  // namespace

void Cluster::RefreshContribution(Job& job) {
  Resource in_queue, elastic;
  if (job.queue.valid()) {
    in_queue = InQueueOf(job);
    elastic =
        job.min_resources ? ExceededPart(job.allocated, *job.min_resources) : job.allocated.value();
  }
  const bool of_all = job.pending_opted_in == 0;
  if (in_queue == job.in_queue && elastic == job.elastic && of_all == job.in_queue_of_all) return;
  ForQueueAndAncestors(job.queue,
                       [&](QueueLedger& ledger) { ChangeContribution(ledger, job, -1); });
  if (job.in_queue_of_all) total_in_queue_.Remove(job.in_queue);
  job.in_queue_of_all = of_all;
  job.in_queue = std::move(in_queue);
  job.elastic = std::move(elastic);
  if (job.in_queue_of_all) total_in_queue_.Add(job.in_queue);
  ForQueueAndAncestors(job.queue,
                       [&](QueueLedger& ledger) { ChangeContribution(ledger, job, +1); });
}

void Cluster::ChangeJobInQueue(Job& job, QueueId queue, int by) {
  if (!queue.valid()) return;
  for (const auto* list : {&job.pending, &job.pipelined, &job.others}) {
    for (const TaskId id : *list) {
      const Task& task = tasks_[id];
      const InQueue in = QueueClass(task.holding);
      if (in == InQueue::kNothing) continue;
      ForQueueAndAncestors(queue,
                           [&](QueueLedger& ledger) { Count(ledger, task.request(), in, by); });
    }
  }
}

void Cluster::SetJobQueue(Job& job, QueueId id) {
  if (job.queue == id) return;
  const QueueId old = job.queue;
  if (old.valid()) {
    ChangeJobInQueue(job, old, -1);
    ForQueueAndAncestors(old, [&](QueueLedger& ledger) { ChangeContribution(ledger, job, -1); });
    if (job.in_queue_of_all) total_in_queue_.Remove(job.in_queue);
    job.in_queue_of_all = false;
    job.in_queue = {};
    job.elastic = {};
    Queue& queue = queues_[old];
    const JobId last = queue.jobs.back();
    queue.jobs[job.queue_place] = last;
    jobs_[last].queue_place = job.queue_place;
    queue.jobs.pop_back();
  }
  job.queue = id;
  if (id.valid()) {
    Queue& queue = queues_[id];
    job.queue_place = static_cast<std::uint32_t>(queue.jobs.size());
    queue.jobs.push_back(job.id);
    ChangeJobInQueue(job, id, +1);
    RefreshContribution(job);
  }
  if (old.valid()) DropQueueSlotIfUnused(old);
}

QueueId Cluster::SetQueue(std::shared_ptr<const kube::Queue> object) {
  const QueueId id = QueueSlot(object->meta.name);
  Queue& queue = queues_[id];
  const bool relink = !queue.exists() || queue.object->parent != object->parent;
  const Resource limits[] = {queue.capability, queue.deserved, queue.guarantee};
  const bool was_open = queue.open;
  queue.object = std::move(object);
  const kube::Queue& spec = *queue.object;
  queue.capability = ToResource(spec.capability, dimensions_);
  queue.deserved = ToResource(spec.deserved, dimensions_);
  queue.guarantee = ToResource(spec.guarantee, dimensions_);
  queue.weight = spec.weight;
  queue.priority = spec.priority;
  // One that nobody has looked at yet is open: its controller may be away.
  queue.open = spec.state == kube::QueueState::kOpen || spec.state == kube::QueueState::kNone;
  queue.reclaimable = spec.reclaimable.value_or(true);
  // Those who wait for room in it, or below, look again.
  queues_changed_ = queues_changed_ || queue.open != was_open || !(queue.capability == limits[0]) ||
                    !(queue.deserved == limits[1]) || !(queue.guarantee == limits[2]);
  if (relink) RelinkQueues();
  return id;
}

void Cluster::RemoveQueue(std::string_view name) {
  const QueueId id = Lookup(queue_index_, std::string(name));
  if (!id.valid() || !queues_[id].exists()) return;
  Queue& queue = queues_[id];
  queue.object = nullptr;
  queue.open = false;
  queue.capability = queue.deserved = queue.guarantee = {};
  RelinkQueues();
  DropQueueSlotIfUnused(id);
}

void Cluster::RelinkQueues() {
  queues_changed_ = true;
  std::vector<QueueId> all;
  queues_.ForEach([&](const Queue& queue) { all.push_back(queue.id); });
  const Queue* root = FindQueue(kRootQueue);
  for (const QueueId id : all) {
    Queue& queue = queues_[id];
    queue.parent = {};
    queue.in_cycle = false;
    queue.children.clear();
    queue.tree = {};
    if (!queue.exists() || queue.name == kRootQueue) continue;
    const std::string& named = queue.object->parent;
    const Queue* parent = named.empty() ? root : FindQueue(named);
    if (parent) queue.parent = parent->id;
  }
  // Cut every queue loose that is its own ancestor.
  for (const QueueId id : all) {
    std::size_t steps = 0;
    QueueId up = queues_[id].parent;
    while (up.valid() && up != id && steps++ <= all.size()) up = queues_[up].parent;
    queues_[id].in_cycle = up == id;
  }
  for (const QueueId id : all) {
    Queue& queue = queues_[id];
    if (queue.in_cycle) queue.parent = {};
    if (queue.parent.valid()) queues_[queue.parent].children.push_back(id);
  }
  for (const QueueId id : all) {
    std::ranges::sort(queues_[id].children, {},
                      [&](QueueId c) { return std::string_view(queues_[c].name); });
    queues_[id].own = {};
  }
  jobs_.ForEach([&](Job& job) {
    if (!job.queue.valid()) return;
    ChangeJobInQueue(job, job.queue, +1);
    ForQueueAndAncestors(job.queue,
                         [&](QueueLedger& ledger) { ChangeContribution(ledger, job, +1); });
  });
}

}  // namespace basalt::model
