#pragma once

#include <vector>

#include "scheduler/framework/session.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler {

// What a cycle does with one job: its tasks get nodes, in their order, until the job is ready or
// none is left. Each decision stands in the caller's statement, and what stands in the way is
// recorded in the session: `allocate` commits and parks, `explain` discards and reads. Lives as
// long as the caller works on the job; tasks that have had their turn do not get another. On the
// cluster's thread.
class JobPlacement {
 public:
  JobPlacement(Session& session, const Job& job);

  bool HasTasks() const { return !tasks_.empty(); }

  enum class Result : unsigned char {
    kReady,     // commit; what is left may be placed by another call
    kPromised,  // commit: the job is promised all that it needs
    kNothing,   // discard: the job cannot start on it
  };
  Result Place(Statement& statement);

 private:
  enum class Step : unsigned char { kNext, kStop };
  Step PlaceTask(Statement& statement, const Task& task);
  // A nomination from before a restart first: most likely the only node that fits.
  std::optional<NodeFinder::Found> FindNode(const Task& task);
  void RefusedByQueue(const Task& task, const Verdict& refusal);
  void Fail(const Task& task, FitFailure failure);
  // After a task that fits nowhere: whether the others can still make the job ready.
  bool WorthGoingOn() const;
  // Tasks that fit now get the promise of their node while other tasks that the job needs do not
  // fit.
  void PromiseInstead(Statement& statement);

  Session& session_;
  const Job& job_;
  TaskList tasks_;
  std::vector<bool> failed_roles_;
};

}  // namespace basalt::scheduler
