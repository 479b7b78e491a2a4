// A task with a node counts in the queue in which it was bound.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "kube/types/reasons.h"
#include "model/annotations.h"
#include "model/bound_queue.h"
#include "model/group_of.h"
#include "scheduler/state/cluster_state.h"

namespace basalt::scheduler {

using model::TaskStatus;

void ClusterState::SetDeciding(bool deciding) {
  const bool begins = deciding && !deciding_;
  if (!deciding) cluster_.mutable_reservations().RemoveAll();
  deciding_ = deciding;
  if (!begins) return;
  ++generation_;
  PutAllWhereBound();
  RestoreReservations();
  cluster_.tasks().ForEach([this](const model::Task& task) { LookAtNewcomer(task); });
}

void ClusterState::WarnOfOtherQueue(const kube::Pod& before, const model::Task& task) {
  constexpr std::string_view kKey = model::annotations::kQueueName;
  const std::string_view named = task.pod->meta.annotations.Get(kKey);
  if (!deciding_ || named == before.meta.annotations.Get(kKey)) return;
  const std::string& queue = QueueNameOf(cluster_.job(task.job));
  if (named == queue) return;
  news_.push_back(model::Warning(
      task.pod, reasons::kQueueChanged,
      fmt::format("the annotation {} was changed to \"{}\": the pod counts in queue {}, "
                  "in which it was bound, until it ends",
                  kKey, named, queue)));
}

// Where the task's pod says that it was bound, as far as that is to be believed; nothing: it says
// nothing of the kind.
std::optional<std::string> ClusterState::BoundQueueOf(const model::Task& task) {
  const auto record = model::ReadBoundQueue(options_.signer, *task.pod);
  if (!record) return std::nullopt;
  if (record->genuine) return std::string(record->name);
  const std::string& queue = QueueNameOf(cluster_.job(task.job));
  if (options_.signer && record->name != queue) {
    news_.push_back(model::Warning(
        task.pod, reasons::kQueueChanged,
        fmt::format("the annotation {} is not as the scheduler wrote it and does not "
                    "count: the pod counts where its group or its annotation {} says",
                    model::annotations::kBoundQueue, model::annotations::kQueueName)));
  }
  // One that says to be in a queue that does not exist would count nowhere.
  if (!cluster_.FindQueue(queue) && cluster_.FindQueue(record->name)) {
    return std::string(record->name);
  }
  return std::nullopt;
}

// The task has just come to be known on its node.
void ClusterState::PutWhereBound(model::TaskId id) {
  const model::Task& task = cluster_.task(id);
  const std::optional<std::string> queue = BoundQueueOf(task);
  const model::Job& job = cluster_.job(task.job);
  if (!queue || *queue == QueueNameOf(job)) return;
  if (job.shadow) {
    SetShadow(id, *queue);
  } else if (job.counts.Allocated() + job.counts[TaskStatus::kReleasing] == 1) {
    cluster_.PutInQueue(job.id, *queue);
  } else {
    PutApart(id, *queue);
  }
}

// The task's group counts in another queue: it leaves the group for a shadow in its own.
void ClusterState::PutApart(model::TaskId id, const std::string& queue) {
  const model::Task& task = cluster_.task(id);
  const std::shared_ptr<const kube::Pod> pod = task.pod;
  const model::Holding holding = task.holding;
  cluster_.SetPod(pod, model::ShadowNameFor(pod->meta), holding);
  SetShadow(id, queue);
}

void ClusterState::PutAllWhereBound() {
  struct Bound {
    model::TaskId task;
    std::string queue;
  };
  // Of several queues of a group its own is chosen, or else the first by name.
  std::map<model::JobId, std::vector<Bound>> of_groups;
  std::vector<Bound> of_shadows;
  cluster_.tasks().ForEach([&](const model::Task& task) {
    if (!task.job.valid() || !OccupiesNode(task.holding) ||
        task.status() == TaskStatus::kPipelined) {
      return;
    }
    const model::Job& job = cluster_.job(task.job);
    const std::optional<std::string> bound = BoundQueueOf(task);
    std::string queue = bound.value_or(QueueNameOf(job));
    // Every task on a node counts in some queue.
    if (!bound && !cluster_.FindQueue(queue)) queue = options_.default_queue;
    if (job.shadow) {
      if (queue != QueueNameOf(job)) of_shadows.push_back({task.id, std::move(queue)});
    } else {
      of_groups[job.id].push_back({task.id, std::move(queue)});
    }
  });
  for (const Bound& bound : of_shadows) SetShadow(bound.task, bound.queue);

  std::vector<Bound> apart;
  for (auto& [id, members] : of_groups) {
    const model::Job& job = cluster_.job(id);
    const std::string own = job.exists() ? QueueOf(*job.group) : "";
    std::string chosen = std::ranges::min_element(members, {}, &Bound::queue)->queue;
    for (const Bound& bound : members) {
      if (bound.queue == own) chosen = own;
    }
    if (chosen != QueueNameOf(job)) cluster_.PutInQueue(id, chosen);
    for (Bound& bound : members) {
      if (bound.queue != chosen) apart.push_back(std::move(bound));
    }
  }
  for (const Bound& bound : apart) PutApart(bound.task, bound.queue);
}

// One of the job's tasks may have left its node: with the last one the job's queue is again what
// its group says.
void ClusterState::NodeLeft(model::JobId id) {
  const model::Job* job = cluster_.FindJob(id);
  if (!job || job->shadow || !job->queue.valid() || job->HoldsNodes()) return;
  if (!job->exists()) {
    const std::string ns = job->ns, name = job->name;
    cluster_.RemoveGroup(ns, name);
  } else if (const std::string queue = QueueOf(*job->group); queue != QueueNameOf(*job)) {
    cluster_.PutInQueue(id, queue);
  }
}

}  // namespace basalt::scheduler
