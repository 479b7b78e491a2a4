#include "scheduler/actions/backfill/backfill.h"

#include <algorithm>
#include <map>
#include <memory>

#include "scheduler/actions/common/work_queues.h"
#include "scheduler/framework/admitted.h"

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

std::vector<const Task*> Backfill::PickTasks(Session& session) {
  WorkQueues work(session);
  for (const Job* job : session.JobsInTurn()) {
    if (job->IsPending() || !session.ValidateJob(*job).ok()) continue;
    const bool promised = std::ranges::any_of(
        job->pipelined, [&](model::TaskId id) { return session.cluster().task(id).best_effort(); });
    if (job->pending_best_effort > 0 || promised) work.Add(*job);
  }
  std::vector<const Task*> picked;
  while (const Queue* queue = work.TakeQueue()) {
    while (const Job* job = work.TakeJob(*queue)) {
      std::vector<const Task*> tasks = PlaceablePendingTasks(session, *job);
      for (const model::TaskId id : job->pipelined) tasks.push_back(&session.cluster().task(id));
      std::erase_if(tasks, [](const Task* task) { return !task->best_effort(); });
      TaskList list(session, std::move(tasks));
      while (!list.empty()) picked.push_back(list.Take());
    }
  }
  return picked;
}

namespace {

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

void Backfill::Run(Session& session) {
  // A job's tasks are bound once it is ready; those of a job that never is are taken back at the
  // end.
  std::map<model::JobId, std::unique_ptr<Statement>> statements;
  std::vector<const Task*> no_node;
  const std::vector<const Task*> picked = PickTasks(session);
  const Job* last = nullptr;
  bool time_is_left = true;
  for (const Task* task : picked) {
    const Job& job = *session.JobOf(*task);
    // The tasks of one job follow each other.
    if (last && last != &job && time_is_left) time_is_left = session.GoOn(*last);
    if (last != &job && !time_is_left) {
      session.PutOff(job);
      continue;
    }
    last = &job;
    if (const Verdict verdict = session.CheckTask(*task); !verdict.ok()) {
      session.RecordFailure(*task, {.other = std::string(verdict.reason)});
      continue;
    }
    auto& statement = statements[job.id];
    if (!statement) statement = std::make_unique<Statement>(session);
    const Statement::Checkpoint before = statement->Mark();
    // One that is promised a node keeps it if it finds none now.
    if (task->status() == model::TaskStatus::kPipelined) statement->Unallocate(task->id);
    const auto found = session.finder().Best(*task, NodeFinder::Room::kIgnored);
    if (!found) {
      session.RecordFailure(*task, session.finder().Explain(*task, NodeFinder::Room::kIgnored));
      statement->RollbackTo(before);
      no_node.push_back(task);
      continue;
    }
    statement->Allocate(task->id, found->node);
    // Best-effort tasks that wait count as ready elsewhere; here they have to have a place.
    if (session.IsJobReady(job) && job.ready_tasks() >= job.min_available) statement->Commit();
  }
  statements.clear();
  for (const Task* task : no_node) LetItBeSeen(session, *task);
}

}  // namespace basalt::scheduler::actions
