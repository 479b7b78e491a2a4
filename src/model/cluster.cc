#include "model/cluster.h"

#include <algorithm>

#include "base/check.h"
#include "model/cluster_parts.h"
#include "model/node_index.h"

// Finding things, and who holds what. What events say is in cluster_events.cc, the queues' ledgers
// and their tree in cluster_queues.cc, jobs that wait in cluster_parking.cc.
namespace basalt::model {

using parts::EnterList;
using parts::Key;
using parts::LeaveList;
using parts::Lookup;
using parts::NodeClass;
using parts::OnNode;
using parts::QueueClass;

namespace {

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
    job->arrival = ++job_arrivals_;
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
  parking_.WakeForQueue(id);
  queue_index_.erase(queue.name);
  queues_.Erase(id);
}

void Cluster::DropJobSlotIfUnused(JobId id) {
  Job& job = jobs_[id];
  if (job.exists() || job.counts.total() > 0) return;
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
  const Books changed{.node = from.node != to.node || NodeClass(from) != NodeClass(to),
                      .sums = QueueClass(from) != QueueClass(to) || from.lapsed != to.lapsed ||
                              from.resting != to.resting};
  Withdraw(task, changed);
  Enter(task, to, changed);
  Job* job = jobs_.Find(task.job);
  if (!job) return;
  UpdateActive(*job);
  if (job->reservation) reservations_.Moved(task);
  if (!reservations_.moves().empty()) reservations_.moves().PodMoved(task);
}

void Cluster::Withdraw(Task& task, Books books) {
  if (books.node) LeaveNode(task);
  const Job* job = jobs_.Find(task.job);
  if (!job) return;
  if (books.counts) CountInJob(task, -1);
  if (books.sums) CountInQueue(task, *job, -1);
}

void Cluster::Enter(Task& task, const Holding& holding, Books books) {
  task.holding = holding;
  if (books.node) EnterNode(task);
  Job* job = jobs_.Find(task.job);
  if (!job) return;
  if (books.counts) CountInJob(task, +1);
  if (!books.sums) return;
  CountInQueue(task, *job, +1);
  RefreshContribution(*job);
}

void Cluster::EnterNode(Task& task) {
  const OnNode on = NodeClass(task.holding);
  if (on == OnNode::kNothing) return;
  Node& node = nodes_[task.node()];
  EnterList(node.tasks, task, &Task::node_place);
  if (task.task_class->has_pod_terms()) {
    EnterList(placed_with_pod_terms_, task, &Task::terms_place);
  }
  const std::uint32_t class_id = task.task_class->id;
  if (class_id >= placed_of_class_.size()) placed_of_class_.resize(class_id + 1);
  EnterList(placed_of_class_[class_id], task, &Task::class_place);
  if (on != OnNode::kUsed) {
    EnterList(on == OnNode::kPromised ? promised_ : releasing_, task, &Task::claim_place);
  }
  ledger_.ChangeAssumed(node.id, task.task_class->assumed_milli_cpu,
                        task.task_class->assumed_memory, +1);
  if (on == OnNode::kPromised) {
    ledger_.ChangePromised(node.id, task.request(), +1);
  } else {
    ledger_.ChangeUsed(node.id, task.request(), +1);
    if (on == OnNode::kLeaving) ledger_.ChangeReleasing(node.id, task.request(), +1);
  }
  if (node.exists() && on != OnNode::kLeaving) total_held_.Add(task.request());
  TouchNode(node.id);
}

void Cluster::LeaveNode(Task& task) {
  const OnNode on = NodeClass(task.holding);
  if (on == OnNode::kNothing) return;
  Node& node = nodes_[task.node()];
  LeaveList(node.tasks, tasks_, task, &Task::node_place);
  if (task.task_class->has_pod_terms()) {
    LeaveList(placed_with_pod_terms_, tasks_, task, &Task::terms_place);
  }
  LeaveList(placed_of_class_[task.task_class->id], tasks_, task, &Task::class_place);
  if (on != OnNode::kUsed) {
    LeaveList(on == OnNode::kPromised ? promised_ : releasing_, tasks_, task, &Task::claim_place);
  }
  ledger_.ChangeAssumed(node.id, task.task_class->assumed_milli_cpu,
                        task.task_class->assumed_memory, -1);
  if (on == OnNode::kPromised) {
    ledger_.ChangePromised(node.id, task.request(), -1);
  } else {
    ledger_.ChangeUsed(node.id, task.request(), -1);
    if (on == OnNode::kLeaving) ledger_.ChangeReleasing(node.id, task.request(), -1);
  }
  if (node.exists() && on != OnNode::kLeaving) total_held_.Remove(task.request());
  TouchNode(node.id);
}

void Cluster::TouchNode(NodeId id) {
  // A follower finds that the log was cut, and looks at everything.
  constexpr std::size_t kLongestLog = std::size_t{1} << 18;
  if (node_log_.size() >= kLongestLog) CutNodeLog();
  nodes_[id].generation = ++generation_;
  node_log_.push_back(id);
  blocks_->Changed(id);
  if (id.index() >= is_touched_.size()) is_touched_.resize(nodes_.bound());
  if (is_touched_[id.index()]) return;
  is_touched_[id.index()] = true;
  touched_.push_back(id);
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
    if (task.names_reservation) job.pending_naming += by;
  }
  std::vector<TaskId>& list = ListFor(job, task.status());
  if (by > 0) {
    EnterList(list, task, &Task::job_place);
  } else {
    LeaveList(list, tasks_, task, &Task::job_place);
  }
}

void Cluster::SetPhase(JobId id, JobPhase phase) {
  Job& job = jobs_[id];
  if (job.phase == phase) return;
  job.phase = phase;
  RefreshContribution(job);
  NoteTotals();
  UpdateActive(job);
}

Job::List parts::ListOf(const Job& job) {
  const bool waits = !job.pending.empty() || !job.pipelined.empty();
  // A group that is still to be admitted is looked at in every cycle. Later phases move on when
  // tasks start and end, which is news; binds under way cost nothing.
  const bool moves = job.phase == JobPhase::kPending || job.phase == JobPhase::kUnknown;
  const bool parked = job.parked() && !job.changed;
  if (!job.exists()) return job.pending.empty() ? Job::List::kNone : Job::List::kGroupless;
  return !parked && (waits || moves || job.changed) ? Job::List::kActive : Job::List::kNone;
}

void Cluster::UpdateActive(Job& job) {
  const Job::List list = parts::ListOf(job);
  if (list == job.list) return;
  if (std::vector<JobId>* left = JobList(job.list)) LeaveList(*left, jobs_, job, &Job::list_place);
  job.list = list;
  if (std::vector<JobId>* entered = JobList(list)) EnterList(*entered, job, &Job::list_place);
}

std::vector<JobId>* Cluster::JobList(Job::List list) {
  switch (list) {
    case Job::List::kActive: return &active_jobs_;
    case Job::List::kGroupless: return &groupless_jobs_;
    case Job::List::kNone: return nullptr;
  }
  return nullptr;
}

void Cluster::Unsettle(Job& job) {
  job.changed = true;
  UpdateActive(job);
}

void Cluster::NoteChange(Job& job) {
  Unpark(job);
  Unsettle(job);
}

void Cluster::Settle(JobId id) {
  Job& job = jobs_[id];
  job.changed = false;
  UpdateActive(job);
}

}  // namespace basalt::model
