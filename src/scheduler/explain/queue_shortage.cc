#include "scheduler/explain/queue_shortage.h"

#include <algorithm>
#include <tuple>

#include "scheduler/explain/amounts.h"
#include "scheduler/framework/queue_room.h"

namespace basalt::scheduler::explain {

using model::Resource;

std::vector<model::QueueId> WayUp(const model::Cluster& cluster, model::QueueId queue) {
  std::vector<model::QueueId> way;
  for (; queue.valid(); queue = cluster.queue(queue).parent) way.push_back(queue);
  return way;
}

Resource NeedOf(const model::Cluster& cluster, const model::Job& job, const model::Task* asked) {
  const int missing = job.min_available - job.ready_tasks() - job.waiting_tasks();
  if (asked && missing <= 0) return asked->request();
  std::vector<const model::Task*> tasks;
  for (const model::TaskId id : job.pending) {
    const model::Task& task = cluster.task(id);
    if (task.gate != model::Gate::kForeign && !task.best_effort()) tasks.push_back(&task);
  }
  std::ranges::sort(
      tasks, [](const model::Task* a, const model::Task* b) { return model::TaskBefore(*a, *b); });
  Resource need;
  int taken = 0;
  for (const model::Task* task : tasks) {
    if (taken++ == std::max(missing, 1)) break;
    need.Add(task->request());
  }
  if (job.min_resources) need.RaiseTo(Resource(*job.min_resources).Sub(job.allocated));
  return need;
}

std::vector<Shortage> FindShortages(const model::Cluster& cluster, const model::Job& job,
                                    const Resource& need) {
  std::vector<Shortage> shortages;
  for (const model::QueueId id : WayUp(cluster, job.queue)) {
    const model::Queue& queue = cluster.queue(id);
    if (!queue.exists()) continue;
    Shortage shortage{.queue = id};
    model::ForEachDimension(need.NonZero(), [&](int d) {
      if (!HasCapability(cluster, queue, d)) return;
      const model::QueueLedger& ledger = queue.tree;
      double held = ledger.allocated.value()[d] + ledger.claimed.value()[d];
      // What admitted jobs may still take counts when a job asks to be let in.
      if (job.IsPending()) {
        const double in_queue = ledger.in_queue.value()[d] - ledger.elastic.value()[d];
        held = std::max(held, ledger.allocated.value()[d] + in_queue);
      }
      const double missing = held + need[d] - queue.capability[d];
      if (missing < Resource::kEpsilon) return;
      shortage.missing.Set(d, missing);
      shortage.which |= model::Bit(d);
    });
    if (shortage.which != 0) shortages.push_back(std::move(shortage));
  }
  return shortages;
}

namespace {

void CollectJobs(const model::Cluster& cluster, const model::Queue& queue,
                 std::vector<const model::Job*>& jobs) {
  for (const model::JobId id : queue.jobs) jobs.push_back(&cluster.job(id));
  for (const model::QueueId child : queue.children)
    CollectJobs(cluster, cluster.queue(child), jobs);
}

}  // namespace

std::vector<QueueShortage::Holder> LargestHolders(const model::Cluster& cluster,
                                                  const model::Queue& queue, int dimension,
                                                  std::size_t most) {
  std::vector<const model::Job*> jobs;
  CollectJobs(cluster, queue, jobs);
  std::vector<std::pair<double, const model::Job*>> held;
  for (const model::Job* job : jobs) {
    double amount = job->allocated.value()[dimension] + job->promised.value()[dimension];
    for (const model::TaskId id : job->pending) {
      const model::Task& task = cluster.task(id);
      if (task.holding.queue_claim) amount += task.request()[dimension];
    }
    if (amount > 0) held.emplace_back(amount, job);
  }
  std::ranges::sort(held, [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    return std::tie(a.second->ns, a.second->name) < std::tie(b.second->ns, b.second->name);
  });
  if (held.size() > most) held.resize(most);
  std::vector<QueueShortage::Holder> holders;
  for (const auto& [amount, job] : held) {
    holders.push_back({.ns = job->ns,
                       .name = job->name,
                       .queue = cluster.queue(job->queue).name,
                       .amount = FormatAmount(dimension, amount)});
  }
  return holders;
}

}  // namespace basalt::scheduler::explain
