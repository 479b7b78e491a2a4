#include "scheduler/explain/promise_wait.h"

#include <algorithm>
#include <tuple>

#include "scheduler/framework/standing_promises.h"

namespace basalt::scheduler::explain {

using model::Task;

namespace {

void SortByName(std::vector<const Task*>& tasks) {
  std::ranges::sort(tasks, [](const Task* a, const Task* b) {
    return std::tie(a->ns(), a->name()) < std::tie(b->ns(), b->name());
  });
  const auto repeats = std::ranges::unique(tasks);
  tasks.erase(repeats.begin(), repeats.end());
}

}  // namespace

PromiseWait WhatPromiseWaitsFor(const model::Cluster& cluster, const Task& promised,
                                Duration nomination_grace) {
  PromiseWait wait;
  if (const auto own = StandingPromiseOf(cluster, promised, nomination_grace)) {
    for (const Task* task : own->waits_for) {
      (task->node() == own->node ? wait.on_node : wait.in_queue).push_back(task);
    }
    wait.until = own->until;
  }
  const model::Job* job = cluster.FindJob(promised.job);
  if (!wait.ForNobody() || !job) return wait;
  bool open = false;
  for (const model::TaskId id : job->pipelined) {
    const auto other = StandingPromiseOf(cluster, cluster.task(id), nomination_grace);
    if (!other || other->waits_for.empty()) continue;
    wait.of_group.insert(wait.of_group.end(), other->waits_for.begin(), other->waits_for.end());
    open = open || !other->until;
    // The first that ends may end them all.
    if (other->until && (!wait.until || *other->until < *wait.until)) wait.until = other->until;
  }
  SortByName(wait.of_group);
  if (open) wait.until.reset();
  return wait;
}

void PromiseEnds::End::Add(const End& other) {
  open = open || other.open;
  if (other.at && (!at || *other.at > *at)) at = other.at;
}

PromiseEnds::End PromiseEnds::OfNode(model::NodeId node) {
  const auto [known, added] = nodes_.try_emplace(node);
  if (added) {
    known->second.at = PromisesEndOn(cluster_, node, grace_);
    known->second.open =
        !known->second.at && std::ranges::any_of(cluster_.node(node).tasks, [&](model::TaskId id) {
          return IsLeaving(cluster_.task(id));
        });
  }
  return known->second;
}

// When the last task that leaves the queue, or a queue below it, is overdue.
PromiseEnds::End PromiseEnds::OfQueue(model::QueueId queue) {
  if (const auto known = queues_.find(queue); known != queues_.end()) return known->second;
  End end;
  for (const model::TaskId id : cluster_.releasing()) {
    const Task& task = cluster_.task(id);
    if (IsLeaving(task) && IsBelow(cluster_, task, queue)) end.Add(OfNode(task.node()));
  }
  return queues_.emplace(queue, end).first->second;
}

std::optional<Time> PromiseEnds::Of(const Task& promised) {
  End end = OfNode(promised.node());
  if (const model::QueueId full = QueueThatIsWaitedFor(cluster_, promised); full.valid()) {
    end.Add(OfQueue(full));
  }
  return end.open ? std::nullopt : end.at;
}

}  // namespace basalt::scheduler::explain
