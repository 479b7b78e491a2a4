#include <fmt/format.h>

#include <algorithm>

#include "scheduler/explain/amounts.h"
#include "scheduler/explain/change_search.h"
#include "scheduler/explain/queue_status.h"

namespace basalt::scheduler::explain {

using model::Amounts;
using model::Task;

namespace {

// The queues with as much more capability as they are short of.
struct Raise {
  std::string text;
  std::vector<kube::Queue> queues;
};

Raise RaiseBy(const model::Cluster& cluster, const std::vector<Shortage>& shortages) {
  std::vector<std::string> texts;
  Raise raise;
  for (const Shortage& shortage : shortages) {
    const model::Queue& queue = cluster.queue(shortage.queue);
    std::vector<std::string> amounts;
    kube::Queue object = *queue.object;
    model::ForEachDimension(shortage.which, [&](int d) {
      const std::string& name = cluster.dimensions().name(d);
      amounts.push_back(fmt::format("{} +{}", name, FormatAmount(d, shortage.missing[d])));
      object.capability.Set(name, ToQuantity(d, queue.capability[d] + shortage.missing[d]));
    });
    texts.push_back(fmt::format("queue {}: capability {}", queue.name, fmt::join(amounts, ", ")));
    raise.queues.push_back(std::move(object));
  }
  raise.text = fmt::format("{}", fmt::join(texts, "; "));
  return raise;
}

Candidate RaiseCapability(const model::Cluster& cluster, const std::vector<Shortage>& shortages) {
  Raise raise = RaiseBy(cluster, shortages);
  return Once(std::move(raise.text), [queues = std::move(raise.queues)](WhatIf& what_if) {
    for (const kube::Queue& queue : queues) what_if.Set(queue);
  });
}

// What those ahead of the job take before it: first what each needs to start, then the rest.
std::vector<Need> TakenAhead(const model::Cluster& cluster,
                             const std::vector<const model::Job*>& ahead) {
  std::vector<Need> taken;
  std::vector<Need> rests;
  for (const model::Job* job : ahead) {
    const Need start = NeedOf(cluster, *job, nullptr);
    Need rest;
    for (const model::TaskId id : job->pending) {
      if (const Task& task = cluster.task(id); task.may_be_placed()) rest.Add(task);
    }
    const auto take = [](Amounts& all, const Amounts& part) {
      all.Sub(part);
      model::ForEachDimension(all.defined(), [&](int d) { all.Set(d, std::max(all[d], 0.0)); });
    };
    take(rest.amount, start.amount);
    take(rest.claimed, start.claimed);
    taken.push_back(start);
    if (rest.amount.NonZero() != 0) rests.push_back(rest);
  }
  taken.insert(taken.end(), rests.begin(), rests.end());
  return taken;
}

// Capability for the job, and for the first `times` - 1 of the jobs ahead of it.
Candidate RaiseForAllAhead(const model::Cluster& cluster, const model::Job& job, Need need,
                           std::vector<Need> taken, model::QueueReach reach) {
  const std::size_t most = taken.size() + 1;
  const auto raise = [&cluster, &job, need, taken = std::move(taken), reach](int times) {
    Need all = need;
    for (int i = 0; i < times - 1; ++i) all.Add(taken[i]);
    return RaiseBy(cluster, FindShortages(cluster, job, all, reach));
  };
  return Several(
      most, [raise](int times) { return raise(times).text; },
      [raise](WhatIf& what_if, int times) {
        for (const kube::Queue& queue : raise(times).queues) what_if.Set(queue);
      });
}

}  // namespace

void AddQueueChanges(Prober& prober, const model::Job& job, const Task* asked, Candidates& out) {
  const model::Cluster& cluster = prober.cluster();
  const model::Queue& queue = cluster.queue(job.queue);
  if (!queue.open) {
    kube::Queue open = *queue.object;
    open.state = kube::QueueState::kOpen;
    out.push_back(Edit(fmt::format("open queue {}", queue.name), std::move(open)));
  }
  // Any queue of a cycle could have another parent; which one it should be only its owner knows.
  for (const model::Queue* each : CycleOf(cluster, queue)) {
    kube::Queue cut = *each->object;
    cut.parent.clear();
    out.push_back(
        Edit(fmt::format("queue {}: another parent than {}", each->name, each->object->parent),
             std::move(cut)));
  }
  const Need need = NeedOf(cluster, job, asked);
  const std::vector<Shortage> shortages = FindShortages(cluster, job, need, prober.queue_reach());
  for (const Shortage& shortage : shortages) out.push_back(RaiseCapability(cluster, {shortage}));
  if (shortages.size() > 1) out.push_back(RaiseCapability(cluster, shortages));
  const model::QueueId highest = shortages.empty() ? job.queue : shortages.back().queue;
  const std::vector<const model::Job*> ahead = prober.Ahead(job, highest);
  if (!ahead.empty()) {
    out.push_back(
        RaiseForAllAhead(cluster, job, need, TakenAhead(cluster, ahead), prober.queue_reach()));
  }
  // Where nothing says how much is missing, whatever a pod of the queue holds may do.
  const Shortage any{.queue = job.queue};
  AddVictimsOfQueue(cluster, job, shortages.empty() ? any : shortages.front(), prober.queue_reach(),
                    !ahead.empty(), out);
}

}  // namespace basalt::scheduler::explain
