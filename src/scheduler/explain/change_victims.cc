#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "scheduler/explain/change_search.h"

namespace basalt::scheduler::explain {

using model::Amounts;
using model::Task;

double SizeOf(const model::Cluster& cluster, const Amounts& request) {
  double size = 0;
  model::ForEachDimension(request.NonZero(), [&](int d) {
    const double total = cluster.total_allocatable()[d];
    if (total > 0) size += request[d] / total;
  });
  return size;
}

namespace {

constexpr std::size_t kFewPods = 6;

bool CouldFinish(const Task& task, const model::Job& job) {
  return model::IsPreemptable(task.status()) && task.job != job.id;
}

// The least important first; among equals the smallest, or the largest: few of those do.
enum class First { kSmallest, kLargest };
void Sort(const model::Cluster& cluster, First first, std::vector<const Task*>& tasks) {
  std::ranges::sort(tasks, [&](const Task* a, const Task* b) {
    if (a->priority != b->priority) return a->priority < b->priority;
    if (first == First::kLargest) std::swap(a, b);
    const double size_a = SizeOf(cluster, a->request()), size_b = SizeOf(cluster, b->request());
    return size_a != size_b ? size_a < size_b : a->pod->meta.Key() < b->pod->meta.Key();
  });
}

// The first k of the tasks.
Candidate Finish(const std::vector<const Task*>& tasks) {
  std::vector<std::pair<model::TaskId, std::string>> victims;
  for (const Task* task : tasks) victims.emplace_back(task->id, task->pod->meta.Key());
  return Several(
      std::min(victims.size(), kMostPodsFinished),
      [victims](int times) {
        std::vector<std::string> names;
        for (int i = 0; i < times; ++i) names.push_back(victims[i].second);
        return fmt::format("finish or evict pod{} {}", times > 1 ? "s" : "",
                           fmt::join(names, ", "));
      },
      [victims](WhatIf& what_if, int times) {
        for (int i = 0; i < times; ++i) what_if.Finish(victims[i].first);
      });
}

// Any one of the tasks, each of which is enough.
void AddEachOf(const model::Cluster& cluster, std::vector<const Task*> enough, Candidates& out) {
  Sort(cluster, First::kSmallest, enough);
  for (const Task* task : enough | std::views::take(kFewPods)) out.push_back(Finish({task}));
}

}  // namespace

void AddVictimsOnNodes(const model::Cluster& cluster, const model::Job& job, const Task& task,
                       Candidates& out) {
  std::vector<const Task*> enough;
  struct Group {
    std::vector<const Task*> tasks;
    double size = 0;
  };
  std::vector<Group> several;
  if (task.task_class->unknown_resource) return;
  for (const model::NodeId id : cluster.nodes()) {
    const model::Node& node = cluster.node(id);
    if (!IsOpenTo(*task.pod, *node.object)) continue;
    if (cluster.ledger().FitsFuture(task.request(), id)) continue;  // not for want of room
    if (!task.request().LessEqual(node.allocatable, model::Undefined::kZero)) continue;
    std::vector<const Task*> here;
    for (const model::TaskId other : node.tasks) {
      if (CouldFinish(cluster.task(other), job)) here.push_back(&cluster.task(other));
    }
    const model::DimensionSet lacking = cluster.ledger().LackingInFuture(task.request(), id);
    const Amounts room = cluster.ledger().Future(id);
    const auto frees_enough = [&](const Amounts& freed) {
      const Amounts then = Amounts(room).Add(freed);
      return (task.request().Exceeding(then, model::Undefined::kZero) & lacking) == 0;
    };
    for (const Task* other : here) {
      if (frees_enough(other->request())) enough.push_back(other);
    }
    Sort(cluster, First::kLargest, here);
    Amounts freed;
    Group first;
    for (const Task* other : here) {
      first.tasks.push_back(other);
      freed.Add(other->request());
      if (frees_enough(freed)) break;
    }
    first.size = SizeOf(cluster, freed);
    if (first.tasks.size() > 1 && first.tasks.size() <= kMostPodsFinished && frees_enough(freed)) {
      several.push_back(std::move(first));
    }
  }
  AddEachOf(cluster, std::move(enough), out);
  std::ranges::stable_sort(several, [](const Group& a, const Group& b) {
    return a.tasks.size() != b.tasks.size() ? a.tasks.size() < b.tasks.size() : a.size < b.size;
  });
  for (const Group& each : several | std::views::take(kFewNodes)) out.push_back(Finish(each.tasks));
}

void AddVictimsOfQueue(const model::Cluster& cluster, const model::Job& job,
                       const Shortage& shortage, model::QueueReach reach, bool others_ahead,
                       Candidates& out) {
  std::vector<const Task*> held;
  cluster.ForJobsOf(shortage.queue, reach, [&](const model::Job& holder) {
    for (const model::TaskId task : holder.others) {
      if (CouldFinish(cluster.task(task), job)) held.push_back(&cluster.task(task));
    }
  });
  std::vector<const Task*> enough = held;
  std::erase_if(enough, [&](const Task* task) {
    return !shortage.missing.LessEqual(task->request(), model::Undefined::kZero);
  });
  AddEachOf(cluster, enough, out);
  if ((!enough.empty() && !others_ahead) || held.empty()) return;
  Sort(cluster, First::kLargest, held);
  out.push_back(Finish(held));
}

}  // namespace basalt::scheduler::explain
