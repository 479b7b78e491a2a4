#include "scheduler/explain/job_trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "scheduler/framework/admitted.h"
#include "scheduler/framework/job_text.h"

namespace basalt::scheduler::explain {

using model::JobPhase;
using model::TaskStatus;

namespace {

std::vector<NodeCount> CountsOf(const FitFailure& failure) {
  std::vector<NodeCount> counts;
  for (const auto& [reason, count] : failure.nodes_by_reason) counts.push_back({reason, count});
  return counts;
}

Obstacle GangObstacle(const Job& job, const Verdict& verdict) {
  return {.stage = Stage::kGang, .reason = std::string(verdict.reason), .message = TooFewPods(job)};
}

// One attempt. Puts the job's phase back when it goes.
class Attempt {
 public:
  Attempt(model::Cluster& cluster, Session& session, const Job& job, const Task* asked)
      : cluster_(cluster),
        session_(session),
        job_(job),
        asked_(asked),
        phase_(job.phase),
        statement_(session) {}

  JobTrial Run() {
    if (!Enter()) return std::move(trial_);
    const std::vector<const Task*> candidates = Candidates();
    if (!Admit(candidates)) return std::move(trial_);
    for (const Task* task : candidates) {
      if (NeedsNoClaim(*task)) Place(*task);
      if (Decided()) break;
    }
    trial_.starts = session_.IsJobReady(job_) || session_.IsJobPipelined(job_);
    trial_.runs = trial_.starts && (!asked_ || trial_.asked_placed);
    return std::move(trial_);
  }

  // The statement goes first, then the phase, in the order opposite to how they came.
  void Undo() {
    statement_.Discard();
    cluster_.SetPhase(job_.id, phase_);
  }

 private:
  bool Enter() {
    if (job_.IsPending()) {
      EnqueueRefusal why;
      const bool votes = session_.config().HasAction("enqueue") && job_.min_resources;
      if (votes && !session_.MayEnqueue(job_, &why)) {
        trial_.job_obstacle =
            Obstacle{.stage = Stage::kEnqueue,
                     .reason = "NotEnqueued",
                     .message = why.text.empty() ? "the group is not let into its queue yet"
                                                 : std::move(why.text)};
        return false;
      }
      session_.Enqueue(job_);
    }
    if (const Verdict verdict = session_.ValidateJob(job_); !verdict.ok()) {
      trial_.job_obstacle = GangObstacle(job_, verdict);
      return false;
    }
    const Queue& queue = session_.QueueOf(job_);
    // What a queue deserves comes from the nodes that exist, which do not limit gated jobs.
    if (job_.pending_opted_in == 0 && session_.IsOverused(queue)) {
      trial_.job_obstacle =
          Obstacle{.stage = Stage::kQueue,
                   .reason = "QueueOverused",
                   .message = fmt::format("queue {} has all that it deserves", queue.name)};
      return false;
    }
    return true;
  }

  std::vector<const Task*> Candidates() const {
    std::vector<const Task*> tasks;
    for (const model::TaskId id : job_.pending) {
      const Task& task = session_.cluster().task(id);
      if (task.gate == model::Gate::kNone || task.waits_at_gate()) tasks.push_back(&task);
    }
    std::ranges::sort(tasks,
                      [&](const Task* a, const Task* b) { return session_.TaskBefore(*a, *b); });
    return tasks;
  }

  static bool NeedsNoClaim(const Task& task) { return task.best_effort() || IsAdmitted(task); }

  // As a cycle does: gated tasks get queue claims before a node is looked for, enough of them for
  // the job to start, or none. false: the queue cannot take that many.
  bool Admit(const std::vector<const Task*>& candidates) {
    if (job_.pending_opted_in == 0) return true;
    const auto asked_waits = [&] {
      return asked_ && !NeedsNoClaim(*asked_) && !trial_.ObstacleOf(*asked_);
    };
    int granted = 0;
    for (const Task* task : candidates) {
      if (NeedsNoClaim(*task) || trial_.ObstacleOf(*task)) continue;
      if (granted > 0 && !asked_waits() && EnoughAdmitted(session_.cluster(), job_)) break;
      const Verdict verdict = session_.MayClaim(session_.QueueOf(job_), *task);
      if (verdict.ok()) {
        statement_.GrantQueueClaim(task->id);
        ++granted;
      } else {
        Stop(*task, Stage::kQueue, "QueueFull", {}, verdict.reason, verdict.full_queue);
      }
    }
    if (EnoughAdmitted(session_.cluster(), job_)) return true;
    trial_.stays_gated = true;
    trial_.placed = granted;
    return false;
  }

  void Place(const Task& task) {
    // Tasks that are alike meet the same obstacle.
    if (trial_.ObstacleOf(task)) return;
    const auto room = task.best_effort() ? NodeFinder::Room::kIgnored : NodeFinder::Room::kChecked;
    if (!task.best_effort()) {
      const Verdict admitted = session_.MayAllocate(session_.QueueOf(job_), task);
      if (!admitted.ok()) return StopAtQueue(task, admitted);
    }
    if (const Verdict verdict = session_.CheckTask(task); !verdict.ok()) {
      return Stop(task, Stage::kNode, "Unschedulable", {}, verdict.reason);
    }
    const auto found = session_.finder().Best(task, room);
    if (!found) {
      const FitFailure failure = session_.finder().Explain(task, room);
      return Stop(task, Stage::kNode, "Unschedulable", CountsOf(failure), failure.Message());
    }
    if (found->now && session_.MayStart(session_.QueueOf(job_), task)) {
      statement_.Allocate(task.id, found->node);
    } else {
      statement_.Pipeline(task.id, found->node, false);
      trial_.promises = true;
    }
    ++trial_.placed;
    if (&task == asked_) {
      trial_.asked_placed = true;
      trial_.asked_node = found->node;
    }
  }

  // A queue that may have all there is has no more because the nodes have not.
  void StopAtQueue(const Task& task, const Verdict& refusal) {
    const FitFailure failure = session_.WhyNotAdmitted(task, refusal);
    if (!failure.other.empty()) {
      return Stop(task, Stage::kQueue, "QueueFull", {}, failure.other, refusal.full_queue);
    }
    Stop(task, Stage::kNode, "Unschedulable", CountsOf(failure), failure.Message());
  }

  void Stop(const Task& task, Stage stage, std::string_view reason, std::vector<NodeCount> nodes,
            std::string_view message, model::QueueId full_queue = {}) {
    trial_.obstacles.emplace_back(task.task_class->id, Obstacle{.stage = stage,
                                                                .reason = std::string(reason),
                                                                .message = std::string(message),
                                                                .nodes = std::move(nodes),
                                                                .task = task.id,
                                                                .full_queue = full_queue});
  }

  bool Decided() const {
    if (!session_.IsJobReady(job_)) return false;
    return !asked_ || trial_.asked_placed || trial_.ObstacleOf(*asked_) != nullptr;
  }

  model::Cluster& cluster_;
  Session& session_;
  const Job& job_;
  const Task* asked_;
  const JobPhase phase_;
  JobTrial trial_;
  Statement statement_;
};

}  // namespace

const Obstacle* JobTrial::ObstacleOf(const model::Task& task) const {
  for (const auto& [task_class, obstacle] : obstacles) {
    if (task_class == task.task_class->id) return &obstacle;
  }
  return nullptr;
}

const Obstacle* JobTrial::First() const {
  if (job_obstacle) return &*job_obstacle;
  return obstacles.empty() ? nullptr : &obstacles.front().second;
}

JobTrial TryJob(model::Cluster& cluster, Session& session, const model::Job& job,
                const model::Task* asked) {
  Attempt attempt(cluster, session, job, asked);
  JobTrial trial = attempt.Run();
  attempt.Undo();
  return trial;
}

}  // namespace basalt::scheduler::explain
