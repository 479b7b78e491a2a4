// What events say: pods, groups and nodes that come, change and go.
#include <algorithm>

#include "base/check.h"
#include "model/annotations.h"
#include "model/cluster.h"
#include "model/cluster_parts.h"
#include "model/node_index.h"

namespace basalt::model {

using parts::Key;
using parts::Lookup;

// ---- pods

Holding Cluster::HoldingOf(const kube::Pod& pod) {
  Holding holding{.status = StatusOf(pod)};
  // One that has ended is on no node any more: that may go and come back as another before its pod.
  if (pod.bound() && !IsCompleted(holding.status)) holding.node = NodeSlot(pod.spec.node_name);
  // Only its queue's admission takes an opted-in pod's gate away.
  holding.queue_claim = gates_enabled_ && holding.status == TaskStatus::kPending &&
                        OptsInToGate(pod) && pod.spec.scheduling_gates.empty();
  return holding;
}

std::uint32_t Cluster::RoleIndex(Job& job, std::string_view name) {
  for (std::uint32_t i = 0; i < job.roles.size(); ++i) {
    if (job.roles[i].name == name) return i;
  }
  job.roles.push_back({.name = std::string(name)});
  return static_cast<std::uint32_t>(job.roles.size() - 1);
}

// The task has been withdrawn, and is about to enter.
void Cluster::JoinJob(Task& task, JobId id) {
  task.job = id;
  if (!id.valid()) return;
  Job& job = jobs_[id];
  task.role = RoleIndex(job, TaskRole(*task.pod));
  job.total_request.Add(task.request());
}

void Cluster::LeaveJob(Task& task) {
  if (!task.job.valid()) return;
  Job& job = jobs_[task.job];
  job.total_request.Remove(task.request());
  RefreshContribution(job);
  NoteChange(job);
  task.job = {};
  if (job.shadow && job.counts.total() == 0) {
    job.group = nullptr;
    job.shadow = false;
  }
  DropJobSlotIfUnused(job.id);
}

TaskId Cluster::SetPod(std::shared_ptr<const kube::Pod> pod, std::string_view group,
                       const Holding& holding) {
  const auto [it, added] = task_index_.try_emplace(Key(pod->meta.ns, pod->meta.name));
  if (!added && tasks_[it->second].uid() != pod->meta.uid) {
    RemovePod(pod->meta.ns, pod->meta.name);
    return SetPod(std::move(pod), group, holding);
  }
  if (added) {
    const auto [id, task] = tasks_.Emplace();
    task->id = id;
    it->second = id;
  }
  Task& task = tasks_[it->second];
  const JobId old_job = task.job;
  // Hold on to the job's slot while the task changes.
  const JobId job = group.empty() ? JobId{} : JobSlot(pod->meta.ns, group);
  const NodeId old_node = task.holding.node;
  const TaskClass* old_class = task.task_class;
  if (!added) {
    Withdraw(task, {});
    if (old_job != job) {
      LeaveJob(task);
    } else if (job.valid()) {
      jobs_[job].total_request.Remove(task.request());  // it stays: its slot is not dropped
    }
  }
  task.task_class = classes_.Acquire(pod, dimensions_);
  if (old_class) classes_.Release(old_class);
  task.priority = TaskPriority(*pod);
  task.index = TaskIndex(*pod);
  task.gate = model::GateOf(*pod);
  task.opted_in = gates_enabled_ && OptsInToGate(*pod);
  if (task.gate == Gate::kNone) task.ungating = false;
  task.preemptable = IsTaskPreemptable(*pod);
  task.names_reservation = !pod->meta.annotations.Get(annotations::kReservationName).empty();
  task.pod = std::move(pod);
  RaiseMove(task.holding, holding);
  Raise(Happening::kPod);
  JoinJob(task, job);
  Enter(task, holding, {});
  if (job.valid()) NoteChange(jobs_[job]);
  if (old_node.valid() && old_node != holding.node) DropNodeSlotIfUnused(old_node);
  if (!reservations_.moves().empty()) reservations_.moves().PodCame(task);
  return task.id;
}

void Cluster::SplitClasses() {
  if (!classes_.has_new_keys()) return;
  const std::vector<std::string> keys = classes_.TakeNewKeys();
  tasks_.ForEach([&](Task& task) {
    const bool carries = std::ranges::any_of(
        keys, [&](const std::string& key) { return task.pod->meta.labels.Contains(key); });
    if (carries) RenewClass(task);
  });
}

void Cluster::SetPodKeys(const std::vector<std::string>& keys) {
  if (classes_.pod_keys() == keys) return;
  classes_.SetPodKeys(keys);
  tasks_.ForEach([&](Task& task) { RenewClass(task); });
}

// The request stays as it is: only what a node knows of the task, it knows by its class.
void Cluster::RenewClass(Task& task) {
  const TaskClass* old = task.task_class;
  const TaskClass* now = classes_.Acquire(task.pod, dimensions_);
  if (now != old) {
    constexpr Books kNode{.counts = false, .sums = false};
    Withdraw(task, kNode);
    task.task_class = now;
    Enter(task, task.holding, kNode);
    if (Job* job = jobs_.Find(task.job)) Unpark(*job);
  }
  classes_.Release(old);
}

void Cluster::RemovePod(std::string_view ns, std::string_view name) {
  const auto it = task_index_.find(Key(ns, name));
  if (it == task_index_.end()) return;
  const TaskId id = it->second;
  Task& task = tasks_[id];
  const NodeId node = task.holding.node;
  RaiseMove(task.holding, {});
  Raise(Happening::kPod);
  if (!reservations_.moves().empty()) reservations_.moves().PodLeaves(task);
  Withdraw(task, {});
  LeaveJob(task);
  classes_.Release(task.task_class);
  task_index_.erase(it);
  tasks_.Erase(id);
  if (node.valid()) DropNodeSlotIfUnused(node);
}

// ---- groups

JobId Cluster::SetGroup(std::shared_ptr<const kube::PodGroup> group, std::string_view queue) {
  const JobId id = JobSlot(group->meta.ns, group->meta.name);
  Job& job = jobs_[id];
  job.shadow = false;
  job.min_available = group->min_member;
  for (Role& role : job.roles) role.min_available = 0;
  job.role_min_total = 0;
  for (const auto& [name, least] : group->min_task_member) {
    job.roles[RoleIndex(job, name)].min_available = least;
    job.role_min_total += least;
  }
  job.phase = ParseJobPhase(kube::ToString(group->phase));
  job.group_names_reservation = !group->meta.annotations.Get(annotations::kReservationName).empty();
  job.group = std::move(group);
  ReadMinResources(job);
  SetJobQueue(job, QueueSlot(queue));
  RefreshContribution(job);
  NoteChange(job);
  Raise(Happening::kPod);
  return id;
}

void Cluster::RemoveGroup(std::string_view ns, std::string_view name) {
  const JobId id = Lookup(job_index_, Key(ns, name));
  if (!id.valid()) return;
  Job& job = jobs_[id];
  job.group = nullptr;
  job.group_names_reservation = false;
  job.shadow = false;
  job.min_available = 0;
  job.min_resources.reset();
  job.unknown_min_resource = false;
  job.phase = JobPhase::kPending;
  Unpark(job);
  Raise(Happening::kPod);
  if (!job.HoldsNodes()) {
    SetJobQueue(job, {});
  } else {
    RefreshContribution(job);
  }
  UpdateActive(job);
  DropJobSlotIfUnused(id);
}

void Cluster::PutInQueue(JobId id, std::string_view queue) {
  Job& job = jobs_[id];
  SetJobQueue(job, QueueSlot(queue));
  NoteChange(job);
}

namespace {

// Where a shadow stands that is met for the first time, maybe after a restart.
JobPhase FirstPhase(const Task& task) {
  switch (task.status()) {
    case TaskStatus::kPending: return JobPhase::kPending;
    case TaskStatus::kPipelined: return JobPhase::kInqueue;  // it was admitted before
    case TaskStatus::kSucceeded:
    case TaskStatus::kFailed: return JobPhase::kCompleted;
    default: return JobPhase::kRunning;
  }
}

}  // namespace

void Cluster::SetShadow(TaskId id, std::shared_ptr<const kube::PodGroup> group,
                        std::string_view queue) {
  const Task& task = tasks_[id];
  Job& job = jobs_[task.job];
  if (job.exists() && !job.shadow) return;
  if (!job.exists()) job.phase = FirstPhase(task);
  job.shadow = true;
  job.shadow_created = task.pod->meta.creation_timestamp;
  job.min_available = group->min_member;
  job.min_resources = task.request();
  job.unknown_min_resource = task.task_class->unknown_resource;
  job.group_names_reservation = task.names_reservation;
  job.group = std::move(group);
  SetJobQueue(job, QueueSlot(queue));
  RefreshContribution(job);
  NoteChange(job);
  Raise(Happening::kPod);
}

// ---- nodes

// A node that comes or goes, with the tasks that name it.
void Cluster::ChangeTotalHeld(const Node& node, int by) {
  for (const TaskId id : node.tasks) {
    const Task& task = tasks_[id];
    if (parts::NodeClass(task.holding) == parts::OnNode::kLeaving) continue;
    parts::Change(total_held_, task.request(), by);
  }
}

NodeId Cluster::SetNode(std::shared_ptr<const kube::Node> object) {
  const NodeId id = NodeSlot(object->meta.name);
  Node& node = nodes_[id];
  const bool is_new = !node.exists();
  if (is_new) {
    const auto place =
        std::ranges::lower_bound(nodes_by_name_, std::string_view(node.name), {},
                                 [&](NodeId n) { return std::string_view(nodes_[n].name); });
    nodes_by_name_.insert(place, id);
    ++node_set_generation_;
    ChangeTotalHeld(node, +1);
  } else {
    total_allocatable_.Remove(node.allocatable);
    node_labels_.Remove(node.object->meta.labels);
  }
  node_labels_.Add(object->meta.labels);
  node.object = std::move(object);
  Offer(node.allocatable, node.object->status.allocatable);
  total_allocatable_.Add(node.allocatable);
  ledger_.SetAllocatable(id, node.allocatable);
  TouchNode(id);
  node.object_generation = node.generation;
  ++node_objects_generation_;
  Raise(Happening::kNode);
  SettleNames();
  return id;
}

void Cluster::RefreshNode(std::shared_ptr<const kube::Node> object) {
  nodes_[Lookup(node_index_, object->meta.name)].object = std::move(object);
}

void Cluster::RefreshPod(TaskId task, std::shared_ptr<const kube::Pod> pod) {
  tasks_[task].pod = std::move(pod);
}

void Cluster::RefreshGroup(JobId job, std::shared_ptr<const kube::PodGroup> group) {
  jobs_[job].group = std::move(group);
}

void Cluster::RemoveNode(std::string_view name) {
  const NodeId id = Lookup(node_index_, std::string(name));
  if (!id.valid() || !nodes_[id].exists()) return;
  Node& node = nodes_[id];
  total_allocatable_.Remove(node.allocatable);
  ChangeTotalHeld(node, -1);
  node_labels_.Remove(node.object->meta.labels);
  node.object = nullptr;
  Offer(node.allocatable, {});
  ledger_.SetAllocatable(id, {});
  std::erase(nodes_by_name_, id);
  ++node_set_generation_;
  ++node_objects_generation_;
  Raise(Happening::kNode);
  TouchNode(id);
  DropNodeSlotIfUnused(id);
  SettleNames();
}

}  // namespace basalt::model
