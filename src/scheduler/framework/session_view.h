#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"
#include "scheduler/framework/plugin_set.h"

namespace basalt::scheduler {

// What plugins see of a session, and the questions that all plugins answer together. Read-only;
// lives for one session. Counterpart: the reading half of Volcano's framework.Session. On the
// cluster's thread.
class SessionView {
 public:
  SessionView(const model::Cluster& cluster, PluginSet& plugins, Time now)
      : cluster_(cluster), plugins_(plugins), now_(now) {}
  SessionView(const SessionView&) = delete;
  SessionView& operator=(const SessionView&) = delete;

  const model::Cluster& cluster() const { return cluster_; }
  const Config& config() const { return plugins_.config(); }
  Time now() const { return now_; }
  Reasons& reasons() const { return plugins_.reasons(); }

  // A job takes part when its group and its queue exist. nullptr: it does not, or there is none.
  const Job* FindJob(model::JobId id) const;
  const Job* JobOf(const Task& task) const { return FindJob(task.job); }
  const Queue& QueueOf(const Job& job) const { return cluster_.queue(job.queue); }
  // The jobs that take part and that a cycle must look at; in no order.
  std::vector<const Job*> ActiveJobs() const;
  // Every job that takes part, by id. Walks them all: not for plugins' session open.
  std::vector<const Job*> AllJobs() const;
  // Every queue that exists, by name.
  std::vector<const Queue*> Queues() const;

  // Of each resource the most that one node has.
  const model::Amounts& LargestNode() const;

  // ---- orders: total, so that nothing depends on where a walk began
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const;     // plugins alone
  std::weak_ordering CompareTasks(const Task& a, const Task& b) const;  // plugins alone
  bool JobBefore(const Job& a, const Job& b) const;
  bool QueueBefore(const Queue& a, const Queue& b) const;
  bool TaskBefore(const Task& a, const Task& b) const;
  // Of two victims the one that goes first. The tasks' jobs may be gone.
  bool VictimBefore(const Task& a, const Task& b, const Task& preemptor) const;

  // ---- judgements
  Verdict ValidateJob(const Job& job) const;
  bool IsJobReady(const Job& job) const;
  bool IsJobPipelined(const Job& job) const;
  bool IsJobStarving(const Job& job) const;
  bool MayEnqueue(const Job& job, EnqueueRefusal* why) const;
  // Whose limits the policies hold a queue to.
  model::QueueReach queue_reach() const { return plugins_.queue_reach(); }
  // Whether the queue will have room for the task, which holds nothing, once the tasks that leave
  // it are gone: whether it may be promised a node.
  Verdict MayAllocate(const Queue& queue, const Task& task) const;
  // Whether it may have a queue claim. Unlike a promise, a claim must not count on tasks that
  // leave, since autoscalers may see the pod that holds it.
  Verdict MayClaim(const Queue& queue, const Task& task) const;
  // Whether a task for which MayAllocate holds may start now, while the tasks that leave are still
  // there.
  bool MayStart(const Queue& queue, const Task& task) const;
  bool IsOverused(const Queue& queue) const;
  bool MayReclaim(const Queue& queue, std::span<const Task* const> tasks) const;
  std::vector<const Task*> Preemptable(const Task& preemptor,
                                       std::span<const Task* const> candidates) const;
  std::vector<const Task*> Reclaimable(const Task& reclaimer,
                                       std::span<const Task* const> candidates) const;
  std::vector<const Task*> Evictable(const GangEviction& context,
                                     std::span<const Task* const> candidates) const;
  std::vector<const Task*> PeriodicVictimsAmong(std::span<const Task* const> running) const;
  // When, though nothing happens, an answer about the job may change; none: never.
  std::optional<Time> ChangesAt(const Job& job) const;
  Verdict CheckTask(const Task& task) const;
  // All filters on one node. What is idle there is no filter's business.
  Verdict Filter(const Task& task, const Node& node) const;
  // What the scorers that look at one node alone give together.
  double Score(const Task& task, const Node& node) const;

 protected:
  const model::Cluster& cluster_;
  PluginSet& plugins_;
  Time now_;

 private:
  bool CountsWithPod(const Task& task) const;

  mutable std::optional<model::Amounts> largest_node_;
};

}  // namespace basalt::scheduler
