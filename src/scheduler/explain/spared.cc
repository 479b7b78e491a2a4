#include "scheduler/explain/spared.h"

#include <algorithm>
#include <span>

namespace basalt::scheduler::explain {

using model::Task;
using Ruling = EvictionMemory::Ruling;

namespace {

constexpr std::size_t kMostNodes = 256;

// Whether the policies permit that the victim leaves for the task.
bool IsPermitted(const SessionView& view, const Task& task, const Task* victim) {
  const model::Job* loses = view.cluster().FindJob(victim->job);
  const model::Job* gains = view.cluster().FindJob(task.job);
  const bool may_leave = model::IsPreemptable(victim->status()) && victim->preemptable;
  if (!may_leave || !loses || !gains || view.cluster().IsReserved(*victim)) return false;
  const std::span candidates(&victim, 1);
  if (loses->queue == gains->queue) {
    return view.config().HasAction(action_names::kPreempt) &&
           !view.Preemptable(task, candidates).empty();
  }
  return view.config().HasAction(action_names::kReclaim) &&
         view.cluster().queue(loses->queue).reclaimable &&
         !view.Reclaimable(task, candidates).empty();
}

}  // namespace

std::string WhoIsSpared(const SessionView& view, const EvictionMemory& memory, const Task& task) {
  if (memory.size() == 0 || task.pod->spec.preemption_policy == kube::PreemptionPolicy::kNever) {
    return "";
  }
  const model::Cluster& cluster = view.cluster();
  const auto& nodes = cluster.nodes();
  for (const model::NodeId node : std::span(nodes).first(std::min(nodes.size(), kMostNodes))) {
    for (const model::TaskId id : cluster.node(node).tasks) {
      const Task& victim = cluster.task(id);
      const Ruling why = memory.Judge(cluster, victim, task, view.now());
      if (why != Ruling::kTwice && why != Ruling::kCycle) continue;
      if (!IsPermitted(view, task, &victim)) continue;
      return WhySpared(victim, why);
    }
  }
  return "";
}

}  // namespace basalt::scheduler::explain
