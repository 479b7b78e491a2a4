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

std::optional<Time> PromiseEnds::OfNode(model::NodeId node) {
  auto known = nodes_.find(node);
  if (known == nodes_.end())
    known = nodes_.emplace(node, PromisesEndOn(cluster_, node, grace_)).first;
  return known->second;
}

// When the last of those that leave the queue, or one below it, is overdue.
std::optional<Time> PromiseEnds::OfQueue(model::QueueId queue) {
  if (const auto known = queues_.find(queue); known != queues_.end()) return known->second;
  std::optional<Time> end;
  bool open = false;
  for (const model::TaskId id : cluster_.releasing()) {
    const Task& task = cluster_.task(id);
    if (task.holding.overdue || !IsBelow(cluster_, task, queue)) continue;
    const std::optional<Time> theirs = OfNode(task.node());
    open = open || !theirs;
    if (theirs && (!end || *theirs > *end)) end = theirs;
  }
  if (open) end.reset();
  return queues_.emplace(queue, end).first->second;
}

std::optional<Time> PromiseEnds::Of(const Task& promised) {
  const std::optional<Time> node = OfNode(promised.node());
  const model::QueueId full = QueueThatIsWaitedFor(cluster_, promised);
  if (!full.valid()) return node;
  const std::optional<Time> queue = OfQueue(full);
  return node && queue ? std::max(*node, *queue) : queue;
}

}  // namespace basalt::scheduler::explain
