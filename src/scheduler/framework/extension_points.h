#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"
#include "scheduler/framework/verdict.h"

// What a plugin can decide: one small abstract class per point. A plugin derives from Plugin and
// from the points that it implements; PluginSet finds them, and plugin_set.h says which switch
// turns each on and how the answers of several plugins are put together.
//
// Everything runs on the scheduling thread. The cluster is read through the SessionView that Open
// gives (SessionObserver); sums come from its ledgers, never from walking all jobs.
namespace basalt::model {
class NodeBox;
struct Bind;
}  // namespace basalt::model
namespace basalt::scheduler {

class SessionView;
class StatusSink;

using model::Job;
using model::Node;
using model::NodeId;
using model::Queue;
using model::Task;

enum class Vote { kReject = -1, kAbstain = 0, kPermit = 1 };

// What all of them have in common.
class ExtensionPoint {
 public:
  virtual ~ExtensionPoint() = default;
};

// less: a goes first.
class JobOrder : public ExtensionPoint {
 public:
  virtual std::weak_ordering CompareJobs(const Job& a, const Job& b) const = 0;
};
class QueueOrder : public ExtensionPoint {
 public:
  virtual std::weak_ordering CompareQueues(const Queue& a, const Queue& b) const = 0;
};
// Of two queues the one whose tasks are evicted first, when `preemptor` needs room.
class VictimQueueOrder : public ExtensionPoint {
 public:
  virtual std::weak_ordering CompareVictimQueues(const Queue& a, const Queue& b,
                                                 const Queue& preemptor) const = 0;
};
class TaskOrder : public ExtensionPoint {
 public:
  virtual std::weak_ordering CompareTasks(const Task& a, const Task& b) const = 0;
};

// Whether a job can run at all.
class JobValidator : public ExtensionPoint {
 public:
  virtual Verdict ValidateJob(const Job& job) const = 0;
};
// Whether enough of the job's tasks have a place for it to start.
class JobReadiness : public ExtensionPoint {
 public:
  virtual bool IsJobReady(const Job& job) const = 0;
};
// Whether enough have a place or the promise of one.
class JobPipelining : public ExtensionPoint {
 public:
  virtual Vote IsJobPipelined(const Job& job) const = 0;
};
// Whether the job needs more, so much that others may be evicted for it.
class JobStarvation : public ExtensionPoint {
 public:
  virtual bool IsJobStarving(const Job& job) const = 0;
};

// Why a job may not enter its queue.
struct EnqueueRefusal {
  std::string text;              // for users; "": nothing to say
  model::Shortfall shortfall;    // as in Verdict
  bool nodes_would_help = true;  // as in FitFailure
  // What may change its mind, where that is no queue's room.
  model::Happenings helps = model::Happenings::All();
  // Only what this cycle has let in stands in its way: the next may decide otherwise.
  bool for_this_cycle = false;
};
// Whether a pending job may enter its queue.
class EnqueueVoter : public ExtensionPoint {
 public:
  // On kReject `*why` may say so to users.
  virtual Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const = 0;
};
// The job is about to enter (its phase is still pending). Queue ledgers follow by themselves.
class EnqueueObserver : public ExtensionPoint {
 public:
  virtual void JobEnqueued(const Job& job) = 0;
  // It did not enter after all.
  virtual void JobTakenBack(const Job& job) = 0;
};

// Whether the queue can take the task, which holds nothing yet. (Volcano: allocatable.)
class QueueAdmission : public ExtensionPoint {
 public:
  virtual Verdict MayAllocate(const Queue& queue, const Task& task) const = 0;
  // Whose limits it holds the queue to.
  virtual model::QueueReach Reach() const { return model::QueueReach::kOwn; }
};
// Whether the queue has more than its share, so that nothing is allocated to it.
class QueueOveruse : public ExtensionPoint {
 public:
  virtual bool IsOverused(const Queue& queue) const = 0;
};
// Whether the queue may take back from others for these tasks. (Volcano: preemptive.)
class QueuePreemption : public ExtensionPoint {
 public:
  virtual bool MayReclaim(const Queue& queue, std::span<const Task* const> tasks) const = 0;
};

// Which of the candidates may be evicted.
struct VictimOpinion {
  bool abstain = false;
  std::vector<const Task*> victims;

  static VictimOpinion Abstain() { return {.abstain = true}; }
};
class PreemptionVictims : public ExtensionPoint {
 public:
  virtual VictimOpinion PermitPreemption(const Task& preemptor,
                                         std::span<const Task* const> candidates) const = 0;
};
class ReclaimVictims : public ExtensionPoint {
 public:
  virtual VictimOpinion PermitReclaim(const Task& reclaimer,
                                      std::span<const Task* const> candidates) const = 0;
};
// For whole gangs (gangpreempt, gangreclaim): for parity with Volcano's configuration and tests
// only; no action asks.
struct GangEviction {
  enum class Kind { kPreempt, kReclaim };
  Kind kind = Kind::kPreempt;
  const Job* beneficiary = nullptr;
};
class UnifiedVictims : public ExtensionPoint {
 public:
  virtual VictimOpinion PermitEviction(const GangEviction& context,
                                       std::span<const Task* const> candidates) const = 0;
};
// Tasks that should go for the policy's own reasons (shuffle): for parity with Volcano's
// configuration and tests only; no action asks.
class PeriodicVictims : public ExtensionPoint {
 public:
  virtual std::vector<const Task*> FindVictims(std::span<const Task* const> running) = 0;
};

// Before nodes are looked at: whether the task can go anywhere. (Volcano: pre-predicate.) May
// prepare what Filter needs for this task. For a task with volumes the answer depends on these
// alone.
class PrePredicate : public ExtensionPoint {
 public:
  virtual Verdict CheckTask(const Task& task) = 0;
};

// What the answer for a task and a node depends on, and so when it must be asked again.
enum class DependsOn : unsigned char {
  kNothing,  // no opinion on this task: every node passes (gets the same score)
  kStatic,   // the node object and the task's static class: asked once per node version
  kNode,     // the task's class and what is on that node: asked again when the node changes
  kCluster,  // what is on other nodes: asked for all nodes, each time
};

class NodeFilter : public ExtensionPoint {
 public:
  // Rules that depend on different things are separate parts. The answer must be the same for tasks
  // of one class and queue.
  struct Part {
    DependsOn depends_on = DependsOn::kNode;
    int number = 0;  // handed back to Filter
  };
  // The parts that concern the task; none: no opinion. Only parts that depend on the cluster may
  // come and go within a session.
  virtual void FilterParts(const Task& task, std::vector<Part>* parts) const = 0;
  virtual Verdict Filter(const Task& task, const Node& node, int part) const = 0;

  // For which nodes the answers of a part that depends on the cluster may have changed.
  enum class Changes : unsigned char {
    kUnknown,  // the part cannot tell: every node is asked about, each time
    kAny,      // any node's may have
    kListed,   // those that were added to the list, no others
  };
  // Since the last call with this `seen`, which is the filter's own to write and empty at first
  // (then any may have). The answers must be the same for tasks of one class and queue.
  virtual Changes FindChanges(const Task&, int /*part*/, std::vector<std::uint64_t>* /*seen*/,
                              std::vector<NodeId>* /*nodes*/) const {
    return Changes::kUnknown;
  }
};

// A score that depends on the task and one node alone.
class NodeScorer : public ExtensionPoint {
 public:
  // kNothing, kStatic or kNode.
  virtual DependsOn ScoreDependsOn(const Task& task) const = 0;
  // Adds to scores[i] the score of nodes[i].
  virtual void ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                          std::span<double> scores) const = 0;
  // The same for all nodes at once, by node id, also for ids that no node has; a loop over the
  // ledger's arrays. Must give exactly what ScoreNodes gives. false: nothing was added, ask
  // ScoreNodes.
  virtual bool ScoreAllNodes(const Task&, std::span<double> /*scores*/) const { return false; }
  // Adds to bounds[i] a number that the score of no node within boxes[i] exceeds, as computed, and
  // best the score itself where all nodes within are the same: then blocks of nodes that cannot
  // have the best one are left out. false: nothing was added, no bound is known.
  virtual bool BoundScores(const Task&, std::span<const model::NodeBox> /*boxes*/,
                           std::span<double> /*bounds*/) const {
    return false;
  }
};
// A score that is normalised over all candidates, or depends on what is elsewhere. Asked for each
// task again, so it should decline tasks on which it has no opinion.
class BatchScorer : public ExtensionPoint {
 public:
  virtual bool Concerns(const Task& task) const = 0;
  // Adds to scores[i] the score of nodes[i]; the nodes are all candidates.
  virtual void ScoreBatch(const Task& task, std::span<const NodeId> nodes,
                          std::span<double> scores) const = 0;
};
// Chooses among scored candidates itself.
class BestNode : public ExtensionPoint {
 public:
  // Of the others the highest score is the best, and is found without looking at every node.
  virtual bool Concerns(const Task& task) const = 0;
  virtual std::optional<NodeId> Choose(const Task& task, std::span<const NodeId> nodes,
                                       std::span<const double> scores) const = 0;
};

class SessionObserver : public ExtensionPoint {
 public:
  // The view lives until the session is closed.
  virtual void Open(const SessionView& view) = 0;
  // The last decisions are made; conditions and metrics of this cycle.
  virtual void Close(StatusSink& sink) { (void)sink; }
};
// A policy whose answers change as time goes by, though nothing happens.
class TimeDependent : public ExtensionPoint {
 public:
  // When what it says about the job may change next; none: it stays as it is. Asked when a session
  // closes. Of jobs that are alike the oldest one's time must come first.
  virtual std::optional<Time> ChangesAt(const Job& job) const = 0;
  // What it reads of the job beside what other policies read: jobs for which it differs are not
  // alike (likeness.h).
  virtual std::int64_t KindOf(const Job& job) const = 0;
};
// A task is about to be bound where it stands; what must be done first goes into `bind`.
class BindPlanner : public ExtensionPoint {
 public:
  virtual void PlanBind(const Task& task, model::Bind* bind) const = 0;
};
// Told of every move in the session, those that undo others too. Ledgers have changed already.
class PlacementObserver : public ExtensionPoint {
 public:
  virtual void TaskMoved(const Task& task, const model::Holding& from) = 0;
};

}  // namespace basalt::scheduler
