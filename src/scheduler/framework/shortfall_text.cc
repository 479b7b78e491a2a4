#include "scheduler/framework/shortfall_text.h"

#include <fmt/format.h>

namespace basalt::scheduler {

std::string QueueLacks(const SessionView& view, const model::Shortfall& shortfall) {
  return fmt::format("queue {} has not enough {} left", view.cluster().queue(shortfall.queue).name,
                     fmt::join(view.cluster().dimensions().Names(shortfall.which), ", "));
}

namespace {

// The dimensions of which one of the job's pods asks for more than any node has.
model::DimensionSet BeyondEveryNode(const SessionView& view, const Job& job) {
  model::DimensionSet beyond = 0;
  const model::TaskClass* seen = nullptr;
  for (const model::TaskId id : job.pending) {
    const Task& task = view.cluster().task(id);
    if (task.task_class == seen) continue;
    seen = task.task_class;
    beyond |= task.request().Exceeding(view.LargestNode(), model::Undefined::kZero);
  }
  return beyond & ~model::Bit(model::kPods);
}

}  // namespace

std::string NodesLack(const SessionView& view, const Job& job, model::DimensionSet lacking) {
  const model::Cluster& cluster = view.cluster();
  if (cluster.nodes().empty()) return "the cluster has no nodes";
  if (job.unknown_min_resource) {
    return fmt::format("no node has {}", fmt::join(cluster.LackingNames(0, job), ", "));
  }
  if (const model::DimensionSet beyond = BeyondEveryNode(view, job); beyond != 0) {
    return fmt::format("a pod asks for more {} than any node has",
                       fmt::join(cluster.dimensions().Names(beyond), ", "));
  }
  const std::string names = fmt::format("{}", fmt::join(cluster.dimensions().Names(lacking), ", "));
  const auto never =
      job.min_resources->Exceeding(cluster.total_allocatable(), model::Undefined::kZero);
  if ((never & lacking) != 0) return fmt::format("all nodes together have not enough {}", names);
  return fmt::format("the nodes have not enough {} left", names);
}

}  // namespace basalt::scheduler
