#include "model/cluster.h"

#include <algorithm>

#include "base/check.h"
#include "model/cluster_parts.h"
#include "model/node_index.h"

// Finding things, and holdings. What events say is in cluster_events.cc, the queues' ledgers and
// their tree in cluster_queues.cc, jobs that wait in cluster_parking.cc.
namespace basalt::model {

using parts::Change;
using parts::ChangeList;
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

// ---- holdings

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

void Cluster::Withdraw(Task& task, Books books) { Book(task, books, -1); }

void Cluster::Enter(Task& task, const Holding& holding, Books books) {
  task.holding = holding;
  Book(task, books, +1);
  if (Job* job = jobs_.Find(task.job); job && books.sums) RefreshContribution(*job);
}

void Cluster::Book(Task& task, Books books, int by) {
  if (books.node) CountOnNode(task, by);
  const Job* job = jobs_.Find(task.job);
  if (!job) return;
  if (books.counts) CountInJob(task, by);
  if (books.sums) CountInQueue(task, *job, by);
}

void Cluster::CountOnNode(Task& task, int by) {
  const OnNode on = NodeClass(task.holding);
  if (on == OnNode::kNothing) return;
  const auto list = [&](std::vector<TaskId>& tasks, std::uint32_t Task::*place) {
    ChangeList(tasks, tasks_, task, place, by);
  };
  Node& node = nodes_[task.node()];
  const TaskClass& task_class = *task.task_class;
  list(node.tasks, &Task::node_place);
  if (task_class.has_pod_terms()) list(placed_with_pod_terms_, &Task::terms_place);
  if (task_class.id >= placed_of_class_.size()) placed_of_class_.resize(task_class.id + 1);
  list(placed_of_class_[task_class.id], &Task::class_place);
  if (on == OnNode::kPromised) list(promised_, &Task::claim_place);
  if (on == OnNode::kLeaving || on == OnNode::kOverdue) list(releasing_, &Task::claim_place);
  ledger_.ChangeAssumed(node.id, task_class.assumed_milli_cpu, task_class.assumed_memory, by);
  if (on == OnNode::kPromised) {
    ledger_.ChangePromised(node.id, task.request(), by);
  } else {
    ledger_.ChangeUsed(node.id, task.request(), by);
    if (on == OnNode::kLeaving) ledger_.ChangeReleasing(node.id, task.request(), by);
  }
  if (node.exists() && on != OnNode::kLeaving) Change(total_held_, task.request(), by);
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
  ChangeList(ListFor(job, task.status()), tasks_, task, &Task::job_place, by);
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
