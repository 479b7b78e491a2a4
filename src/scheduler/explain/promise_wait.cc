#include "scheduler/explain/promise_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kube/types/reasons.h"
#include "kube/types/time.h"
#include "scheduler/framework/job_text.h"

namespace basalt::scheduler::explain {

using model::Task;

namespace {

std::string FewNamesOf(const std::vector<const Task*>& tasks) {
  std::vector<std::string> names;
  for (const Task* task : tasks) names.push_back(task->ns() + "/" + task->name());
  std::ranges::sort(names);
  return FewOf(std::move(names), 5);
}

}  // namespace

Duration NominationGraceOf(const Config& config) {
  return NominationGrace(config.ArgumentsOf(action_names::kAllocate))
      .value_or(kDefaultNominationGrace);
}

PromiseTerms PromiseTermsOf(const PluginSet& plugins) {
  return {.grace = NominationGraceOf(plugins.config()), .reach = plugins.queue_reach()};
}

PromiseWait WhatPromiseWaitsFor(const model::Cluster& cluster, const Task& promised,
                                const PromiseTerms& terms) {
  PromiseWait wait;
  if (const auto own = StandingPromiseOf(cluster, promised, terms)) {
    for (const Task* task : own->waits_for) {
      (task->node() == own->node ? wait.on_node : wait.in_queue).push_back(task);
    }
    wait.until = own->until;
  }
  const model::Job* job = cluster.FindJob(promised.job);
  if (!wait.ForNobody() || !job) return wait;
  bool open = false;
  for (const model::TaskId id : job->pipelined) {
    const auto other = StandingPromiseOf(cluster, cluster.task(id), terms);
    if (!other || other->waits_for.empty()) continue;
    wait.of_group.insert(wait.of_group.end(), other->waits_for.begin(), other->waits_for.end());
    open = open || !other->until;
    // The first that ends may end them all.
    if (other->until && (!wait.until || *other->until < *wait.until)) wait.until = other->until;
  }
  std::ranges::sort(wait.of_group, {}, NamesOf);
  const auto repeats = std::ranges::unique(wait.of_group);
  wait.of_group.erase(repeats.begin(), repeats.end());
  if (open) wait.until.reset();
  return wait;
}

void ExplainPromise(const model::Cluster& cluster, const PromiseTerms& terms, const Task& task,
                    Explanation& out) {
  const std::string& node = cluster.node(task.node()).name;
  Say(out, Stage::kPipelined, reasons::kPipelined,
      fmt::format("node {} is promised to the pod", node));
  const PromiseWait wait = WhatPromiseWaitsFor(cluster, task, terms);
  if (wait.ForNobody()) {
    AddClause(out.message, "nobody is in its way: the next cycle looks at it again");
    return;
  }
  std::vector<std::string> conditions, changes;
  const auto add = [&](const std::vector<const Task*>& tasks, std::string_view before,
                       std::string_view after, std::string_view change) {
    if (tasks.empty()) return;
    const std::string names = FewNamesOf(tasks);
    const std::string_view have = tasks.size() == 1 ? "has" : "have";
    conditions.push_back(fmt::format("{}{} {} left{}", before, names, have, after));
    changes.push_back(fmt::format("{} to leave{}", names, change));
  };
  add(wait.on_node, "once ", " it", fmt::format(" node {}", node));
  add(wait.in_queue, "once ", " its queue", " its queue");
  add(wait.of_group, "which has room for it; the rest of its group waits until ", "", "");
  out.until = wait.until;
  out.message += fmt::format(", {}", fmt::join(conditions, " and "));
  out.change = fmt::format("wait for {}", fmt::join(changes, " and for "));
  AddClause(out.message,
            wait.until ? fmt::format("if that takes longer than until {}, the promise ends and an "
                                     "autoscaler sees the pod",
                                     kube::FormatTime(*wait.until))
                       : "the API server has yet to confirm an eviction, so there is no end yet");
}

void PromiseEnds::End::Add(const End& other) {
  open = open || other.open;
  if (other.at && (!at || *other.at > *at)) at = other.at;
}

PromiseEnds::End PromiseEnds::OfNode(model::NodeId node) {
  const auto [known, added] = nodes_.try_emplace(node);
  if (added) {
    known->second.at = PromisesEndOn(cluster_, node, terms_.grace);
    known->second.open =
        !known->second.at && std::ranges::any_of(cluster_.node(node).tasks, [&](model::TaskId id) {
          return IsLeaving(cluster_.task(id));
        });
  }
  return known->second;
}

// When the last task that leaves the queue is overdue.
PromiseEnds::End PromiseEnds::OfQueue(model::QueueId queue) {
  if (const auto known = queues_.find(queue); known != queues_.end()) return known->second;
  End end;
  for (const Task& task : cluster_.TasksOf(cluster_.releasing())) {
    if (IsLeaving(task) && CountsIn(cluster_, task, queue, terms_.reach)) {
      end.Add(OfNode(task.node()));
    }
  }
  return queues_.emplace(queue, end).first->second;
}

std::optional<Time> PromiseEnds::Of(const Task& promised) {
  End end = OfNode(promised.node());
  if (const model::QueueId full = QueueThatIsWaitedFor(cluster_, promised, terms_.reach);
      full.valid()) {
    end.Add(OfQueue(full));
  }
  return end.open ? std::nullopt : end.at;
}

}  // namespace basalt::scheduler::explain
