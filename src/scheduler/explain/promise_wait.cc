#include "scheduler/explain/promise_wait.h"

#include <algorithm>
#include <tuple>

#include "scheduler/explain/queue_shortage.h"
#include "scheduler/framework/future_claims.h"

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

bool IsLimited(const model::Queue& queue) {
  return queue.object && !queue.object->capability.empty();
}

// Those in a queue of the job's limits whose eviction the API server has not confirmed: they count
// there until it has.
std::vector<const Task*> UnconfirmedEvictions(const model::Cluster& cluster,
                                              const model::Job& job) {
  std::vector<model::QueueId> limited = WayUp(cluster, job.queue);
  std::erase_if(limited, [&](model::QueueId id) { return !IsLimited(cluster.queue(id)); });
  std::vector<const Task*> tasks;
  for (const model::TaskId id : cluster.leaving()) {
    const Task& task = cluster.task(id);
    const model::Job* theirs = cluster.FindJob(task.job);
    if (task.pod->meta.deleting() || !theirs) continue;
    const std::vector<model::QueueId> way = WayUp(cluster, theirs->queue);
    if (std::ranges::find_first_of(way, limited) != way.end()) tasks.push_back(&task);
  }
  SortByName(tasks);
  return tasks;
}

}  // namespace

PromiseWait WhatPromiseWaitsFor(const model::Cluster& cluster, const Task& promised,
                                Duration nomination_grace) {
  PromiseWait wait;
  const std::optional<FutureClaim> own = FutureClaimOf(cluster, promised, nomination_grace);
  if (own && !own->waits_for.empty()) {
    wait.for_whom = own->waits_for;
    wait.until = own->until;
    return wait;
  }
  const model::Job* job = cluster.FindJob(promised.job);
  if (!job) return wait;
  wait.what = PromiseWait::What::kGroup;
  bool open = false;
  for (const model::TaskId id : job->pipelined) {
    const auto claim = FutureClaimOf(cluster, cluster.task(id), nomination_grace);
    if (!claim || claim->waits_for.empty()) continue;
    wait.for_whom.insert(wait.for_whom.end(), claim->waits_for.begin(), claim->waits_for.end());
    open = open || !claim->until;
    // The first that ends may end them all.
    if (claim->until && (!wait.until || *claim->until < *wait.until)) wait.until = claim->until;
  }
  SortByName(wait.for_whom);
  if (open) wait.until.reset();
  if (!wait.for_whom.empty()) return wait;
  wait.what = PromiseWait::What::kQueue;
  wait.for_whom = UnconfirmedEvictions(cluster, *job);
  return wait;
}

}  // namespace basalt::scheduler::explain
