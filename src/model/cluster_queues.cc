// Queues: what jobs and tasks count for in their ledgers, and the tree.
#include <algorithm>

#include "model/cluster.h"
#include "model/cluster_parts.h"
#include "model/queue_room.h"

namespace basalt::model {

using parts::Change;
using parts::InQueue;
using parts::Lookup;
using parts::QueueClass;

namespace {

// What a job adds beside its tasks.
void ChangeContribution(QueueLedger& ledger, const Job& job, int by) {
  Change(ledger.in_queue, job.in_queue, by);
  if (!job.in_queue_of_all) Change(ledger.in_queue_gated, job.in_queue, by);
  Change(ledger.elastic, job.elastic, by);
}

void Count(QueueLedger& ledger, const Amounts& request, InQueue in, int by) {
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
  const Amounts& request = task.request();
  if (in == InQueue::kHolds) Change(job.allocated, request, by);
  if (in == InQueue::kPromised) Change(job.promised, request, by);
  if ((in == InQueue::kWants || in == InQueue::kClaims) &&
      (task.gate == Gate::kForeign || task.holding.lapsed || task.holding.resting)) {
    Change(job.held_back, request, by);
  }
  if (job.counts_with_pod) return;
  ForQueueAndAncestors(job.queue, [&](QueueLedger& ledger) { Count(ledger, request, in, by); });
}

namespace {

// What an admitted job may still take up to its minimum, less what is held back.
Amounts StillToTake(const Job& job) {
  Amounts result;
  if (!job.group || !job.min_resources) return result;
  const bool admitted =
      job.phase == JobPhase::kInqueue ||
      (job.phase == JobPhase::kRunning && job.counts.Allocated() >= job.min_available);
  if (!admitted) return result;
  const Amounts& allocated = job.allocated;
  const Amounts& promised = job.promised;
  const Amounts& held_back = job.held_back;
  ForEachDimension(job.min_resources->defined(), [&](int d) {
    const double left = (*job.min_resources)[d] - allocated[d] - promised[d];
    if (left > 0) result.Set(d, std::max(0.0, left - held_back[d]));
  });
  return result;
}

}  // namespace

parts::Contribution parts::ContributionOf(const Job& job) {
  Contribution adds{.of_all = LimitFor(job) == QueueLimit::kNodes};
  if (!job.queue.valid() || job.counts_with_pod) return adds;
  adds.in_queue = StillToTake(job);
  adds.elastic =
      job.min_resources ? ExceededPart(job.allocated, *job.min_resources) : job.allocated.value();
  return adds;
}

void Cluster::RefreshContribution(Job& job) {
  auto [in_queue, elastic, of_all] = parts::ContributionOf(job);
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
  if (!queue.valid() || job.counts_with_pod) return;
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

void Cluster::SetCountsWithPod(JobId id, bool with_pod) {
  Job& job = jobs_[id];
  if (job.counts_with_pod == with_pod) return;
  if (with_pod) ChangeJobInQueue(job, job.queue, -1);
  job.counts_with_pod = with_pod;
  if (!with_pod) ChangeJobInQueue(job, job.queue, +1);
  RefreshContribution(job);
  NoteTotals();
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
    parts::LeaveList(queue.jobs, jobs_, job, &Job::queue_place);
  }
  job.queue = id;
  if (id.valid()) {
    Queue& queue = queues_[id];
    parts::EnterList(queue.jobs, job, &Job::queue_place);
    ChangeJobInQueue(job, id, +1);
    RefreshContribution(job);
  }
  if (old.valid()) DropQueueSlotIfUnused(old);
  if (!reservations_.moves().empty()) reservations_.moves().ReviewAll();
}

// ---- queues that come, change and go

namespace {

// Nothing counts in it: then nothing below it does, for no amount is negative.
bool IsEmpty(const QueueLedger& ledger) {
  for (const ResourceSum* sum :
       {&ledger.allocated, &ledger.promised, &ledger.leaving, &ledger.overdue, &ledger.request,
        &ledger.claimed, &ledger.in_queue, &ledger.in_queue_gated, &ledger.elastic}) {
    // Exactly nothing: an amount too small to matter for room still has to leave the ancestors'
    // sums.
    for (int d = 0; d < sum->value().bound(); ++d) {
      if (sum->value()[d] != 0) return false;
    }
  }
  return true;
}

}  // namespace

bool SameButForStatus(const kube::Queue& old, const kube::Queue& now) {
  return old.meta.uid == now.meta.uid && old.meta.annotations == now.meta.annotations &&
         old.meta.labels == now.meta.labels && old.weight == now.weight &&
         old.priority == now.priority && old.capability == now.capability &&
         old.deserved == now.deserved && old.guarantee == now.guarantee &&
         old.parent == now.parent && old.state == now.state && old.reclaimable == now.reclaimable &&
         old.affinity == now.affinity;
}

QueueId Cluster::SetQueue(std::shared_ptr<const kube::Queue> object) {
  const QueueId id = QueueSlot(object->meta.name);
  Queue& queue = queues_[id];
  const bool is_new = !queue.exists();
  const bool moves = is_new || kube::ParentOf(*queue.object) != kube::ParentOf(*object);
  std::vector<QueueId> loose;
  if (!is_new && moves) loose = DetachQueue(queue);
  if (is_new || !SameButForStatus(*queue.object, *object)) QueueChanged();
  queue.object = std::move(object);
  const kube::Queue& spec = *queue.object;
  Offer(queue.capability, spec.capability);
  Offer(queue.deserved, spec.deserved);
  Offer(queue.guarantee, spec.guarantee);
  queue.weight = spec.weight;
  queue.priority = spec.priority;
  // A queue without a state is open: its controller may be away.
  queue.open = spec.state == kube::QueueState::kOpen || spec.state == kube::QueueState::kNone;
  queue.reclaimable = spec.reclaimable.value_or(true);
  if (moves) LinkQueue(queue, is_new, loose);
  SettleNames();
  return id;
}

void Cluster::RemoveQueue(std::string_view name) {
  const QueueId id = Lookup(queue_index_, std::string(name));
  if (!id.valid() || !queues_[id].exists()) return;
  Queue& queue = queues_[id];
  QueueChanged();
  const std::vector<QueueId> loose = DetachQueue(queue);
  while (!queue.children.empty()) SetQueueParent(queues_[queue.children.back()], {});
  queue.object = nullptr;
  queue.open = false;
  for (Amounts* amounts : {&queue.capability, &queue.deserved, &queue.guarantee}) {
    Offer(*amounts, {});
  }
  for (const QueueId other : loose) AttachQueue(queues_[other]);
  DropQueueSlotIfUnused(id);
  SettleNames();
}

// ---- the tree
//
// A queue that comes, goes or gets another parent moves with all that is below it; others stay as
// they are. Nothing recurses: the tree may be as deep as its users like.

// A queue that is new, or names another parent than before, takes its place in the tree. So do the
// queues that were in one cycle with it.
void Cluster::LinkQueue(Queue& queue, bool is_new, const std::vector<QueueId>& loose) {
  for (const QueueId other : loose) AttachQueue(queues_[other]);
  AttachQueue(queue);
  queues_by_parent_[std::string(kube::ParentOf(*queue.object))].push_back(queue.id);
  if (!is_new) return;
  // The queues that named it as their parent before it was there.
  const auto waiting = queues_by_parent_.find(queue.name);
  if (waiting == queues_by_parent_.end()) return;
  for (const QueueId child : waiting->second) {
    if (child != queue.id) AttachQueue(queues_[child]);
  }
}

QueueId Cluster::NamedParent(const Queue& queue) const {
  const Queue* parent = FindQueue(kube::ParentOf(*queue.object));
  return parent ? parent->id : QueueId{};
}

// Puts a queue that has no parent below the one that it names. Where it would be its own ancestor,
// all queues on the way are cut loose.
void Cluster::AttachQueue(Queue& queue) {
  const QueueId parent = NamedParent(queue);
  std::vector<QueueId> on_the_way;
  QueueId up = parent;
  while (up.valid() && up != queue.id) {
    on_the_way.push_back(up);
    up = queues_[up].parent;
  }
  if (!up.valid()) return SetQueueParent(queue, parent);
  on_the_way.push_back(queue.id);
  for (const QueueId id : on_the_way) {
    SetQueueParent(queues_[id], {});
    queues_[id].in_cycle = true;
  }
}

// Takes a queue, and what is below it, out of the tree. Returns the queues that were in one cycle
// with it: they may be attached once its object names another parent.
std::vector<QueueId> Cluster::DetachQueue(Queue& queue) {
  std::vector<QueueId> loose;
  if (queue.in_cycle) {
    for (QueueId up = NamedParent(queue); up != queue.id; up = NamedParent(queues_[up])) {
      loose.push_back(up);
      queues_[up].in_cycle = false;
    }
    queue.in_cycle = false;
  }
  SetQueueParent(queue, {});
  const auto siblings = queues_by_parent_.find(std::string(kube::ParentOf(*queue.object)));
  std::erase(siblings->second, queue.id);
  if (siblings->second.empty()) queues_by_parent_.erase(siblings);
  return loose;
}

void Cluster::SetQueueParent(Queue& queue, QueueId parent) {
  if (queue.parent == parent) return;
  const auto place_in = [&](std::vector<QueueId>& children) {
    return std::ranges::lower_bound(children, std::string_view(queue.name), {},
                                    [&](QueueId id) { return std::string_view(queues_[id].name); });
  };
  if (queue.parent.valid()) {
    CountSubtree(queue, queue.parent, -1);
    std::vector<QueueId>& children = queues_[queue.parent].children;
    children.erase(place_in(children));
  }
  queue.parent = parent;
  if (parent.valid()) {
    std::vector<QueueId>& children = queues_[parent].children;
    children.insert(place_in(children), queue.id);
    CountSubtree(queue, parent, +1);
  }
}

// Adds what the jobs of the queue and of all below it count for to the ancestor and those above.
void Cluster::CountSubtree(const Queue& top, QueueId ancestor, int by) {
  if (IsEmpty(top.tree)) return;
  const auto for_ancestors = [&](auto fn) {
    for (QueueId up = ancestor; up.valid(); up = queues_[up].parent) fn(queues_[up].tree);
  };
  std::vector<QueueId> below{top.id};
  while (!below.empty()) {
    const Queue& queue = queues_[below.back()];
    below.pop_back();
    for (const QueueId child : queue.children) {
      if (!IsEmpty(queues_[child].tree)) below.push_back(child);
    }
    for (const JobId job_id : queue.jobs) {
      const Job& job = jobs_[job_id];
      if (job.counts_with_pod) continue;
      for (const auto* list : {&job.pending, &job.pipelined, &job.others}) {
        for (const TaskId id : *list) {
          const Task& task = tasks_[id];
          const InQueue in = QueueClass(task.holding);
          if (in == InQueue::kNothing) continue;
          for_ancestors([&](QueueLedger& ledger) { Count(ledger, task.request(), in, by); });
        }
      }
      for_ancestors([&](QueueLedger& ledger) { ChangeContribution(ledger, job, by); });
    }
  }
}

}  // namespace basalt::model
