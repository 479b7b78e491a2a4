#include "scheduler/state/drift.h"

#include <fmt/format.h>

#include <algorithm>

namespace basalt::scheduler {

using model::TaskStatus;

namespace {

std::string NameOf(const model::Cluster& cluster, int dimension) {
  return cluster.dimensions().Names(model::Bit(dimension)).front();
}

template <class T>
void CompareVersions(std::string_view what, const T& known, const T& now,
                     DriftComparer::Report report) {
  if (known.meta.resource_version == now.meta.resource_version) return;
  report(fmt::format("{} {} is known at version {}, and is at {}", what, now.meta.Key(),
                     known.meta.resource_version, now.meta.resource_version));
}

// What is in the books, and what it is counted to be.
void CompareAmounts(const model::Cluster& cluster, std::string_view whose, std::string_view what,
                    std::string_view of, const model::Amounts& kept, const model::Amounts& counted,
                    DriftComparer::Report report) {
  for (int d = 0; d < std::max(kept.bound(), counted.bound()); ++d) {
    if (kept[d] == counted[d]) continue;
    report(fmt::format("{}: {} of {} {} in the books, its {} have {}", whose, kept[d],
                       NameOf(cluster, d), what, of, counted[d]));
  }
}

}  // namespace

bool DriftComparer::Takes(const kube::Pod& pod) const {
  const bool ours = sources_.scheduler_names.empty() ||
                    sources_.scheduler_names.contains(pod.spec.scheduler_name);
  return ours || (pod.bound() && !pod.terminal());
}

void DriftComparer::CompareAll(const ClusterState& state, Time now, Report report) {
  phase_ = Phase::kTasks;
  next_ = 0;
  while (!Step(state, now, 100000, report)) {
  }
}

bool DriftComparer::Step(const ClusterState& state, Time now, std::size_t most, Report report) {
  const model::Cluster& cluster = state.cluster();
  // Goes through the slots as far as `most` allows, when it is their turn; then it is the next
  // phase's.
  const auto walk = [&](Phase turn, const auto& slots, Phase then, auto look) {
    if (phase_ != turn) return;
    for (; next_ < slots.bound() && most > 0; ++next_, --most) {
      if (const auto* object = slots.Find({next_})) look(*object);
    }
    if (next_ < slots.bound()) return;
    next_ = 0;
    phase_ = then;
  };
  walk(Phase::kTasks, cluster.tasks(), Phase::kNodes, [&](const model::Task& task) {
    // What reservations hold is in the state alone.
    if (!cluster.IsReserved(task)) Compare(cluster, task, now, report);
  });
  walk(Phase::kNodes, cluster.node_slots(), Phase::kJobs,
       [&](const model::Node& node) { Compare(cluster, node, report); });
  walk(Phase::kJobs, cluster.jobs(), Phase::kRest, [&](const model::Job& job) {
    if (job.has_object()) Compare(job, report);
  });
  if (phase_ != Phase::kRest) return false;
  FindMissing(cluster, report);
  CompareQueues(cluster, report);
  boost::unordered::erase_if(under_way_,
                             [&](const auto& entry) { return entry.second.round != round_; });
  ++round_;
  phase_ = Phase::kTasks;
  return true;
}

void DriftComparer::FindMissing(const model::Cluster& cluster, Report report) {
  // The objects are only counted, unless there are not as many as the state has.
  const auto look = [&](const auto& store, std::string_view what, std::size_t in_state, auto takes,
                        auto is_there) {
    std::size_t taken = 0;
    store.ForEach([&](const auto& object) { taken += takes(object) ? 1 : 0; });
    if (taken == in_state) return;
    store.ForEach([&](const auto& object) {
      if (takes(object) && !is_there(object)) {
        report(fmt::format("{} {} is not in the state", what, object.meta.Key()));
      }
    });
  };
  std::size_t pods = cluster.tasks().live();
  cluster.reservations().ForEach(
      [&](const model::ReservationRecord& record) { pods -= record.slots.size(); });
  look(
      sources_.pods, "pod", pods, [&](const kube::Pod& pod) { return Takes(pod); },
      [&](const kube::Pod& pod) { return cluster.FindTask(pod.meta.ns, pod.meta.name); });
  look(
      sources_.nodes, "node", cluster.nodes().size(),
      [&](const kube::Node& node) { return Takes(node); },
      [&](const kube::Node& node) { return cluster.FindNode(node.meta.name); });
  sources_.groups.ForEach([&](const kube::PodGroup& group) {
    const model::Job* job = cluster.FindJob(group.meta.ns, group.meta.name);
    if (!job || !job->exists()) {
      report(fmt::format("group {} is not in the state", group.meta.Key()));
    }
  });
}

void DriftComparer::Compare(const model::Cluster& cluster, const model::Task& task, Time now,
                            Report report) {
  const auto pod = sources_.pods.Find(task.ns(), task.name());
  const std::string key = task.ns() + "/" + task.name();
  if (!pod || pod->meta.uid != task.uid()) {
    return report(fmt::format("pod {} is in the state alone", key));
  }
  if (!Takes(*pod)) return report(fmt::format("pod {} is in the state and of no concern", key));
  if (task.pod->meta.resource_version != pod->meta.resource_version) {
    return CompareVersions("pod", *task.pod, *pod, report);
  }
  CompareHolding(cluster, task, now, report);
}

void DriftComparer::CompareHolding(const model::Cluster& cluster, const model::Task& task, Time now,
                                   Report report) {
  const kube::Pod& pod = *task.pod;
  const TaskStatus said = model::StatusOf(pod);
  const TaskStatus held = task.status();
  const auto differs = [&](std::string_view what) {
    report(fmt::format("pod {} is {} in the state and {}: {}", pod.meta.Key(),
                       model::ToString(held), model::ToString(said), what));
  };
  // Binds and evictions end: those that do not are leaks.
  const bool binding = held == TaskStatus::kBinding || held == TaskStatus::kAllocated;
  const bool evicting = held == TaskStatus::kReleasing && said != TaskStatus::kReleasing;
  if (binding || evicting) {
    UnderWay& known = under_way_.try_emplace(pod.meta.uid, UnderWay{.since = now}).first->second;
    known.round = round_;
    if (now - known.since >= most_under_way_) return differs("its write must have ended long ago");
  } else {
    under_way_.erase(pod.meta.uid);
  }
  switch (said) {
    case TaskStatus::kPending:
      if (!binding && held != TaskStatus::kPending && held != TaskStatus::kPipelined) {
        differs("nothing is under way");
      }
      return;
    case TaskStatus::kBound:
    case TaskStatus::kRunning:
      if (held != said && !evicting) return differs("nothing is under way");
      break;
    default:
      if (held != said) return differs("nothing is under way");
  }
  if (pod.bound() && !model::IsCompleted(held) &&
      (!task.node().valid() || cluster.node(task.node()).name != pod.spec.node_name)) {
    differs("it is on another node");
  }
}

void DriftComparer::Compare(const model::Cluster& cluster, const model::Node& node, Report report) {
  if (node.exists()) {
    const auto object = sources_.nodes.Find("", node.name);
    if (!object || !Takes(*object)) {
      report(fmt::format("node {} is in the state alone", node.name));
    } else {
      CompareVersions("node", *node.object, *object, report);
    }
  }
  CompareSums(cluster, node, report);
}

void DriftComparer::CompareSums(const model::Cluster& cluster, const model::Node& node,
                                Report report) {
  model::ResourceSum used;
  model::ResourceSum promised;
  for (const model::Task& task : cluster.TasksOf(node.tasks)) {
    (task.status() == TaskStatus::kPipelined ? promised : used).Add(task.request());
  }
  const std::string whose = "node " + node.name;
  CompareAmounts(cluster, whose, "used", "tasks", cluster.ledger().Used(node.id), used, report);
  CompareAmounts(cluster, whose, "promised", "tasks", cluster.ledger().Promised(node.id), promised,
                 report);
}

void DriftComparer::Compare(const model::Job& job, Report report) {
  const auto group = sources_.groups.Find(job.ns, job.name);
  if (!group) return report(fmt::format("group {} is in the state alone", job.key()));
  CompareVersions("group", *job.group, *group, report);
}

void DriftComparer::CompareQueues(const model::Cluster& cluster, Report report) {
  for (const auto& queue : sources_.queues.Sorted()) {
    const model::Queue* known = cluster.FindQueue(queue->meta.name);
    if (!known) {
      report(fmt::format("queue {} is not in the state", queue->meta.name));
    } else {
      CompareVersions("queue", *known->object, *queue, report);
    }
  }
  cluster.queues().ForEach([&](const model::Queue& queue) {
    if (queue.exists() && !sources_.queues.Find("", queue.name)) {
      report(fmt::format("queue {} is in the state alone", queue.name));
    }
    model::ResourceSum sum;
    for (const model::JobId id : queue.jobs) {
      sum.AddSum(cluster.job(id).allocated);
      sum.AddSum(cluster.job(id).promised);
    }
    CompareAmounts(cluster, "queue " + queue.name, "allocated", "jobs", queue.own.allocated, sum,
                   report);
  });
}

}  // namespace basalt::scheduler
