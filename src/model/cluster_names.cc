// Names of resources: they come and go with the nodes and queues that offer them, and what pods and
// groups ask for is read accordingly.
#include <algorithm>

#include "model/cluster.h"

namespace basalt::model {

// What a node or a queue offers becomes `list`. SettleNames is to be called when it is entered
// everywhere.
void Cluster::Offer(Amounts& amounts, const kube::ResourceList& list) {
  const DimensionSet before = amounts.scalars();
  amounts = OfferResource(list, dimensions_);
  dimensions_.Withdraw(before);
}

void Cluster::ReadMinResources(Job& job) {
  job.unknown_min_resource = false;
  job.min_resources.reset();
  if (!job.group->min_resources) return;
  job.min_resources =
      ToResource(OfNodes(*job.group->min_resources), dimensions_, &job.unknown_min_resource);
}

std::vector<std::string> Cluster::LackingNames(DimensionSet lacking, const Job& job) const {
  std::vector<std::string> names = dimensions_.Names(lacking);
  if (!job.unknown_min_resource) return names;
  std::vector<std::string> unknown;
  if (!job.shadow) {
    unknown = UnknownNames(OfNodes(*job.group->min_resources), dimensions_);
  } else if (!job.pending.empty()) {
    unknown = UnknownNames(*tasks_[job.pending.front()].task_class, dimensions_);
  }
  names.insert(names.end(), unknown.begin(), unknown.end());
  std::ranges::sort(names);
  return names;
}

void Cluster::GiveClassAgain(Task& task) {
  Job* job = jobs_.Find(task.job);
  constexpr Books kAmounts{.counts = false};
  Withdraw(task, kAmounts);
  if (job) job->total_request.Remove(task.request());
  const TaskClass* before = task.task_class;
  task.task_class = classes_.Acquire(task.pod, dimensions_);
  classes_.Release(before);
  if (job) job->total_request.Add(task.request());
  if (job && job->shadow) {
    job->min_resources = task.request();
    job->unknown_min_resource = task.task_class->unknown_resource;
  }
  Enter(task, task.holding, kAmounts);
  if (job) NoteChange(*job);
}

// A new name, or the end of one, is rare: a walk over all tasks and jobs is cheaper than lists of
// which pods ask for what.
void Cluster::SettleNames() {
  const DimensionSet gone = dimensions_.unoffered();
  if (gone == 0 && !dimensions_.has_new()) return;
  dimensions_.HideUnoffered();
  const auto outdated = classes_.RetireOutdated(dimensions_, gone);
  if (!outdated.empty()) {
    tasks_.ForEach([&](Task& task) {
      if (outdated.contains(task.task_class)) GiveClassAgain(task);
    });
  }
  jobs_.ForEach([&](Job& job) {
    if (!job.exists() || job.shadow || !job.min_resources) return;
    if (!job.unknown_min_resource && (job.min_resources->scalars() & gone) == 0) return;
    ReadMinResources(job);
    RefreshContribution(job);
    NoteChange(job);
  });
  dimensions_.Free();
  if (gone == 0 || !dimensions_.some_uncounted()) return;
  // There are numbers again for names that had none.
  dimensions_.ForgetUncounted();
  const std::vector<NodeId> nodes = nodes_by_name_;
  for (const NodeId id : nodes) SetNode(nodes_[id].object);
  queues_.ForEach([&](const Queue& queue) {
    if (queue.exists()) SetQueue(queue.object);
  });
}

}  // namespace basalt::model
