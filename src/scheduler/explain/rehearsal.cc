#include "scheduler/explain/rehearsal.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <set>

#include "kube/types/reasons.h"
#include "scheduler/framework/job_queues.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/likeness.h"
#include "scheduler/framework/reasons.h"
#include "scheduler/framework/session.h"
#include "scheduler/placement/entry.h"
#include "scheduler/placement/job_placement.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler::explain {

using model::Job;
using model::Task;
using model::TaskStatus;

namespace {

// The same as an obstacle: what stands in the pod's way, by stage and one word.
Obstacle ToObstacle(const PodWait& wait) {
  Obstacle obstacle{.condition = std::string(wait.reason), .message = wait.message};
  const auto is = [&](Stage stage, std::string_view reason) {
    obstacle.stage = stage;
    obstacle.reason = reason;
  };
  if (wait.failure) {
    obstacle.nodes = wait.failure->nodes_by_reason;
    obstacle.shortfall = wait.failure->shortfall;
  }
  switch (wait.cause) {
    case PodWait::Cause::kJob:
      if (wait.failure->step == FitFailure::Step::kVote) {
        is(Stage::kEnqueue, reasons::kNotEnqueued);
      } else if (wait.failure->step == FitFailure::Step::kQueue) {
        is(Stage::kQueue, reasons::kQueueOverused);
      } else {
        is(Stage::kNode, reasons::kUnschedulable);
      }
      break;
    case PodWait::Cause::kOwn:
      obstacle.task = wait.task->id;
      if (wait.failure->step == FitFailure::Step::kQueue) {
        is(Stage::kQueue, reasons::kQueueIsFull);
      } else {
        const bool nodes_help = wait.failure->nodes_would_help;
        is(Stage::kNode, nodes_help ? reasons::kUnschedulable : wait.failure->held_by);
      }
      break;
    case PodWait::Cause::kInvalid:
    case PodWait::Cause::kGatedMembers: is(Stage::kGang, wait.reason); break;
    case PodWait::Cause::kOther:
    case PodWait::Cause::kIncomplete: is(Stage::kGang, reasons::kGangIncomplete); break;
  }
  return obstacle;
}

// One trial of a cycle; what it did is taken back when it ends.
class Rehearsal {
 public:
  // `placements` counts the tasks for which a place is looked for.
  Rehearsal(model::Cluster& cluster, PluginSet& plugins, Time now, std::size_t& placements)
      : plugins_(plugins),
        session_(cluster, plugins, now, nullptr, nullptr, Session::Purpose::kRehearsal),
        done_(session_),
        placements_(placements) {}

  JobTrial Alone(const Job& job, const Task* asked) {
    JobTrial trial;
    if (Enter(job) && MayBePlaced(session_, job)) {
      if (WaitsForShare(session_, job)) {
        KeepBackForShare(session_, job);
      } else {
        JobPlacement placement(session_, job);
        while (Place(job, placement, trial) && placement.HasTasks() && asked &&
               !IsDecided(*asked)) {
        }
      }
      PlaceBestEffortOf(job);
    }
    return Report(job, asked, std::move(trial));
  }

  JobTrial InTurn(const Job& job, const Task* asked) {
    std::vector<const Job*> waiting;
    for (const Job* each : session_.AllJobs()) {
      if ((each->exists() && !each->pending.empty()) || each == &job) waiting.push_back(each);
    }
    EnterAll(waiting);
    JobTrial trial;
    boost::unordered_flat_map<model::JobId, JobPlacement> placements;
    JobQueues work(session_, Attempts::kNone);
    for (const Job* each : waiting) {
      if (MayBePlaced(session_, *each)) work.Add(*each);
    }
    work.LeaveOutOverused();
    work.ServeByTurns([&](const Job& next) {
      if (WaitsForShare(session_, next)) return true;
      if (&next != &job && failed_.contains(LikenessOf(next))) return true;
      JobPlacement& placement = placements.try_emplace(next.id, session_, next).first->second;
      JobTrial of_other;
      const bool again = Place(next, placement, &next == &job ? trial : of_other);
      if (again && placement.HasTasks()) {
        work.PutBack(next);
      } else if (!again) {
        NoteFailure(next);
      }
      // Best-effort tasks have their turn when all others have had theirs.
      if (&next != &job || job.pending_best_effort > 0) return true;
      const bool decided = asked ? IsDecided(*asked) : again;
      return again && placement.HasTasks() && !decided;
    });
    for (const Job* left : work.Left()) {
      if (left == &job && WaitsForShare(session_, job)) KeepBackForShare(session_, job);
    }
    if (job.pending_best_effort > 0) PlaceBestEffortInTurn(waiting, job);
    return Report(job, asked, std::move(trial));
  }

 private:
  bool Enter(const Job& job) {
    if (!job.IsPending()) return true;
    if (session_.config().HasAction(action_names::kEnqueue) && !PassesVote(session_, job))
      return false;
    done_.Enter(job.id);
    return true;
  }

  void EnterAll(const std::vector<const Job*>& jobs) {
    JobQueues work(session_, Attempts::kNone);
    for (const Job* job : jobs) {
      if (job->IsPending()) work.Add(*job);
    }
    work.ServeByTurns([&](const Job& job) {
      Enter(job);
      return true;
    });
  }

  // One step of allocate. true: the job is ready, and what is left may be placed.
  bool Place(const Job& job, JobPlacement& placement, JobTrial& trial) {
    Statement claims(session_);
    const Admission admission = AdmitAtGate(session_, job, claims);
    done_.Merge(claims);
    if (!admission.whole) {
      trial.stays_gated = true;
      trial.placed = admission.tasks;
      return false;
    }
    Statement statement(session_);
    const JobPlacement::Result result = placement.Place(statement);
    std::set<model::TaskId> placed;
    for (const Statement::Operation& operation : statement.operations()) {
      placed.insert(operation.task);
    }
    trial.placed += static_cast<int>(placed.size());
    placements_ += placed.size() + 1;
    if (result == JobPlacement::Result::kNothing) return false;
    done_.Merge(statement);
    return result == JobPlacement::Result::kReady;
  }

  std::string LikenessOf(const Job& job) const {
    return scheduler::LikenessOf(session_.cluster(), plugins_, job);
  }
  // Jobs like one that has failed fail too, while others only take room. Rules about other pods may
  // be helped by that.
  void NoteFailure(const Job& job) {
    if (job.pending.empty()) return;
    const model::TaskClass& task_class = *session_.cluster().task(job.pending.front()).task_class;
    if (task_class.has_pod_rules || task_class.has_spread_rules) return;
    std::string likeness = LikenessOf(job);
    if (!likeness.empty()) failed_.insert(std::move(likeness));
  }

  void PlaceBestEffortOf(const Job& job) {
    if (!session_.config().HasAction(action_names::kBackfill) || job.IsPending()) return;
    Statement statement(session_);
    for (TaskList tasks = BestEffortTasks(session_, job); !tasks.empty();) {
      PlaceBestEffort(session_, statement, *tasks.Take());
      ++placements_;
      if (IsReadyWithBestEffort(session_, job)) done_.Merge(statement);
    }
  }

  void PlaceBestEffortInTurn(const std::vector<const Job*>& jobs, const Job& last) {
    if (AnyMayEvict(jobs)) return;
    JobQueues work(session_, Attempts::kNone);
    for (const Job* job : jobs) {
      if (job->pending_best_effort > 0 && session_.ValidateJob(*job).ok()) work.Add(*job);
    }
    while (const Queue* queue = work.TakeQueue()) {
      while (const Job* job = work.TakeJob(*queue)) {
        PlaceBestEffortOf(*job);
        if (job == &last) return;
      }
    }
  }

  // Whether one of the jobs has no room yet and may be given that of others, before best-effort
  // tasks have their turn. What is left for those is not known then: evictions are not tried here.
  bool AnyMayEvict(const std::vector<const Job*>& jobs) const {
    return session_.config().Evicts() && std::ranges::any_of(jobs, [&](const Job* job) {
             return MayBePlaced(session_, *job) && session_.IsJobStarving(*job) &&
                    std::cmp_greater(job->pending.size(), job->pending_best_effort);
           });
  }

  bool IsDecided(const Task& task) const {
    return task.status() != TaskStatus::kPending || session_.HasFailure(task);
  }

  JobTrial Report(const Job& job, const Task* asked, JobTrial trial) const {
    trial.starts = session_.ValidateJob(job).ok() && !job.IsPending() && !trial.stays_gated &&
                   (session_.IsJobReady(job) || session_.IsJobPipelined(job));
    trial.promises = !job.pipelined.empty();
    const bool asked_waits = asked && asked->status() == TaskStatus::kPending;
    trial.runs = trial.starts && !asked_waits;
    // A controller makes the job's pods once its queue has let it in: that is how far it can come
    // now.
    if (job.counts.total() == 0 && job.min_resources) {
      const auto entered = [&](const Statement::Operation& done) { return done.job == job.id; };
      if (std::ranges::any_of(done_.operations(), entered)) {
        trial.starts = trial.runs = true;
        return trial;
      }
      EnqueueRefusal why;
      if (job.IsPending() && !session_.MayEnqueue(job, &why)) {
        trial.first = Obstacle{.stage = Stage::kEnqueue,
                               .reason = std::string(reasons::kNotEnqueued),
                               .message = std::move(why.text),
                               .shortfall = why.shortfall};
        return trial;
      }
    }
    const Task* first = nullptr;
    for (const PodWait& wait : session_.WhyPodsWait(job)) {
      if (wait.task == asked) trial.own = ToObstacle(wait);
      // Of a task that finds no place rather than of one that waits for it.
      const bool finds_none = wait.cause == PodWait::Cause::kOwn;
      const bool before =
          !first || (finds_none && !trial.first->task.valid()) ||
          (finds_none == trial.first->task.valid() && model::TaskBefore(*wait.task, *first));
      if (!before) continue;
      first = wait.task;
      trial.first = ToObstacle(wait);
    }
    if (!trial.runs && !trial.first && !session_.ValidateJob(job).ok()) {
      // It has no pod that could say so.
      trial.first = Obstacle{.stage = Stage::kGang,
                             .reason = std::string(session_.ValidateJob(job).reason),
                             .message = WhyInvalid(job)};
    }
    return trial;
  }

  const PluginSet& plugins_;
  Session session_;
  Statement done_;
  std::size_t& placements_;
  std::set<std::string> failed_;  // likenesses
};

}  // namespace

Prober::Prober(model::Cluster& cluster, PluginSet& plugins, Time now)
    : cluster_(cluster), plugins_(plugins), now_(now) {
  plugins.explanations().Clear();  // figures are those of this moment
}

JobTrial Prober::Alone(const Job& job, const Task* asked) {
  ++trials_;
  return Rehearsal(cluster_, plugins_, now_, placements_).Alone(job, asked);
}

JobTrial Prober::InTurn(const Job& job, const Task* asked) {
  ++trials_;
  return Rehearsal(cluster_, plugins_, now_, placements_).InTurn(job, asked);
}

std::vector<const Job*> Prober::Ahead(const Job& job, model::QueueId queue) {
  const Session session(cluster_, plugins_, now_, nullptr, nullptr, Session::Purpose::kRehearsal);
  std::vector<const Job*> ahead;
  cluster_.ForJobsOf(queue, queue_reach(), [&](const Job& other) {
    if (!other.exists() || other.pending.empty() || other.id == job.id) return;
    if (other.queue != job.queue || session.JobBefore(other, job)) ahead.push_back(&other);
  });
  std::ranges::sort(ahead, [&](const Job* a, const Job* b) {
    const bool own_a = a->queue == job.queue, own_b = b->queue == job.queue;
    return own_a != own_b ? own_a : session.JobBefore(*a, *b);
  });
  return ahead;
}

}  // namespace basalt::scheduler::explain
