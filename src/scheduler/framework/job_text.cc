#include "scheduler/framework/job_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace basalt::scheduler {

std::string FewOf(std::vector<std::string> names, std::size_t most) {
  const std::size_t more = names.size() - std::min(names.size(), most);
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string_view NotSupported(const model::Job& job) {
  if (!job.group) return "";
  const auto& topology = job.group->network_topology;
  if (topology && topology->mode == kube::NetworkTopology::Mode::kHard) {
    return "the group asks for a hard network topology (spec.networkTopology), by which nothing is "
           "scheduled yet: make its mode soft, or remove it";
  }
  if (!job.group->sub_group_policy.empty()) {
    return "the group has sub-groups (spec.subGroupPolicy), which are not scheduled yet: remove "
           "them";
  }
  return "";
}

std::string WhyInvalid(const model::Job& job) {
  if (const std::string_view why = NotSupported(job); !why.empty()) return std::string(why);
  for (const model::Role& role : job.roles) {
    if (job.RolesCount() && role.counts.Valid() < role.min_available) {
      return fmt::format("the group needs {} pods of task {} and has {}", role.min_available,
                         role.name, role.counts.Valid());
    }
  }
  return fmt::format("the group needs {} pods and has {}", job.min_available, job.valid_tasks());
}

std::string QueueLacks(const SessionView& view, const model::Shortfall& shortfall) {
  return fmt::format("queue {} has not enough {} left", view.cluster().queue(shortfall.queue).name,
                     fmt::join(view.cluster().dimensions().Names(shortfall.which), ", "));
}

namespace {

// The dimensions of which one of the job's pods asks for more than any node has.
model::DimensionSet BeyondEveryNode(const SessionView& view, const Job& job) {
  model::DimensionSet beyond = 0;
  const model::TaskClass* seen = nullptr;
  for (const Task& task : view.cluster().TasksOf(job.pending)) {
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
    constexpr std::size_t kMostNames = 20;
    return "no node has " + FewOf(cluster.LackingNames(0, job), kMostNames);
  }
  if (const model::DimensionSet beyond = BeyondEveryNode(view, job); beyond != 0) {
    return fmt::format("a pod asks for more {} than any node has",
                       fmt::join(cluster.dimensions().Names(beyond), ", "));
  }
  const std::string names = fmt::format("{}", fmt::join(cluster.dimensions().Names(lacking), ", "));
  const auto never = job.min_resources ? job.min_resources->Exceeding(cluster.total_allocatable(),
                                                                      model::Undefined::kZero)
                                       : model::DimensionSet{0};
  if ((never & lacking) != 0) return fmt::format("all nodes together have not enough {}", names);
  return fmt::format("the nodes have not enough {} left", names);
}

}  // namespace basalt::scheduler
