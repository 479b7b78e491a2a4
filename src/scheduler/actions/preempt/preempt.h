#pragma once

#include "scheduler/framework/action.h"
#include "scheduler/framework/session.h"
#include "scheduler/placement/make_room.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler::actions {

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
  static constexpr std::string_view kName = "preempt";
  static Result<std::unique_ptr<Action>> Make(const Arguments& arguments);

  explicit Preempt(RoomRequest::Choice choice) : choice_(choice) {}
  std::string_view name() const override { return kName; }
  void Run(Session& session) override;

 private:
  // Of those of `of_whom` that may leave for the task.
  bool PreemptFor(Session& session, Statement& statement, const Task& preemptor,
                  const TaskFilter& of_whom) const;
  // true: its last task was helped, and others of it may be.
  bool BetweenJobs(Session& session, const Job& job, TaskList& left) const;
  void WithinJob(Session& session, const Job& job) const;

  RoomRequest::Choice choice_;
};

}  // namespace basalt::scheduler::actions
