#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/dimensions.h"
#include "model/job.h"
#include "model/node.h"
#include "model/node_labels.h"
#include "model/node_ledger.h"
#include "model/objects.h"
#include "model/parking.h"
#include "model/queue.h"
#include "model/reservations.h"
#include "model/slot_table.h"
#include "model/task.h"

namespace basalt::model {

class NodeIndex;

// Every node, queue, job and task, and the ledgers of holdings. One owner, the scheduling thread;
// no locks, no clones. Counterpart: Volcano's SchedulerCache and its snapshots in one.
//
// Invariants:
//  - a holding changes through Withdraw and Enter alone, on which Move, Correct and SetPod are
//    built; they keep every ledger: the node's, the job's and the queue's with all its ancestors;
//  - a Move there and back restores every ledger bit for bit, whatever the amounts;
//  - a job names a queue and a task a node even where that does not exist: the slot is there,
//    without an object, as long as something refers to it.
class Cluster {
 public:
  Cluster();
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // ---- reading

  const Task* FindTask(TaskId id) const { return tasks_.Find(id); }
  const Task& task(TaskId id) const { return tasks_[id]; }
  // A view: the ids must stay where they are meanwhile.
  auto TasksOf(std::span<const TaskId> ids) const {
    return std::views::transform(ids, [this](TaskId id) -> const Task& { return task(id); });
  }
  void TasksOf(const std::vector<TaskId>&& temporary) const = delete;
  const Job* FindJob(JobId id) const { return jobs_.Find(id); }
  // It holds room for others, and is no pod.
  bool IsReserved(const Task& task) const {
    const Job* job = FindJob(task.job);
    return job && job->reservation;
  }
  // One of its tasks; nullptr: it has none.
  const Task* AnyTaskOf(const Job& job) const {
    for (const auto* list : {&job.pending, &job.pipelined, &job.others}) {
      if (!list->empty()) return &tasks_[list->front()];
    }
    return nullptr;
  }
  const Job& job(JobId id) const { return jobs_[id]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const Queue& queue(QueueId id) const { return queues_[id]; }

  const Task* FindTask(std::string_view ns, std::string_view name) const;
  const Job* FindJob(std::string_view ns, std::string_view name) const;
  const Node* FindNode(std::string_view name) const;
  const Queue* FindQueue(std::string_view name) const;

  // Calls fn(queue) for the queue and every queue below it, parents before their children. The tree
  // may be deeper than the stack.
  template <class Fn>
  void ForQueueAndBelow(QueueId id, Fn fn) const {
    std::vector<QueueId> left = {id};
    while (!left.empty()) {
      const Queue& queue = queues_[left.back()];
      left.pop_back();
      fn(queue);
      left.insert(left.end(), queue.children.rbegin(), queue.children.rend());
    }
  }

  // Calls fn(job) for the jobs that count in the queue: its own, and those below it where queues
  // above are in reach.
  template <class Fn>
  void ForJobsOf(QueueId id, QueueReach reach, Fn fn) const {
    const auto of_queue = [&](const Queue& queue) {
      for (const JobId job : queue.jobs) fn(jobs_[job]);
    };
    if (reach == QueueReach::kOwn) return of_queue(queues_[id]);
    ForQueueAndBelow(id, of_queue);
  }

  // Calls fn(queue) for the queue and every queue above it until it holds for one; that one, or
  // nullptr.
  template <class Fn>
  const Queue* FindUpwards(QueueId id, Fn fn) const {
    for (; id.valid(); id = queues_[id].parent) {
      if (fn(queues_[id])) return &queues_[id];
    }
    return nullptr;
  }

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
  // Grows when a queue comes, goes or is another but for its status.
  std::uint64_t queue_objects_generation() const { return queue_objects_generation_; }
  const NodeLedger& ledger() const { return ledger_; }
  const NodeLabels& node_labels() const { return node_labels_; }
  // The nodes in blocks of like ones, up to date.
  const NodeIndex& FreshNodeIndex() const;
  // Nodes whose generation grew, in the order of the changes (repeats possible), since the log was
  // last cut; see CutNodeLog. Position p of the log has number node_log_start() + p.
  const std::vector<NodeId>& node_log() const { return node_log_; }
  std::uint64_t node_log_start() const { return node_log_start_; }

  // Tasks on nodes that have terms of pod affinity or anti-affinity; in no order.
  const std::vector<TaskId>& placed_with_pod_terms() const { return placed_with_pod_terms_; }

  // Tasks on nodes by the id of their class; in no order. A task changes its class only while it is
  // on no node.
  const std::vector<TaskId>& placed_of_class(std::uint32_t class_id) const {
    return placed_of_class_[class_id];
  }
  // One more than the largest id that placed_of_class knows.
  std::uint32_t placed_classes_bound() const {
    return static_cast<std::uint32_t>(placed_of_class_.size());
  }

  // Tasks that are leaving their nodes, overdue or not; in no order.
  const std::vector<TaskId>& releasing() const { return releasing_; }
  // Tasks that are promised a node; in no order.
  const std::vector<TaskId>& promised() const { return promised_; }

  // Of the nodes that exist.
  const Amounts& total_allocatable() const { return total_allocatable_; }
  // What tasks have of them, or are promised, once the tasks that leave are gone.
  const Amounts& total_held() const { return total_held_; }
  // What all queues' jobs may still take of the nodes up to their minima. Jobs that opted in to the
  // queue-allocation gate are not in it: more nodes may come for them.
  const Amounts& total_in_queue() const { return total_in_queue_; }

  // Jobs that a cycle must look at: those that exist and have a task that waits or is promised a
  // node, a phase that may still change, or news. In no order.
  const std::vector<JobId>& active_jobs() const { return active_jobs_; }
  // Jobs with tasks that wait for a group that does not exist. In no order.
  const std::vector<JobId>& groupless_jobs() const { return groupless_jobs_; }

  const Dimensions& dimensions() const { return dimensions_; }
  // The names of `lacking`, and of what the job's minimum names and no node or queue offers.
  std::vector<std::string> LackingNames(DimensionSet lacking, const Job& job) const;
  const TaskClasses& task_classes() const { return classes_; }
  const Objects& objects() const { return objects_; }
  const Reservations& reservations() const { return reservations_; }

  // Order-independent digest of holdings, of counts and of every ledger.
  std::uint64_t Hash() const;
  // Recomputes every ledger and list from the tasks, jobs and objects, and compares; returns what
  // differs ("" when nothing). Looks at everything: for tests, and for debug builds after each
  // action.
  std::string CheckLedgers() const;

  // ---- copying a part at a time
  // From now on it is noted which tasks, jobs and nodes may have changed, until that is taken.
  void NoteChanges() {
    tasks_.NoteChanges();
    jobs_.NoteChanges();
    nodes_.NoteChanges();
  }
  struct Noted {
    std::vector<std::uint32_t> tasks, jobs, nodes;  // slots
  };
  Noted TakeNoted() {
    return {.tasks = tasks_.TakeNoted(), .jobs = jobs_.TakeNoted(), .nodes = nodes_.TakeNoted()};
  }
  // So many are about to come.
  void Expect(std::size_t tasks, std::size_t jobs) {
    task_index_.reserve(tasks);
    job_index_.reserve(jobs);
  }

  // ---- changing holdings

  void Move(TaskId task, const Holding& to);
  // The same for what became of a write of ours, or of a node: news to the job and to the jobs that
  // wait for what the task gives up.
  void Correct(TaskId task, const Holding& to);
  void SetPhase(JobId job, JobPhase phase);
  // The job's status is to follow: it stays active until Settle, though nothing of it waits. What
  // it was woken with stays: the next of those may follow it.
  void Unsettle(JobId job) { Unsettle(jobs_[job]); }
  // The job's status says what there is to say.
  void Settle(JobId job);
  void SetClaimedSince(TaskId task, Time time) { tasks_[task].claimed_since = time; }
  void SetUngating(TaskId task, bool under_way) { tasks_[task].ungating = under_way; }
  // Its gate could not be removed: news to its job.
  void UngateRefused(TaskId task);

  // A parked job is not active, and costs a cycle nothing: it failed, and waits for what may help
  // it. News about the job itself bring it back at once. NoteRefusal: the queue has just refused a
  // job that is to be parked, being as full as it is now.
  void NoteRefusal(QueueId full);
  // Where its pods give another reason than those of jobs like it, some of these are active next,
  // and give it too: an autoscaler goes by what each pod says.
  void Park(JobId job, std::string_view likeness, const Waits& waits, Time now = {});
  // Something happened that may help jobs that wait for it.
  void Raise(Happening what) { raised_ |= Happenings{what}; }
  // A task that held the one holds the other, or is another pod now.
  void RaiseMove(const Holding& from, const Holding& to);
  // When a cycle begins. Wakes the jobs that may be helped by what has happened since the last
  // time, or whose time has come: of each bucket of jobs that are alike the first.
  void WakeParked(Time now);
  // Within a cycle that gave something up: the jobs that may be helped by it. It is news to those
  // that have failed before it, too, when the next cycle begins.
  void WakeWhoGains();
  // The next job of the bucket out of which this one was woken, active from now on; none: there is
  // none. Once.
  JobId WakeNextAfter(JobId job);
  void Unpark(JobId job);
  // The next time of each bucket the first, whatever has happened.
  void WakeAllAsCheck() { check_is_due_ = true; }
  // Whether something has happened that the job waited for when it was parked last.
  bool WouldWake(const Waits& waits) const;
  // All that were refused have been: what is freed from now on is news to them.
  void EndOfLook();
  // It was looked at, and is not parked again: the next time is no check any more.
  void EndCheck(JobId job) { jobs_[job].checked = false; }
  void UnparkAll();
  const Parking& parking() const { return parking_; }
  // The parked jobs of the namespace; nullptr: none.
  const boost::unordered_flat_set<JobId>* ParkedIn(std::string_view ns) const {
    const auto it = parked_in_.find(std::string(ns));
    return it == parked_in_.end() ? nullptr : &it->second;
  }
  // Something has happened that may wake a job.
  bool MayWake() const;
  // Whatever is changed while one lives is changed back before it ends: nothing has happened, and
  // no parked job wakes. (A job of which a pod was another meanwhile is looked at all the same: its
  // class may have another number now.)
  class Supposition {
   public:
    explicit Supposition(Cluster& cluster);
    ~Supposition();
    Supposition(const Supposition&) = delete;
    Supposition& operator=(const Supposition&) = delete;

   private:
    Cluster& cluster_;
    Happenings raised_;
    std::size_t touched_;
  };

  // Sorts tasks into classes anew: where a label has come to count; where policies read other keys
  // of annotations and labels than before.
  void SplitClasses();
  void SetPodKeys(const std::vector<std::string>& keys);

  void SetScheduleStart(JobId job, Time time) { jobs_[job].schedule_start = time; }

  // ---- what events say

  Objects& mutable_objects() { return objects_; }
  Reservations& mutable_reservations() { return reservations_; }
  // The job is that of a reservation, or (nullptr) is no longer.
  void SetReservation(JobId job, ReservationRecord* record) { jobs_[job].reservation = record; }
  // Whether the job counts in its queue, or another pod for it. News to jobs that wait there.
  void SetCountsWithPod(JobId job, bool with_pod);

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
  void SetJobPriority(JobId job, std::int32_t priority);

  NodeId SetNode(std::shared_ptr<const kube::Node> node);
  // A version that says nothing new about whatever decisions depend on.
  void RefreshNode(std::shared_ptr<const kube::Node> node);
  void RefreshPod(TaskId task, std::shared_ptr<const kube::Pod> pod);
  void RefreshGroup(JobId job, std::shared_ptr<const kube::PodGroup> group);
  void RemoveNode(std::string_view name);

  QueueId SetQueue(std::shared_ptr<const kube::Queue> queue);
  void RemoveQueue(std::string_view name);

  // Forgets the node log up to now. Followers must have read it.
  void CutNodeLog();

 private:
  template <class Fn>
  void ForQueueAndAncestors(QueueId queue, Fn fn);
  QueueId QueueSlot(std::string_view name);
  JobId JobSlot(std::string_view ns, std::string_view name);
  void QueueChanged() {
    ++queue_objects_generation_;
    Raise(Happening::kQueue);
  }
  void DropNodeSlotIfUnused(NodeId id);
  void DropQueueSlotIfUnused(QueueId id);
  void DropJobSlotIfUnused(JobId id);

  // Which books a change of a task is entered in.
  struct Books {
    bool node = true;
    bool counts = true;  // of the job: by status, and which of its lists the task is in
    bool sums = true;    // of the job and of the queues
  };
  // The task out of these books, to be changed; and into them again, with what it holds now.
  void Withdraw(Task& task, Books books);
  void Enter(Task& task, const Holding& holding, Books books);
  // Into these books (+1) or out of them (-1), by what the task holds.
  void Book(Task& task, Books books, int by);
  void CountOnNode(Task& task, int by);
  void TouchNode(NodeId id);
  void ChangeTotalHeld(const Node& node, int by);
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
  JobId WakeNext(Parking::BucketId bucket);
  void WakeWhoSaysOtherwise(Parking::BucketId bucket, Time now);
  std::string_view ReasonOf(const Job& job) const;
  bool HasMoreRoomThanWhenItRefused(const Queue& queue) const;
  bool LessIsWanted() const;
  // Returns the queues whose waiting jobs it woke.
  std::vector<QueueId> WakeBuckets();
  void WakeFirstOfEach(std::vector<Parking::BucketId> buckets);
  void NoteTotals();
  struct SeenRoom {
    Amounts idle, future;
  };
  SeenRoom RoomOf(NodeId id) const;
  Happenings ChangedObjects() const;
  std::uint64_t ObjectsGeneration(Happening kind) const;
  void Unsettle(Job& job);
  // News to the job itself: it waits for nothing any more.
  void NoteChange(Job& job);
  std::uint32_t RoleIndex(Job& job, std::string_view name);
  QueueId NamedParent(const Queue& queue) const;
  void AttachQueue(Queue& queue);
  std::vector<QueueId> DetachQueue(Queue& queue);
  void SetQueueParent(Queue& queue, QueueId parent);
  void CountSubtree(const Queue& queue, QueueId ancestor, int by);
  void Offer(Amounts& amounts, const kube::ResourceList& list);
  void SettleNames();
  void ReadMinResources(Job& job);
  void GiveClassAgain(Task& task);
  void RenewClass(Task& task);
  void LinkQueue(Queue& queue, bool is_new, const std::vector<QueueId>& loose);

  Dimensions dimensions_;
  TaskClasses classes_;
  Objects objects_;
  SlotTable<Task, TaskId> tasks_;
  SlotTable<Job, JobId> jobs_;
  SlotTable<Node, NodeId> nodes_;
  SlotTable<Queue, QueueId> queues_;
  NodeLedger ledger_;
  NodeLabels node_labels_;
  Reservations reservations_{*this};
  std::unique_ptr<NodeIndex> blocks_;

  boost::unordered_flat_map<std::string, TaskId> task_index_;  // "ns/name"
  boost::unordered_flat_map<std::string, JobId> job_index_;
  std::uint64_t job_arrivals_ = 0;
  boost::unordered_flat_map<std::string, NodeId> node_index_;
  boost::unordered_flat_map<std::string, QueueId> queue_index_;
  // Queues that exist by the name of the parent that they ask for, whether that exists or not.
  boost::unordered_flat_map<std::string, std::vector<QueueId>> queues_by_parent_;

  std::vector<NodeId> nodes_by_name_;
  std::uint64_t node_set_generation_ = 0;
  std::uint64_t node_objects_generation_ = 0;
  std::uint64_t queue_objects_generation_ = 0;
  std::uint64_t generation_ = 0;
  std::vector<NodeId> node_log_;
  std::uint64_t node_log_start_ = 0;
  ResourceSum total_allocatable_;
  ResourceSum total_held_;
  ResourceSum total_in_queue_;
  std::vector<JobId> active_jobs_;
  std::vector<JobId> groupless_jobs_;
  Parking parking_;
  boost::unordered_flat_map<std::string, boost::unordered_flat_set<JobId>>
      parked_in_;  // by namespace
  bool check_is_due_ = false;
  Happenings raised_;                 // since jobs that wait were last woken
  std::vector<NodeId> touched_;       // nodes that changed since then, each once
  std::vector<bool> is_touched_;      // by node
  std::vector<SeenRoom> seen_rooms_;  // by node: the least that it had when a job was refused
  std::array<std::uint64_t, kHappenings> seen_objects_{};
  Amounts seen_total_;   // allocatable
  Amounts seen_wanted_;  // the most that was held and in queue then
  bool gates_enabled_ = true;
  std::vector<TaskId> placed_with_pod_terms_;
  std::vector<std::vector<TaskId>> placed_of_class_;
  std::vector<TaskId> releasing_;
  std::vector<TaskId> promised_;
};

}  // namespace basalt::model
