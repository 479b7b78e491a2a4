#include "model/cluster.h"

#include <algorithm>

#include "base/check.h"
#include "model/node_index.h"

namespace basalt::model {
namespace {

std::string Key(std::string_view ns, std::string_view name) {
  std::string key;
  key.reserve(ns.size() + name.size() + 1);
  key += ns;
  key += '/';
  key += name;
  return key;
}

template <class Index>
auto Lookup(const Index& index, const std::string& key) {
  const auto it = index.find(key);
  return it == index.end() ? typename Index::mapped_type{} : it->second;
}

// What a holding means for its node's ledger.
enum class OnNode { kNothing, kUsed, kLeaving, kOverdue, kPromised };
OnNode NodeClass(const Holding& holding) {
  if (!holding.node.valid()) return OnNode::kNothing;
  switch (holding.status) {
    case TaskStatus::kPending:
    case TaskStatus::kSucceeded:
    case TaskStatus::kFailed: return OnNode::kNothing;
    case TaskStatus::kPipelined: return OnNode::kPromised;
    case TaskStatus::kReleasing: return holding.overdue ? OnNode::kOverdue : OnNode::kLeaving;
    default: return OnNode::kUsed;
  }
}

// What a holding means for the ledgers of its job and queue.
enum class InQueue { kNothing, kWants, kClaims, kPromised, kHolds };
InQueue QueueClass(const Holding& holding) {
  if (IsAllocated(holding.status)) return InQueue::kHolds;
  if (holding.status == TaskStatus::kPipelined) return InQueue::kPromised;
  if (holding.status != TaskStatus::kPending) return InQueue::kNothing;
  return holding.queue_claim ? InQueue::kClaims : InQueue::kWants;
}

void Change(ResourceSum& sum, const Resource& item, int by) {
  by > 0 ? sum.Add(item) : sum.Remove(item);
}

std::vector<TaskId>& ListFor(Job& job, TaskStatus status) {
  if (status == TaskStatus::kPending) return job.pending;
  return status == TaskStatus::kPipelined ? job.pipelined : job.others;
}

}  // namespace

Cluster::Cluster() : blocks_(std::make_unique<NodeIndex>(*this)) {}
Cluster::~Cluster() = default;

const NodeIndex& Cluster::FreshNodeIndex() const {
  blocks_->Refresh();
  return *blocks_;
}

const Task* Cluster::FindTask(std::string_view ns, std::string_view name) const {
  return tasks_.Find(Lookup(task_index_, Key(ns, name)));
}
const Job* Cluster::FindJob(std::string_view ns, std::string_view name) const {
  return jobs_.Find(Lookup(job_index_, Key(ns, name)));
}
const Node* Cluster::FindNode(std::string_view name) const {
  const Node* node = nodes_.Find(Lookup(node_index_, std::string(name)));
  return node && node->exists() ? node : nullptr;
}
const Queue* Cluster::FindQueue(std::string_view name) const {
  const Queue* queue = queues_.Find(Lookup(queue_index_, std::string(name)));
  return queue && queue->exists() ? queue : nullptr;
}

// ---- slots that may be referred to before their object exists

NodeId Cluster::NodeSlot(std::string_view name) {
  const auto [it, added] = node_index_.try_emplace(std::string(name));
  if (added) {
    const auto [id, node] = nodes_.Emplace();
    node->id = id;
    node->name = name;
    ledger_.Grow(nodes_.bound());
    it->second = id;
  }
  return it->second;
}

QueueId Cluster::QueueSlot(std::string_view name) {
  const auto [it, added] = queue_index_.try_emplace(std::string(name));
  if (added) {
    const auto [id, queue] = queues_.Emplace();
    queue->id = id;
    queue->name = name;
    it->second = id;
  }
  return it->second;
}

JobId Cluster::JobSlot(std::string_view ns, std::string_view name) {
  const auto [it, added] = job_index_.try_emplace(Key(ns, name));
  if (added) {
    const auto [id, job] = jobs_.Emplace();
    job->id = id;
    job->ns = ns;
    job->name = name;
    it->second = id;
  }
  return it->second;
}

void Cluster::DropNodeSlotIfUnused(NodeId id) {
  const Node& node = nodes_[id];
  if (node.exists() || !node.tasks.empty()) return;
  node_index_.erase(node.name);
  nodes_.Erase(id);
}

void Cluster::DropQueueSlotIfUnused(QueueId id) {
  const Queue& queue = queues_[id];
  if (queue.exists() || !queue.jobs.empty()) return;
  UnparkAllOf(queues_[id]);
  queue_index_.erase(queue.name);
  queues_.Erase(id);
}

void Cluster::DropJobSlotIfUnused(JobId id) {
  Job& job = jobs_[id];
  if (job.exists() || job.counts.total() > 0) return;
  Unpark(job);
  SetJobQueue(job, {});
  UpdateActive(job);
  job_index_.erase(Key(job.ns, job.name));
  jobs_.Erase(id);
}

// ---- who holds what

void Cluster::Move(TaskId id, const Holding& to) {
  Task& task = tasks_[id];
  const Holding from = task.holding;
  if (from == to) return;
  Job* job = jobs_.Find(task.job);

  const bool node_changes = from.node != to.node || NodeClass(from) != NodeClass(to);
  const bool sums_change = QueueClass(from) != QueueClass(to) || from.lapsed != to.lapsed;
  if (node_changes) LeaveNode(task);
  if (job) {
    CountInJob(task, -1);
    if (sums_change) CountInQueue(task, *job, -1);
  }
  task.holding = to;
  if (node_changes) EnterNode(task);
  if (job) {
    CountInJob(task, +1);
    if (sums_change) {
      CountInQueue(task, *job, +1);
      RefreshContribution(*job);
    }
    UpdateActive(*job);
  }
}

void Cluster::EnterNode(Task& task) {
  const OnNode on = NodeClass(task.holding);
  if (on == OnNode::kNothing) return;
  Node& node = nodes_[task.node()];
  task.node_place = static_cast<std::uint32_t>(node.tasks.size());
  node.tasks.push_back(task.id);
  if (task.task_class->has_pod_terms()) {
    task.terms_place = static_cast<std::uint32_t>(placed_with_pod_terms_.size());
    placed_with_pod_terms_.push_back(task.id);
  }
  if (on != OnNode::kUsed) {
    std::vector<TaskId>& list = on == OnNode::kPromised ? promised_ : leaving_;
    task.claim_place = static_cast<std::uint32_t>(list.size());
    list.push_back(task.id);
  }
  ledger_.ChangeAssumed(node.id, task.task_class->assumed_milli_cpu,
                        task.task_class->assumed_memory, +1);
  if (on == OnNode::kPromised) {
    ledger_.ChangePromised(node.id, task.request(), +1);
  } else {
    ledger_.ChangeUsed(node.id, task.request(), +1);
    if (on == OnNode::kLeaving) ledger_.ChangeReleasing(node.id, task.request(), +1);
    if (node.exists()) total_used_.Add(task.request());
  }
  TouchNode(node.id);
}

void Cluster::LeaveNode(Task& task) {
  const OnNode on = NodeClass(task.holding);
  if (on == OnNode::kNothing) return;
  Node& node = nodes_[task.node()];
  const TaskId last = node.tasks.back();
  node.tasks[task.node_place] = last;
  tasks_[last].node_place = task.node_place;
  node.tasks.pop_back();
  if (task.task_class->has_pod_terms()) {
    const TaskId moved = placed_with_pod_terms_.back();
    placed_with_pod_terms_[task.terms_place] = moved;
    tasks_[moved].terms_place = task.terms_place;
    placed_with_pod_terms_.pop_back();
  }
  if (on != OnNode::kUsed) {
    std::vector<TaskId>& list = on == OnNode::kPromised ? promised_ : leaving_;
    const TaskId moved = list.back();
    list[task.claim_place] = moved;
    tasks_[moved].claim_place = task.claim_place;
    list.pop_back();
  }
  ledger_.ChangeAssumed(node.id, task.task_class->assumed_milli_cpu,
                        task.task_class->assumed_memory, -1);
  if (on == OnNode::kPromised) {
    ledger_.ChangePromised(node.id, task.request(), -1);
  } else {
    ledger_.ChangeUsed(node.id, task.request(), -1);
    if (on == OnNode::kLeaving) ledger_.ChangeReleasing(node.id, task.request(), -1);
    if (node.exists()) total_used_.Remove(task.request());
  }
  TouchNode(node.id);
}

void Cluster::TouchNode(NodeId id) {
  // Nobody may be following; whoever is finds that the log was cut, and looks at everything.
  constexpr std::size_t kLongestLog = std::size_t{1} << 18;
  if (node_log_.size() >= kLongestLog) CutNodeLog();
  nodes_[id].generation = ++generation_;
  node_log_.push_back(id);
  blocks_->Changed(id);
}

void Cluster::CutNodeLog() {
  node_log_start_ += node_log_.size();
  node_log_.clear();
}

void Cluster::CountInJob(Task& task, int by) {
  Job& job = jobs_[task.job];
  Role& role = job.roles[task.role];
  job.counts.Change(task.status(), by);
  role.counts.Change(task.status(), by);
  if (task.status() == TaskStatus::kPending) {
    if (task.best_effort()) {
      job.pending_best_effort += by;
      role.pending_best_effort += by;
    }
    if (task.opted_in) job.pending_opted_in += by;
    if (task.holding.queue_claim) job.queue_claims += by;
  }
  std::vector<TaskId>& list = ListFor(job, task.status());
  if (by > 0) {
    task.job_place = static_cast<std::uint32_t>(list.size());
    list.push_back(task.id);
  } else {
    const TaskId last = list.back();
    list[task.job_place] = last;
    tasks_[last].job_place = task.job_place;
    list.pop_back();
  }
}

template <class Fn>
void Cluster::ForQueueAndAncestors(QueueId id, Fn fn) {
  if (!id.valid()) return;
  fn(queues_[id].own);
  while (id.valid()) {
    Queue& queue = queues_[id];
    fn(queue.tree);
    id = queue.parent;
  }
}

void Cluster::CountInQueue(const Task& task, const Job& const_job, int by) {
  Job& job = jobs_[const_job.id];
  const InQueue in = QueueClass(task.holding);
  if (in == InQueue::kNothing) return;
  const Resource& request = task.request();
  if (in == InQueue::kHolds) Change(job.allocated, request, by);
  if (in == InQueue::kPromised) Change(job.promised, request, by);
  if ((in == InQueue::kWants || in == InQueue::kClaims) &&
      (task.gate == Gate::kForeign || task.holding.lapsed)) {
    Change(job.held_back, request, by);
  }
  ForQueueAndAncestors(job.queue, [&](QueueLedger& ledger) {
    Change(ledger.request, request, by);
    if (in == InQueue::kHolds || in == InQueue::kPromised) Change(ledger.allocated, request, by);
    if (in == InQueue::kClaims) Change(ledger.claimed, request, by);
  });
}

void Cluster::SetPhase(JobId id, JobPhase phase) {
  Job& job = jobs_[id];
  if (job.phase == phase) return;
  job.phase = phase;
  RefreshContribution(job);
  UpdateActive(job);
}

namespace {

// What an admitted job may still take up to its minimum, less what is held back.
Resource InQueueOf(const Job& job) {
  Resource result;
  if (!job.group || !job.min_resources) return result;
  const bool admitted =
      job.phase == JobPhase::kInqueue ||
      (job.phase == JobPhase::kRunning && job.counts.Allocated() >= job.min_available);
  if (!admitted) return result;
  const Resource& allocated = job.allocated;
  const Resource& held_back = job.held_back;
  ForEachDimension(job.min_resources->defined(), [&](int d) {
    const double left = (*job.min_resources)[d] - allocated[d];
    if (left > 0) result.Set(d, std::max(0.0, left - held_back[d]));
  });
  return result;
}

}  // namespace

void Cluster::RefreshContribution(Job& job) {
  Resource in_queue, elastic;
  if (job.queue.valid()) {
    in_queue = InQueueOf(job);
    elastic =
        job.min_resources ? ExceededPart(job.allocated, *job.min_resources) : job.allocated.value();
  }
  if (in_queue == job.in_queue && elastic == job.elastic) return;
  ForQueueAndAncestors(job.queue, [&](QueueLedger& ledger) {
    ledger.in_queue.Remove(job.in_queue);
    ledger.in_queue.Add(in_queue);
    ledger.elastic.Remove(job.elastic);
    ledger.elastic.Add(elastic);
  });
  total_in_queue_.Remove(job.in_queue);
  total_in_queue_.Add(in_queue);
  job.in_queue = std::move(in_queue);
  job.elastic = std::move(elastic);
}

void Cluster::UpdateActive(Job& job) {
  const bool waits = !job.pending.empty() || !job.pipelined.empty();
  // A group that is still to be admitted is looked at in every cycle. Later phases move on when
  // tasks start and end, which is news; binds under way cost nothing.
  const bool moves = job.phase == JobPhase::kPending || job.phase == JobPhase::kUnknown;
  const bool parked = job.parked_at.valid() && !job.changed;
  Job::List list = Job::List::kNone;
  if (job.exists()) {
    if (!parked && (waits || moves || job.changed)) list = Job::List::kActive;
  } else if (!job.pending.empty()) {
    list = Job::List::kGroupless;
  }
  if (list == job.list) return;
  if (std::vector<JobId>* left = JobList(job.list)) {
    const JobId last = left->back();
    (*left)[job.list_place] = last;
    jobs_[last].list_place = job.list_place;
    left->pop_back();
  }
  job.list = list;
  if (std::vector<JobId>* entered = JobList(list)) {
    job.list_place = static_cast<std::uint32_t>(entered->size());
    entered->push_back(job.id);
  }
}

std::vector<JobId>* Cluster::JobList(Job::List list) {
  switch (list) {
    case Job::List::kActive: return &active_jobs_;
    case Job::List::kGroupless: return &groupless_jobs_;
    case Job::List::kNone: return nullptr;
  }
  return nullptr;
}

void Cluster::NoteChange(Job& job) {
  Unpark(job);
  job.changed = true;
  UpdateActive(job);
}

void Cluster::Settle(JobId id) {
  Job& job = jobs_[id];
  job.changed = false;
  UpdateActive(job);
}

// ---- pods

Holding Cluster::HoldingOf(const kube::Pod& pod) {
  Holding holding{.status = StatusOf(pod)};
  if (pod.bound()) holding.node = NodeSlot(pod.spec.node_name);
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

void Cluster::JoinJob(Task& task, JobId id) {
  task.job = id;
  Job& job = jobs_[id];
  task.role = RoleIndex(job, TaskRole(*task.pod));
  job.total_request.Add(task.request());
  CountInJob(task, +1);
  CountInQueue(task, job, +1);
  RefreshContribution(job);
  NoteChange(job);
}

void Cluster::LeaveJob(Task& task) {
  if (!task.job.valid()) return;
  Job& job = jobs_[task.job];
  CountInJob(task, -1);
  CountInQueue(task, job, -1);
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
    LeaveNode(task);
    if (old_job.valid()) {
      if (old_job == job) {
        // Not LeaveJob: that could drop the slot.
        Job& same = jobs_[job];
        CountInJob(task, -1);
        CountInQueue(task, same, -1);
        same.total_request.Remove(task.request());
        task.job = {};
      } else {
        LeaveJob(task);
      }
    }
  }
  task.task_class = classes_.Acquire(pod, dimensions_);
  if (old_class) classes_.Release(old_class);
  task.priority = TaskPriority(*pod);
  task.index = TaskIndex(*pod);
  task.gate = model::TaskGate(*pod);
  task.opted_in = gates_enabled_ && OptsInToGate(*pod);
  if (task.gate == Gate::kNone) task.ungating = false;
  task.preemptable = IsTaskPreemptable(*pod);
  task.pod = std::move(pod);
  task.holding = holding;
  EnterNode(task);
  if (job.valid()) JoinJob(task, job);
  if (old_node.valid() && old_node != holding.node) DropNodeSlotIfUnused(old_node);
  return task.id;
}

void Cluster::RemovePod(std::string_view ns, std::string_view name) {
  const auto it = task_index_.find(Key(ns, name));
  if (it == task_index_.end()) return;
  const TaskId id = it->second;
  Task& task = tasks_[id];
  const NodeId node = task.holding.node;
  LeaveNode(task);
  LeaveJob(task);
  classes_.Release(task.task_class);
  task_index_.erase(it);
  tasks_.Erase(id);
  if (node.valid()) DropNodeSlotIfUnused(node);
}

// ---- groups

void Cluster::ChangeJobInQueue(Job& job, QueueId queue, int by) {
  if (!queue.valid()) return;
  for (const auto* list : {&job.pending, &job.pipelined, &job.others}) {
    for (const TaskId id : *list) {
      const Task& task = tasks_[id];
      const InQueue in = QueueClass(task.holding);
      if (in == InQueue::kNothing) continue;
      ForQueueAndAncestors(queue, [&](QueueLedger& ledger) {
        Change(ledger.request, task.request(), by);
        if (in == InQueue::kHolds || in == InQueue::kPromised) {
          Change(ledger.allocated, task.request(), by);
        }
        if (in == InQueue::kClaims) Change(ledger.claimed, task.request(), by);
      });
    }
  }
}

void Cluster::SetJobQueue(Job& job, QueueId id) {
  if (job.queue == id) return;
  const QueueId old = job.queue;
  if (old.valid()) {
    ChangeJobInQueue(job, old, -1);
    ForQueueAndAncestors(old, [&](QueueLedger& ledger) {
      ledger.in_queue.Remove(job.in_queue);
      ledger.elastic.Remove(job.elastic);
    });
    total_in_queue_.Remove(job.in_queue);
    job.in_queue = {};
    job.elastic = {};
    Queue& queue = queues_[old];
    const JobId last = queue.jobs.back();
    queue.jobs[job.queue_place] = last;
    jobs_[last].queue_place = job.queue_place;
    queue.jobs.pop_back();
  }
  job.queue = id;
  if (id.valid()) {
    Queue& queue = queues_[id];
    job.queue_place = static_cast<std::uint32_t>(queue.jobs.size());
    queue.jobs.push_back(job.id);
    ChangeJobInQueue(job, id, +1);
    RefreshContribution(job);
  }
  if (old.valid()) DropQueueSlotIfUnused(old);
}

JobId Cluster::SetGroup(std::shared_ptr<const kube::PodGroup> group, std::string_view queue) {
  const JobId id = JobSlot(group->meta.ns, group->meta.name);
  Job& job = jobs_[id];
  job.shadow = false;
  job.min_available = group->min_member;
  job.min_resources.reset();
  if (group->min_resources) job.min_resources = ToResource(*group->min_resources, dimensions_);
  for (Role& role : job.roles) role.min_available = 0;
  job.role_min_total = 0;
  for (const auto& [name, least] : group->min_task_member) {
    job.roles[RoleIndex(job, name)].min_available = least;
    job.role_min_total += least;
  }
  job.phase = ParseJobPhase(kube::ToString(group->phase));
  job.group = std::move(group);
  SetJobQueue(job, QueueSlot(queue));
  RefreshContribution(job);
  NoteChange(job);
  return id;
}

void Cluster::RemoveGroup(std::string_view ns, std::string_view name) {
  const JobId id = Lookup(job_index_, Key(ns, name));
  if (!id.valid()) return;
  Job& job = jobs_[id];
  job.group = nullptr;
  job.shadow = false;
  job.min_available = 0;
  job.min_resources.reset();
  job.phase = JobPhase::kPending;
  Unpark(job);
  SetJobQueue(job, {});
  UpdateActive(job);
  DropJobSlotIfUnused(id);
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
  job.group = std::move(group);
  SetJobQueue(job, QueueSlot(queue));
  RefreshContribution(job);
  NoteChange(job);
}

// ---- nodes

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
    for (const TaskId task : node.tasks) {
      if (tasks_[task].status() != TaskStatus::kPipelined) {
        total_used_.Add(tasks_[task].request());
      }
    }
  } else {
    total_allocatable_.Remove(node.allocatable);
  }
  node.object = std::move(object);
  node.allocatable = ToResource(node.object->status.allocatable, dimensions_);
  total_allocatable_.Add(node.allocatable);
  ledger_.SetAllocatable(id, node.allocatable);
  TouchNode(id);
  node.object_generation = node.generation;
  ++node_objects_generation_;
  return id;
}

void Cluster::RemoveNode(std::string_view name) {
  const NodeId id = Lookup(node_index_, std::string(name));
  if (!id.valid() || !nodes_[id].exists()) return;
  Node& node = nodes_[id];
  total_allocatable_.Remove(node.allocatable);
  for (const TaskId task : node.tasks) {
    if (tasks_[task].status() != TaskStatus::kPipelined) {
      total_used_.Remove(tasks_[task].request());
    }
  }
  node.object = nullptr;
  node.allocatable = {};
  ledger_.SetAllocatable(id, {});
  std::erase(nodes_by_name_, id);
  ++node_set_generation_;
  ++node_objects_generation_;
  TouchNode(id);
  DropNodeSlotIfUnused(id);
}

// ---- queues

QueueId Cluster::SetQueue(std::shared_ptr<const kube::Queue> object) {
  const QueueId id = QueueSlot(object->meta.name);
  Queue& queue = queues_[id];
  const bool relink = !queue.exists() || queue.object->parent != object->parent;
  queue.object = std::move(object);
  const kube::Queue& spec = *queue.object;
  queue.capability = ToResource(spec.capability, dimensions_);
  queue.deserved = ToResource(spec.deserved, dimensions_);
  queue.guarantee = ToResource(spec.guarantee, dimensions_);
  queue.weight = spec.weight;
  queue.priority = spec.priority;
  // One that nobody has looked at yet is open: its controller may be away.
  queue.open = spec.state == kube::QueueState::kOpen || spec.state == kube::QueueState::kNone;
  queue.reclaimable = spec.reclaimable.value_or(true);
  if (relink) RelinkQueues();
  return id;
}

void Cluster::RemoveQueue(std::string_view name) {
  const QueueId id = Lookup(queue_index_, std::string(name));
  if (!id.valid() || !queues_[id].exists()) return;
  Queue& queue = queues_[id];
  queue.object = nullptr;
  queue.open = false;
  queue.capability = queue.deserved = queue.guarantee = {};
  RelinkQueues();
  DropQueueSlotIfUnused(id);
}

void Cluster::RelinkQueues() {
  queues_changed_ = true;
  std::vector<QueueId> all;
  queues_.ForEach([&](const Queue& queue) { all.push_back(queue.id); });
  const Queue* root = FindQueue(kRootQueue);
  for (const QueueId id : all) {
    Queue& queue = queues_[id];
    queue.parent = {};
    queue.in_cycle = false;
    queue.children.clear();
    queue.tree = {};
    if (!queue.exists() || queue.name == kRootQueue) continue;
    const std::string& named = queue.object->parent;
    const Queue* parent = named.empty() ? root : FindQueue(named);
    if (parent) queue.parent = parent->id;
  }
  // Cut every queue loose that is its own ancestor.
  for (const QueueId id : all) {
    std::size_t steps = 0;
    QueueId up = queues_[id].parent;
    while (up.valid() && up != id && steps++ <= all.size()) up = queues_[up].parent;
    queues_[id].in_cycle = up == id;
  }
  for (const QueueId id : all) {
    Queue& queue = queues_[id];
    if (queue.in_cycle) queue.parent = {};
    if (queue.parent.valid()) queues_[queue.parent].children.push_back(id);
  }
  for (const QueueId id : all) {
    std::ranges::sort(queues_[id].children, {},
                      [&](QueueId c) { return std::string_view(queues_[c].name); });
    queues_[id].own = {};
  }
  jobs_.ForEach([&](Job& job) {
    if (!job.queue.valid()) return;
    ChangeJobInQueue(job, job.queue, +1);
    ForQueueAndAncestors(job.queue, [&](QueueLedger& ledger) {
      ledger.in_queue.Add(job.in_queue);
      ledger.elastic.Add(job.elastic);
    });
  });
}

}  // namespace basalt::model
