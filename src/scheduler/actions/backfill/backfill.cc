#include "scheduler/actions/backfill/backfill.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "scheduler/framework/admitted.h"
#include "scheduler/framework/work_queues.h"
#include "scheduler/placement/best_effort.h"

namespace basalt::scheduler::actions {

Result<std::unique_ptr<Action>> Backfill::Make(const Arguments& arguments) {
  if (auto ok = arguments.CheckKnown({"predicateErrorCacheEnable"}); !ok) {
    return std::unexpected(ok.error());
  }
  bool ignored = true;
  if (auto ok = arguments.Get("predicateErrorCacheEnable", &ignored); !ok) {
    return std::unexpected(ok.error());
  }
  return std::make_unique<Backfill>();
}

namespace {

bool HasWork(const Session& session, const Job& job) {
  if (job.IsPending() || !session.ValidateJob(job).ok()) return false;
  const bool promised = std::ranges::any_of(
      job.pipelined, [&](model::TaskId id) { return session.cluster().task(id).best_effort(); });
  return job.pending_best_effort > 0 || promised;
}

// The task fits no node, and needs nothing of its queue: an autoscaler should see it, and with it
// all that its job needs to start. Not while others of these may not be placed.
void LetItBeSeen(Session& session, const Task& task) {
  const Job& job = *session.JobOf(task);
  if (!EnoughAdmitted(session.cluster(), job)) return;
  if (job.ready_tasks() >= job.min_available) return session.Ungate(task);
  for (const model::TaskId id : job.pending) {
    const Task& other = session.cluster().task(id);
    if (other.best_effort()) session.Ungate(other);
  }
}

}  // namespace

std::vector<const Task*> Backfill::PickTasks(Session& session) {
  WorkQueues work(session, Attempts::kNone);
  for (const Job* job : session.JobsInTurn()) {
    if (HasWork(session, *job)) work.Add(*job);
  }
  std::vector<const Task*> picked;
  while (const Queue* queue = work.TakeQueue()) {
    while (const Job* job = work.TakeJob(*queue)) {
      for (TaskList tasks = BestEffortTasks(session, *job); !tasks.empty();) {
        picked.push_back(tasks.Take());
      }
    }
  }
  return picked;
}

void Backfill::Run(Session& session) {
  std::vector<const Task*> no_node;
  WorkQueues work(session);
  for (const Job* job : session.JobsInTurn()) {
    if (HasWork(session, *job)) work.Add(*job);
  }
  bool time_is_left = true;
  while (const Queue* queue = time_is_left ? work.TakeQueue() : nullptr) {
    while (const Job* job = time_is_left ? work.TakeJob(*queue) : nullptr) {
      // A job's tasks are bound once it is ready. Those of a job that is not are taken back before
      // the next one is looked at: what cannot start keeps nobody out.
      Statement statement(session);
      for (TaskList tasks = BestEffortTasks(session, *job); !tasks.empty();) {
        const Task& task = *tasks.Take();
        if (!PlaceBestEffort(session, statement, task)) no_node.push_back(&task);
        if (IsReadyWithBestEffort(session, *job)) statement.Commit();
      }
      statement.Discard();
      if (time_is_left = session.GoOn(*job); !time_is_left) work.PutOffRest();
    }
  }
  for (const Task* task : no_node) LetItBeSeen(session, *task);
}

}  // namespace basalt::scheduler::actions
