#include "scheduler/actions/preempt/preempt.h"

#include <map>

#include "scheduler/actions/common/work_queues.h"
#include "scheduler/actions/preempt/preemption.h"

namespace basalt::scheduler::actions {
namespace {

// What every victim must be, whoever the preemptor is.
bool MayLeave(const Task& preemptor, const Task& task) {
  return model::IsPreemptable(task.status()) && task.preemptable &&
         (!preemptor.best_effort() || task.best_effort());
}

}  // namespace

Result<std::unique_ptr<Action>> Preempt::Make(const Arguments& arguments) {
  if (auto ok =
          arguments.CheckKnown({"predicateErrorCacheEnable", "enableTopologyAwarePreemption",
                                "topologyAwarePreemptWorkerNum", "minCandidateNodesPercentage",
                                "minCandidateNodesAbsolute", "maxCandidateNodesAbsolute"});
      !ok) {
    return std::unexpected(ok.error());
  }
  bool topology_aware = false;
  if (auto ok = arguments.Get("enableTopologyAwarePreemption", &topology_aware); !ok) {
    return std::unexpected(ok.error());
  }
  return std::make_unique<Preempt>(topology_aware);
}

void Preempt::Run(Session& session) {
  WorkQueues work(session, Attempts::kEvict);
  std::map<model::JobId, TaskList> tasks;
  std::map<model::QueueId, std::vector<const Job*>> starving;
  for (const Job* job : session.JobsInTurn()) {
    if (job->IsPending() || !session.ValidateJob(*job).ok()) continue;
    if (!session.IsJobStarving(*job) || job->group->network_topology) continue;
    work.Add(*job);
    tasks.emplace(job->id, TaskList(session, UngatedPendingTasks(session, *job)));
    starving[job->queue].push_back(job);
  }
  const auto try_task = [&](Statement& statement, const Task& preemptor, const TaskFilter& filter) {
    if (!MayPreempt(session, preemptor) || !session.CheckTask(preemptor).ok()) return false;
    if (BackfillWillPlace(session, preemptor)) return false;
    return topology_aware_ ? PreemptWithLeastHarm(session, statement, preemptor, filter)
                           : PreemptOnBestNode(session, statement, preemptor, filter);
  };

  bool time_is_left = true;
  while (const Queue* queue = time_is_left ? work.TakeQueue() : nullptr) {
    // Between the jobs of the queue.
    while (const Job* job = work.TakeJob(*queue)) {
      Statement statement(session);
      bool assigned = false;
      const auto [it, woken] = tasks.try_emplace(job->id);
      if (woken) {  // it waited with others like the last one
        it->second = TaskList(session, UngatedPendingTasks(session, *job));
        starving[job->queue].push_back(job);
      }
      TaskList& left = it->second;
      while (session.IsJobStarving(*job) && !left.empty()) {
        const Task& preemptor = *left.Take();
        assigned = try_task(statement, preemptor, [&](const Task& task) {
          const Job* other = session.JobOf(task);
          return MayLeave(preemptor, task) && other && other->queue == job->queue && other != job;
        });
      }
      if (session.IsJobPipelined(*job)) {
        statement.Commit();
        if (assigned) work.PutBack(*job);
      } else {
        statement.Discard();
      }
      if (time_is_left = session.GoOn(*job); !time_is_left) {
        work.PutOffRest();
        break;
      }
    }
    // Within each job that had its turn; all of them, so that it is over for these.
    for (const Job* job : starving[queue->id]) {
      if (session.IsPutOff(*job) || work.StandsBack(*job)) continue;
      if (session.KnownToFail(*job)) continue;
      TaskList left(session, UngatedPendingTasks(session, *job));
      while (!left.empty()) {
        const Task& preemptor = *left.Take();
        Statement statement(session);
        const bool assigned = try_task(statement, preemptor, [&](const Task& task) {
          return MayLeave(preemptor, task) && task.job == job->id;
        });
        // A promise to a part of a gang would only block others.
        if (!assigned || !session.IsJobPipelined(*job)) break;
        statement.Commit();
      }
    }
  }
}

}  // namespace basalt::scheduler::actions
