#include <map>

#include "scheduler/framework/action.h"
#include "scheduler/framework/job_queues.h"
#include "scheduler/framework/session.h"
#include "scheduler/placement/make_room.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler::actions {
namespace {

// Whether the task may make others leave.
bool MayPreempt(Session& session, const Task& preemptor) {
  if (preemptor.pod->spec.preemption_policy == kube::PreemptionPolicy::kNever) return false;
  const std::string& nominated = preemptor.pod->status.nominated_node_name;
  if (nominated.empty()) return true;
  // It was promised a node before: wait while a pod leaves there for it.
  const Node* node = session.cluster().FindNode(nominated);
  if (!node) return false;
  const Verdict verdict = session.Filter(preemptor, *node);
  if (verdict.ok()) return false;
  if (verdict.code == Verdict::Code::kUnresolvable) return true;
  return std::ranges::none_of(node->tasks, [&](model::TaskId id) {
    const Task& other = session.cluster().task(id);
    return other.status() == model::TaskStatus::kReleasing &&
           PodPriority(other) < PodPriority(preemptor);
  });
}

// Makes room for starving jobs within their own queue: first from other jobs, then within the job
// itself. Victims leave, and the task is promised their room. Evictions for a job are carried out
// only when they give it enough to start. Counterpart: Volcano actions/preempt.
//
// Arguments: enableTopologyAwarePreemption (judge each node with the victims gone, by all filters,
// and take the node whose victims matter least), and, accepted without effect since every node is
// tried and nothing runs in parallel: predicateErrorCacheEnable, topologyAwarePreemptWorkerNum,
// minCandidateNodesPercentage, minCandidateNodesAbsolute, maxCandidateNodesAbsolute.
class Preempt final : public Action {
 public:
  static constexpr std::string_view kName = action_names::kPreempt;

  explicit Preempt(RoomRequest::Choice choice) : choice_(choice) {}
  std::string_view name() const override { return kName; }
  void Run(Session& session) override {
    JobQueues work(session, Attempts::kEvict);
    std::map<model::JobId, TaskList> tasks;
    std::map<model::QueueId, std::vector<const Job*>> starving;
    const auto begin = [&](const Job& job) -> TaskList& {
      const auto [it, added] = tasks.try_emplace(job.id);
      if (added) {
        it->second = TaskList(session, UngatedPendingTasks(session, job));
        starving[job.queue].push_back(&job);
      }
      return it->second;
    };
    for (const Job* job : session.JobsInTurn()) {
      if (job->IsPending() || !session.ValidateJob(*job).ok()) continue;
      if (!session.IsJobStarving(*job) || job->group->network_topology) continue;
      work.Add(*job);
      begin(*job);
    }
    bool time_is_left = true;
    while (const Queue* queue = time_is_left ? work.TakeQueue() : nullptr) {
      while (const Job* job = time_is_left ? work.TakeJob(*queue) : nullptr) {
        // Also one that waited with others like the last one.
        if (BetweenJobs(session, *job, begin(*job))) work.PutBack(*job);
        time_is_left = session.GoOn(*job);
      }
      if (!time_is_left) work.PutOffRest();
      // Within each job that had its turn; all of them, so that it is over for these.
      for (const Job* job : starving[queue->id]) {
        if (session.IsPutOff(*job) || work.StandsBack(*job)) continue;
        if (!session.KnownToFail(*job)) WithinJob(session, *job);
      }
    }
  }

 private:
  // Of those of `of_whom` that may leave for the task.
  bool PreemptFor(Session& session, Statement& statement, const Task& preemptor,
                  const TaskFilter& of_whom) const {
    if (!MayPreempt(session, preemptor)) return false;
    const auto may_leave = [&](const Task& task) {
      return model::IsPreemptable(task.status()) && task.preemptable &&
             (!preemptor.best_effort() || task.best_effort()) && of_whom(task);
    };
    return MakeRoom(session, statement, preemptor,
                    {.action = kName, .choice = choice_, .may_leave = may_leave});
  }
  // true: its last task was helped, and others of it may be.
  bool BetweenJobs(Session& session, const Job& job, TaskList& left) const {
    Statement statement(session);
    bool assigned = false;
    while (session.IsJobStarving(job) && !left.empty()) {
      assigned = PreemptFor(session, statement, *left.Take(), [&](const Task& task) {
        const Job* other = session.JobOf(task);
        return other && other->queue == job.queue && other != &job;
      });
    }
    if (!session.IsJobPipelined(job)) return false;
    statement.Commit();
    return assigned;
  }
  void WithinJob(Session& session, const Job& job) const {
    for (TaskList left(session, UngatedPendingTasks(session, job)); !left.empty();) {
      Statement statement(session);
      const bool assigned = PreemptFor(session, statement, *left.Take(),
                                       [&](const Task& task) { return task.job == job.id; });
      // A promise to a part of a gang would only block others.
      if (!assigned || !session.IsJobPipelined(job)) return;
      statement.Commit();
    }
  }

  RoomRequest::Choice choice_;
};

}  // namespace

Result<std::unique_ptr<Action>> MakePreempt(const Arguments& arguments) {
  bool topology_aware = false;
  const Result<void> ok = arguments.Read({{"enableTopologyAwarePreemption", &topology_aware},
                                          {"predicateErrorCacheEnable"},
                                          {"topologyAwarePreemptWorkerNum"},
                                          {"minCandidateNodesPercentage"},
                                          {"minCandidateNodesAbsolute"},
                                          {"maxCandidateNodesAbsolute"}});
  if (!ok) return std::unexpected(ok.error());
  return std::make_unique<Preempt>(topology_aware ? RoomRequest::Choice::kLeastHarm
                                                  : RoomRequest::Choice::kBestNode);
}

}  // namespace basalt::scheduler::actions
