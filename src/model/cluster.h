#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/dimensions.h"
#include "model/job.h"
#include "model/node.h"
#include "model/node_ledger.h"
#include "model/objects.h"
#include "model/queue.h"
#include "model/slot_table.h"
#include "model/task.h"

namespace basalt::model {

class NodeIndex;

// Every node, queue, job and task, and the ledgers of who holds what. One owner, the scheduling
// thread; no locks, no clones. Counterpart: Volcano's SchedulerCache and its snapshots in one.
//
// Invariants:
//  - who holds what changes through Move alone, which keeps every ledger: the node's, the job's and
//    the queue's with all its ancestors;
//  - a Move there and back restores every ledger bit for bit;
//  - a job names a queue and a task a node even where that does not exist: the slot is there, with
//  no
//    object, as long as something refers to it.
class Cluster {
 public:
  static constexpr std::string_view kRootQueue = "root";

  Cluster();
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // ---- reading

  const Task* FindTask(TaskId id) const { return tasks_.Find(id); }
  const Task& task(TaskId id) const { return tasks_[id]; }
  const Job* FindJob(JobId id) const { return jobs_.Find(id); }
  const Job& job(JobId id) const { return jobs_[id]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const Queue& queue(QueueId id) const { return queues_[id]; }

  const Task* FindTask(std::string_view ns, std::string_view name) const;
  const Job* FindJob(std::string_view ns, std::string_view name) const;
  const Node* FindNode(std::string_view name) const;
  const Queue* FindQueue(std::string_view name) const;

  const SlotTable<Task, TaskId>& tasks() const { return tasks_; }
  const SlotTable<Job, JobId>& jobs() const { return jobs_; }
  const SlotTable<Queue, QueueId>& queues() const { return queues_; }
  const SlotTable<Node, NodeId>& node_slots() const { return nodes_; }

  // The nodes that exist, by name.
  const std::vector<NodeId>& nodes() const { return nodes_by_name_; }
  // Grows when a node comes or goes.
  std::uint64_t node_set_generation() const { return node_set_generation_; }
  // Grows when a node object comes, goes or changes.
  std::uint64_t node_objects_generation() const { return node_objects_generation_; }
  const NodeLedger& ledger() const { return ledger_; }
  // The nodes in blocks of like ones, up to date.
  const NodeIndex& FreshNodeIndex() const;
  // Nodes whose generation grew, in the order of the changes (repeats possible), since the log was
  // last cut; see CutNodeLog. Position p of the log has number node_log_start() + p.
  const std::vector<NodeId>& node_log() const { return node_log_; }
  std::uint64_t node_log_start() const { return node_log_start_; }

  // Tasks on nodes that have terms of pod affinity or anti-affinity; in no order.
  const std::vector<TaskId>& placed_with_pod_terms() const { return placed_with_pod_terms_; }

  // Tasks that are leaving their nodes, overdue or not; in no order.
  const std::vector<TaskId>& leaving() const { return leaving_; }
  // Tasks that are promised a node: the future claims; in no order.
  const std::vector<TaskId>& promised() const { return promised_; }

  // Of the nodes that exist.
  const Resource& total_allocatable() const { return total_allocatable_; }
  const Resource& total_used() const { return total_used_; }
  // What all queues' jobs may still take of the nodes up to their minima. Jobs that opted in to the
  // queue-allocation gate are not in it: more nodes may come for them.
  const Resource& total_in_queue() const { return total_in_queue_; }

  // Jobs that a cycle must look at: those that exist and have a task that waits or is promised a
  // node, a phase that may still change, or news. In no order.
  const std::vector<JobId>& active_jobs() const { return active_jobs_; }
  // Jobs with tasks that wait for a group that does not exist. In no order.
  const std::vector<JobId>& groupless_jobs() const { return groupless_jobs_; }

  // Every group, also those that need nothing; for tests and queries.
  const Dimensions& dimensions() const { return dimensions_; }
  const TaskClasses& task_classes() const { return classes_; }
  const Objects& objects() const { return objects_; }

  // Order-independent digest of who holds what, of counts and of every ledger.
  std::uint64_t Hash() const;
  // Recomputes every ledger from the tasks and compares; returns what differs ("" when nothing).
  // For tests.
  std::string CheckLedgers() const;

  // ---- changing who holds what

  void Move(TaskId task, const Holding& to);
  void SetPhase(JobId job, JobPhase phase);
  // The job's status says what there is to say.
  void Settle(JobId job);
  void SetClaimedSince(TaskId task, Time time) { tasks_[task].claimed_since = time; }
  void SetUngating(TaskId task, bool under_way) { tasks_[task].ungating = under_way; }

  // A parked job is not active: it waits for room in `full`, and costs a cycle nothing. News about
  // the job itself bring it back at once. NoteRefusal: the queue has just refused a job that is to
  // be parked, being as full as it is now.
  void NoteRefusal(QueueId full);
  void Park(JobId job, QueueId full);
  // Brings back the jobs of queues that have more room, or another limit, than when they refused
  // them.
  void UnparkWhereRoom();
  void UnparkAll();

  void SetScheduleStart(JobId job, Time time) { jobs_[job].schedule_start = time; }

  // ---- what events say

  Objects& mutable_objects() { return objects_; }
  Dimensions& mutable_dimensions() { return dimensions_; }

  // The node of that name; where there is none, a place for it. For a Holding that is about to be
  // set.
  NodeId NodeSlot(std::string_view name);
  // Off: pods' wishes for the queue-allocation gate do not count. From the next pods on.
  void SetGatesEnabled(bool enabled) { gates_enabled_ = enabled; }
  bool gates_enabled() const { return gates_enabled_; }

  // What the pod itself says it holds.
  Holding HoldingOf(const kube::Pod& pod);
  // A new task, or the same pod's newer version (the same uid keeps its id). The group is "" for a
  // pod of no job.
  TaskId SetPod(std::shared_ptr<const kube::Pod> pod, std::string_view group,
                const Holding& holding);
  void RemovePod(std::string_view ns, std::string_view name);

  JobId SetGroup(std::shared_ptr<const kube::PodGroup> group, std::string_view queue);
  // While tasks of it have nodes they go on counting in its queue.
  void RemoveGroup(std::string_view ns, std::string_view name);
  // The job counts there, whatever its group says.
  void PutInQueue(JobId job, std::string_view queue);
  // The task's job becomes (or stays) a shadow that looks like `group`, which others may share.
  // Where a group of the job's name exists, that stays. The shadow goes when the task leaves it.
  void SetShadow(TaskId task, std::shared_ptr<const kube::PodGroup> group, std::string_view queue);
  void SetJobPriority(JobId job, std::int32_t priority) { jobs_[job].priority = priority; }

  NodeId SetNode(std::shared_ptr<const kube::Node> node);
  void RemoveNode(std::string_view name);

  QueueId SetQueue(std::shared_ptr<const kube::Queue> queue);
  void RemoveQueue(std::string_view name);

  // Forgets the node log up to now. Whoever follows it must have read it.
  void CutNodeLog();

 private:
  template <class Fn>
  void ForQueueAndAncestors(QueueId queue, Fn fn);
  QueueId QueueSlot(std::string_view name);
  JobId JobSlot(std::string_view ns, std::string_view name);
  void DropNodeSlotIfUnused(NodeId id);
  void DropQueueSlotIfUnused(QueueId id);
  void DropJobSlotIfUnused(JobId id);

  void EnterNode(Task& task);
  void LeaveNode(Task& task);
  void TouchNode(NodeId id);
  void CountInJob(Task& task, int by);
  void CountInQueue(const Task& task, const Job& job, int by);
  void JoinJob(Task& task, JobId job);
  void LeaveJob(Task& task);
  void RefreshContribution(Job& job);
  void SetJobQueue(Job& job, QueueId queue);
  void ChangeJobInQueue(Job& job, QueueId queue, int by);
  void UpdateActive(Job& job);
  std::vector<JobId>* JobList(Job::List list);
  void Unpark(Job& job);
  void UnparkAllOf(Queue& queue);
  void NoteChange(Job& job);
  std::uint32_t RoleIndex(Job& job, std::string_view name);
  void RelinkQueues();

  Dimensions dimensions_;
  TaskClasses classes_;
  Objects objects_;
  SlotTable<Task, TaskId> tasks_;
  SlotTable<Job, JobId> jobs_;
  SlotTable<Node, NodeId> nodes_;
  SlotTable<Queue, QueueId> queues_;
  NodeLedger ledger_;
  std::unique_ptr<NodeIndex> blocks_;

  boost::unordered_flat_map<std::string, TaskId> task_index_;  // "ns/name"
  boost::unordered_flat_map<std::string, JobId> job_index_;
  std::uint64_t job_arrivals_ = 0;
  boost::unordered_flat_map<std::string, NodeId> node_index_;
  boost::unordered_flat_map<std::string, QueueId> queue_index_;

  std::vector<NodeId> nodes_by_name_;
  std::uint64_t node_set_generation_ = 0;
  std::uint64_t node_objects_generation_ = 0;
  std::uint64_t generation_ = 0;
  std::vector<NodeId> node_log_;
  std::uint64_t node_log_start_ = 0;
  ResourceSum total_allocatable_;
  ResourceSum total_used_;
  ResourceSum total_in_queue_;
  std::vector<JobId> active_jobs_;
  std::vector<JobId> groupless_jobs_;
  std::vector<QueueId> queues_with_parked_;
  Resource parked_total_;  // total allocatable when the first job was parked
  bool queues_changed_ = false;
  bool gates_enabled_ = true;
  std::vector<TaskId> placed_with_pod_terms_;
  std::vector<TaskId> leaving_;
  std::vector<TaskId> promised_;
};

}  // namespace basalt::model
