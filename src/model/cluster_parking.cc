// Jobs that wait for room in one queue and nothing else. They are not active, so that ten thousand
// of them cost a cycle nothing; whether there is room is asked once per queue, from how full it is.
#include <algorithm>
#include <utility>

#include "model/cluster.h"

namespace basalt::model {
namespace {

bool LessInAny(const Resource& now, const Resource& before) {
  for (int d = 0; d < std::max(now.bound(), before.bound()); ++d) {
    if (now[d] < before[d]) return true;
  }
  return false;
}

bool IsLessFull(const QueueLedger& now, const QueueLoad& before) {
  const QueueLoad load = QueueLoad::Of(now);
  return LessInAny(load.held, before.held) || LessInAny(load.claimed, before.claimed) ||
         LessInAny(load.wanted, before.wanted) ||
         LessInAny(load.wanted_of_nodes, before.wanted_of_nodes) ||
         LessInAny(load.leaving, before.leaving);
}

void Raise(QueueLoad& load, const QueueLedger& now) {
  const QueueLoad other = QueueLoad::Of(now);
  load.held.RaiseTo(other.held);
  load.claimed.RaiseTo(other.claimed);
  load.wanted.RaiseTo(other.wanted);
  load.wanted_of_nodes.RaiseTo(other.wanted_of_nodes);
  load.leaving.RaiseTo(other.leaving);
}

}  // namespace

// Not when the job is parked, at the end of a session: somebody may have left the queue since.
void Cluster::NoteRefusal(QueueId full) {
  Queue& queue = queues_[full];
  Raise(queue.refused_own_load, queue.own);
  Raise(queue.refused_tree_load, queue.tree);
}

void Cluster::Park(JobId id, QueueId full) {
  Job& job = jobs_[id];
  if (job.parked_at == full) return;
  Unpark(job);
  Queue& queue = queues_[full];
  if (queue.parked.empty()) {
    if (queues_with_parked_.empty()) parked_total_ = total_allocatable_;
    queues_with_parked_.push_back(full);
  }
  job.parked_at = full;
  job.parked_place = static_cast<std::uint32_t>(queue.parked.size());
  queue.parked.push_back(id);
  UpdateActive(job);
}

void Cluster::Unpark(Job& job) {
  if (!job.parked_at.valid()) return;
  Queue& queue = queues_[job.parked_at];
  const JobId last = queue.parked.back();
  queue.parked[job.parked_place] = last;
  jobs_[last].parked_place = job.parked_place;
  queue.parked.pop_back();
  job.parked_at = {};
  if (queue.parked.empty()) std::erase(queues_with_parked_, queue.id);
  UpdateActive(job);
}

void Cluster::UnparkAllOf(Queue& queue) {
  while (!queue.parked.empty()) Unpark(jobs_[queue.parked.back()]);
  queue.refused_own_load = queue.refused_tree_load = {};
}

void Cluster::UnparkAll() {
  while (!queues_with_parked_.empty()) UnparkAllOf(queues_[queues_with_parked_.back()]);
}

void Cluster::UnparkWhereRoom() {
  const bool limits_changed = std::exchange(queues_changed_, false);
  if (queues_with_parked_.empty()) return;
  // Limits come from the queues and, for some, from the nodes.
  if (limits_changed || !(parked_total_ == total_allocatable_.value())) return UnparkAll();
  const std::vector<QueueId> queues = queues_with_parked_;
  for (const QueueId id : queues) {
    Queue& queue = queues_[id];
    if (IsLessFull(queue.own, queue.refused_own_load) ||
        IsLessFull(queue.tree, queue.refused_tree_load)) {
      UnparkAllOf(queue);
    }
  }
}

}  // namespace basalt::model
