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
  // Goes through the slots as far as `most` allows; true: it is through, and the next phase's turn.
  const auto walk = [&](const auto& slots, Phase then, auto look) {
    for (; next_ < slots.bound() && most > 0; ++next_, --most) look(next_);
    if (next_ < slots.bound()) return false;
    next_ = 0;
    phase_ = then;
    return true;
  };
  switch (phase_) {
    case Phase::kTasks:
      if (!walk(cluster.tasks(), Phase::kNodes, [&](std::uint32_t slot) {
            const model::Task* task = cluster.tasks().Find(model::TaskId{slot});
            // What reservations hold is in the state alone.
            if (task && !cluster.IsReserved(*task)) Compare(cluster, *task, now, report);
          })) {
        return false;
      }
      [[fallthrough]];
    case Phase::kNodes:
      if (!walk(cluster.node_slots(), Phase::kJobs, [&](std::uint32_t slot) {
            const model::Node* node = cluster.node_slots().Find(model::NodeId{slot});
            if (node) Compare(cluster, *node, report);
          })) {
        return false;
      }
      [[fallthrough]];
    case Phase::kJobs:
      if (!walk(cluster.jobs(), Phase::kRest, [&](std::uint32_t slot) {
            const model::Job* job = cluster.jobs().Find(model::JobId{slot});
            if (job && job->has_object()) Compare(*job, report);
          })) {
        return false;
      }
      [[fallthrough]];
    case Phase::kRest: break;
  }
  FindMissing(cluster, report);
  CompareQueues(cluster, report);
  boost::unordered::erase_if(under_way_,
                             [&](const auto& entry) { return entry.second.round != round_; });
  ++round_;
  phase_ = Phase::kTasks;
  return true;
}

void DriftComparer::FindMissing(const model::Cluster& cluster, Report report) {
  std::size_t pods = 0;
  sources_.pods.ForEach([&](const kube::Pod& pod) { pods += Takes(pod) ? 1 : 0; });
  std::size_t reserved = 0;
  cluster.reservations().ForEach(
      [&](const model::ReservationRecord& record) { reserved += record.slots.size(); });
  if (pods + reserved != cluster.tasks().live()) {
    sources_.pods.ForEach([&](const kube::Pod& pod) {
      if (Takes(pod) && !cluster.FindTask(pod.meta.ns, pod.meta.name)) {
        report(fmt::format("pod {} is not in the state", pod.meta.Key()));
      }
    });
  }
  std::size_t nodes = 0;
  const auto takes = [&](const kube::Node& node) {
    return !sources_.takes_node || sources_.takes_node(node);
  };
  sources_.nodes.ForEach([&](const kube::Node& node) { nodes += takes(node) ? 1 : 0; });
  if (nodes != cluster.nodes().size()) {
    sources_.nodes.ForEach([&](const kube::Node& node) {
      if (takes(node) && !cluster.FindNode(node.meta.name)) {
        report(fmt::format("node {} is not in the state", node.meta.name));
      }
    });
  }
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
    if (!object || (sources_.takes_node && !sources_.takes_node(*object))) {
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
  for (const model::TaskId id : node.tasks) {
    const model::Task& task = cluster.task(id);
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
