#include "scheduler/state/cluster_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "kube/types/reasons.h"
#include "model/annotations.h"
#include "model/group_of.h"
#include "scheduler/state/bad_input.h"
#include "scheduler/state/says_the_same.h"

namespace basalt::scheduler {

using model::Holding;
using model::TaskStatus;

// ---- pods

bool ClusterState::IsOurs(const kube::Pod& pod) const {
  return options_.scheduler_names.empty() ||
         options_.scheduler_names.contains(pod.spec.scheduler_name);
}

Holding ClusterState::Reconcile(const kube::Pod& pod) {
  Holding said = cluster_.HoldingOf(pod);
  const model::Task* known = FindTask(pod);
  if (!known || (!deciding_ && said.status == TaskStatus::kPending)) {
    // A new pod that opted in and has no gate (the webhook was away) is admitted like the others.
    // Only of pods from before this scheduler decided is it known that they were admitted.
    if (deciding_) said.queue_claim = false;
    return IsOurs(pod) ? Restored(pod, said) : said;
  }
  const Holding& held = known->holding;
  switch (said.status) {
    case TaskStatus::kPending:
      // A claim of ours that the API server has not heard of yet.
      if (held.status == TaskStatus::kBinding || held.status == TaskStatus::kPipelined ||
          held.status == TaskStatus::kAllocated) {
        return held;
      }
      if (held.status == TaskStatus::kPending) {
        Holding claim = held;
        // Another party took its gate away: that counts as admitted.
        claim.queue_claim |= said.queue_claim && !held.lapsed && known->pod->gated();
        return claim;
      }
      return said;
    case TaskStatus::kBound:
    case TaskStatus::kRunning:
      // Its eviction is under way.
      if (held.status == TaskStatus::kReleasing && held.node == said.node) return held;
      return said;
    case TaskStatus::kReleasing:
      // A later version of the pod is no sign that it will go after all.
      said.overdue = held.status == TaskStatus::kReleasing && held.overdue;
      return said;
    default: return said;
  }
}

// A promise from before a restart: the pod carries it. Whether it still holds is for the first
// cycle to find out; until then no other task may take the room.
Holding ClusterState::Restored(const kube::Pod& pod, const Holding& said) {
  const std::string& node = pod.status.nominated_node_name;
  if (said.status != TaskStatus::kPending || node.empty() || pod.gated()) return said;
  return {.status = TaskStatus::kPipelined, .node = cluster_.NodeSlot(node), .restored = true};
}

const model::Task* ClusterState::FindTask(const kube::Pod& pod) const {
  const model::Task* task = cluster_.FindTask(pod.meta.ns, pod.meta.name);
  return task && task->uid() == pod.meta.uid ? task : nullptr;
}

const model::Task* ClusterState::FindTask(model::TaskId id, std::string_view uid) const {
  const model::Task* task = cluster_.FindTask(id);
  return task && task->uid() == uid ? task : nullptr;
}

namespace {

// It has a node, or is on its way there or away from it.
bool HasNode(const Holding& holding) {
  return OccupiesNode(holding) && holding.status != TaskStatus::kPipelined;
}

}  // namespace

void ClusterState::Set(std::shared_ptr<const kube::Pod> pod) {
  const bool ours = IsOurs(*pod);
  if (!ours && (!pod->bound() || pod->terminal())) return Remove(*pod);
  if (const model::Task* same = FindTask(*pod);
      same && deciding_ && SaysTheSame(*same->pod, *pod)) {
    return cluster_.RefreshPod(same->id, std::move(pod));
  }
  ++generation_;
  const Holding holding = Reconcile(*pod);
  if (!ours) {
    cluster_.SetPod(std::move(pod), "", holding);
    return;
  }
  const model::Task* known = FindTask(*pod);
  const bool is_new = known == nullptr;
  const std::shared_ptr<const kube::Pod> before = known ? known->pod : nullptr;
  const model::TaskClass* class_before = known ? known->task_class : nullptr;
  const model::JobId job_before = known ? known->job : model::JobId{};
  const bool had_node = known && known->job.valid() && HasNode(known->holding);
  const bool stays = had_node && holding.status != TaskStatus::kPending;
  const model::GroupChoice group = model::GroupOf(*pod);
  const std::string job_name = stays ? cluster_.job(job_before).name : group.name;
  const model::Task& task = cluster_.task(cluster_.SetPod(std::move(pod), job_name, holding));
  if (is_new && deciding_) LookAtNewcomer(task);
  const bool shadow =
      stays ? cluster_.job(task.job).shadow : group.kind == model::GroupChoice::Kind::kShadow;
  // Most events change nothing that its shadow shows.
  const bool as_before = before && cluster_.job(task.job).shadow &&
                         class_before == task.task_class && LooksLike(*before, *task.pod);
  if (shadow && !as_before) SetShadow(task.id);
  if (stays) {
    WarnOfOtherQueue(*before, task);
  } else if (deciding_ && HasNode(task.holding)) {
    PutWhereBound(task.id);
  }
  if (had_node) NodeLeft(job_before);
}

void ClusterState::LookAtNewcomer(const model::Task& task) {
  const bool is_pod_of_ours = task.job.valid() && !cluster_.IsReserved(task);
  if (!is_pod_of_ours) return;
  if (!options_.queue_gates) AskToUngate(task);
  std::ranges::move(WarningsAbout(task.pod, options_.queue_gates), std::back_inserter(news_));
}

void ClusterState::AskToUngate(const model::Task& task) {
  if (task.pod->HasGate(model::annotations::kQueueAllocationGate)) {
    news_.push_back(model::Ungate{.task = task.id, .pod = task.pod});
  }
}

// ---- shadows

std::string ClusterState::NamespaceQueue(std::string_view name) const {
  const kube::Namespace* ns = cluster_.objects().namespaces.Find(name);
  return std::string(ns ? ns->meta.annotations.Get(model::annotations::kQueueName) : "");
}

std::string ClusterState::QueueOf(const kube::Pod& pod) const {
  std::string queue(pod.meta.annotations.Get(model::annotations::kQueueName));
  if (queue.empty()) queue = NamespaceQueue(pod.meta.ns);
  return queue.empty() ? options_.default_queue : queue;
}

std::string ClusterState::QueueOf(const kube::PodGroup& group) const {
  return group.queue.empty() ? options_.default_queue : group.queue;
}

const std::string& ClusterState::QueueNameOf(const model::Job& job) const {
  static const std::string kNone;
  return job.queue.valid() ? cluster_.queue(job.queue).name : kNone;
}

void ClusterState::SetShadow(model::TaskId id) {
  const model::Task& task = cluster_.task(id);
  const model::Job& job = cluster_.job(task.job);
  const bool stays = job.shadow && job.queue.valid() && HasNode(task.holding);
  SetShadow(id, stays ? QueueNameOf(job) : QueueOf(*task.pod));
}

void ClusterState::SetShadow(model::TaskId id, const std::string& queue) {
  const model::Task& task = cluster_.task(id);
  std::shared_ptr<const kube::PodGroup> group = shadow_groups_.LookOf(*task.pod, queue);
  const std::int32_t priority = PriorityOf(*group);
  cluster_.SetShadow(id, std::move(group), queue);
  if (cluster_.job(task.job).shadow) cluster_.SetJobPriority(task.job, priority);
}

// Makes the shadows anew of those tasks without a group of their own that `pick(task)` names.
template <class Pick>
void ClusterState::RefreshShadows(Pick pick) {
  std::vector<model::TaskId> picked;
  cluster_.tasks().ForEach([&](const model::Task& task) {
    if (task.job.valid() && pick(task) &&
        model::GroupOf(*task.pod).kind == model::GroupChoice::Kind::kShadow) {
      picked.push_back(task.id);
    }
  });
  for (const model::TaskId id : picked) SetShadow(id);
}

void ClusterState::Remove(const kube::Pod& pod) {
  const model::Task* task = cluster_.FindTask(pod.meta.ns, pod.meta.name);
  if (!task) return;  // never counted
  ++generation_;
  const model::JobId job = task->job;
  cluster_.RemovePod(pod.meta.ns, pod.meta.name);
  NodeLeft(job);
}

void ClusterState::BindFailed(model::TaskId id, std::string_view uid, AfterRefusal then) {
  const model::Task* task = FindTask(id, uid);
  if (!task || task->status() != TaskStatus::kBinding) return;
  ++generation_;
  const model::Job* job = cluster_.FindJob(task->job);
  if (then == AfterRefusal::kTryAgain && IsOfStartedGang(*task) &&
      cluster_.node(task->node()).exists()) {
    cluster_.Correct(task->id,
                     {.status = TaskStatus::kPipelined, .node = task->node(), .restored = true});
  } else {
    Holding pending = task->PendingAgain();
    pending.resting = then == AfterRefusal::kRest;
    cluster_.Correct(task->id, pending);
  }
  if (job && job->shadow) SetShadow(task->id);
  NodeLeft(task->job);
}

bool ClusterState::IsOfStartedGang(const model::Task& task) const {
  const model::Job* job = cluster_.FindJob(task.job);
  return job && job->counts.Allocated() > 1 && job->ready_tasks() - 1 < job->min_available;
}

void ClusterState::SayBindRefused(const model::Task& task, const Error& why) {
  const bool concerns_pod = why.code != ErrorCode::kNotFound && why.code != ErrorCode::kCancelled;
  if (!concerns_pod || task.gate != model::Gate::kNone) return;
  news_.push_back(model::PodWaits{
      .task = task.id,
      .pod = task.pod,
      .reason = std::string(reasons::kSchedulerError),  // more nodes would not help
      .message = fmt::format("binding to {}: {}", cluster_.node(task.node()).name, why.message)});
}

void ClusterState::EndRest(model::TaskId id, std::string_view uid) {
  const model::Task* task = FindTask(id, uid);
  if (!task || !task->holding.resting) return;
  ++generation_;
  Holding holding = task->holding;
  holding.resting = false;
  cluster_.Correct(task->id, holding);
}

void ClusterState::UngateFailed(model::TaskId id, std::string_view uid) {
  const model::Task* task = FindTask(id, uid);
  if (!task || (options_.queue_gates && !task->ungating)) return;
  ++generation_;
  if (!options_.queue_gates) return AskToUngate(*task);
  cluster_.UngateRefused(task->id);
}

std::vector<model::TaskId> ClusterState::PromisedOn(const model::Node& node) const {
  std::vector<model::TaskId> promised = node.tasks;
  std::erase_if(promised, [this](model::TaskId id) {
    return cluster_.task(id).status() != TaskStatus::kPipelined;
  });
  return promised;
}

void ClusterState::EvictionFailed(model::TaskId id, std::string_view uid) {
  const model::Task* task = FindTask(id, uid);
  if (!task || task->status() != TaskStatus::kReleasing || task->pod->meta.deleting()) return;
  ++generation_;
  cluster_.Correct(task->id, cluster_.HoldingOf(*task->pod));
  if (!task->node().valid()) return;
  // Promises that counted on its going must be looked at again.
  for (const model::TaskId promised : PromisedOn(cluster_.node(task->node()))) {
    Holding holding = cluster_.task(promised).holding;
    holding.restored = true;
    cluster_.Correct(promised, holding);
  }
}

// ---- groups and priorities

std::int32_t ClusterState::PriorityOf(const kube::PodGroup& group) const {
  const auto& classes = cluster_.objects().priority_classes;
  if (const kube::PriorityClass* named = classes.Find(group.priority_class_name)) {
    return named->value;
  }
  for (const auto& [name, priority_class] : classes) {
    if (priority_class->global_default) return priority_class->value;
  }
  return 0;
}

void ClusterState::Set(std::shared_ptr<const kube::PodGroup> group) {
  const model::Job* known = cluster_.FindJob(group->meta.ns, group->meta.name);
  if (known && known->exists() && !known->shadow && SaysTheSame(*known->group, *group) &&
      kube::ToString(group->phase) == model::ToString(known->phase)) {
    return cluster_.RefreshGroup(known->id, std::move(group));
  }
  ++generation_;
  // A version that does not know of our last status write yet must not undo it.
  const bool same_phase = known && known->exists() && known->uid() == group->meta.uid &&
                          known->group->phase == group->phase;
  const model::JobPhase phase = known ? known->phase : model::JobPhase::kPending;
  const bool stays = known && !known->shadow && known->queue.valid() && known->HoldsNodes();
  const std::string queue = stays ? QueueNameOf(*known) : QueueOf(*group);
  const std::int32_t priority = PriorityOf(*group);
  const model::JobId job = cluster_.SetGroup(std::move(group), queue);
  cluster_.SetJobPriority(job, priority);
  if (same_phase) cluster_.SetPhase(job, phase);
}

void ClusterState::Remove(const kube::PodGroup& group) {
  ++generation_;
  cluster_.RemoveGroup(group.meta.ns, group.meta.name);
  // A plain pod whose shadow has the same name gets it back.
  const model::Job* left = cluster_.FindJob(group.meta.ns, group.meta.name);
  if (!left) return;
  RefreshShadows([id = left->id](const model::Task& task) { return task.job == id; });
}

void ClusterState::RefreshPriorities() {
  cluster_.jobs().ForEach([&](const model::Job& job) {
    if (job.exists()) cluster_.SetJobPriority(job.id, PriorityOf(*job.group));
  });
}

void ClusterState::Set(std::shared_ptr<const kube::PriorityClass> priority_class) {
  ++generation_;
  cluster_.mutable_objects().priority_classes.Set(std::move(priority_class));
  RefreshPriorities();
}

void ClusterState::Remove(const kube::PriorityClass& priority_class) {
  ++generation_;
  cluster_.mutable_objects().priority_classes.Erase(priority_class.meta.Key());
  RefreshPriorities();
}

// ---- nodes and queues

void ClusterState::Set(std::shared_ptr<const kube::Node> node) {
  const model::Node* known = cluster_.FindNode(node->meta.name);
  // A heartbeat is no news.
  if (known && SaysTheSame(*known->object, *node)) return cluster_.RefreshNode(std::move(node));
  ++generation_;
  cluster_.SetNode(std::move(node));
}

void ClusterState::Remove(const kube::Node& node) {
  ++generation_;
  const model::Node* known = cluster_.FindNode(node.meta.name);
  if (!known) return;
  // Promises of a node that is gone are void.
  for (const model::TaskId id : PromisedOn(*known)) {
    cluster_.Correct(id, cluster_.task(id).PendingAgain());
  }
  cluster_.RemoveNode(node.meta.name);
}

void ClusterState::Set(std::shared_ptr<const kube::Queue> queue) {
  const model::Queue* known = cluster_.FindQueue(queue->meta.name);
  if (!known || !model::SameButForStatus(*known->object, *queue)) ++generation_;
  cluster_.SetQueue(std::move(queue));
}

void ClusterState::Remove(const kube::Queue& queue) {
  ++generation_;
  cluster_.RemoveQueue(queue.meta.name);
}

// ---- namespaces

void ClusterState::Set(std::shared_ptr<const kube::Namespace> ns) {
  ++generation_;
  const std::string name = ns->meta.name;
  const std::string before = NamespaceQueue(name);
  cluster_.mutable_objects().namespaces.Set(std::move(ns));
  MoveShadows(name, before);
}

void ClusterState::Remove(const kube::Namespace& ns) {
  ++generation_;
  const std::string before = NamespaceQueue(ns.meta.name);
  cluster_.mutable_objects().namespaces.Erase(ns.meta.name);
  MoveShadows(ns.meta.name, before);
}

void ClusterState::MoveShadows(std::string_view ns, const std::string& queue_before) {
  if (NamespaceQueue(ns) == queue_before) return;
  RefreshShadows([ns](const model::Task& task) { return task.ns() == ns; });
}

}  // namespace basalt::scheduler
