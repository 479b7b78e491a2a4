#pragma once

#include <vector>

#include "scheduler/actions/common/work_queues.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler::actions {

// The work on one job in one run of allocate.
class JobAllocation {
 public:
  JobAllocation(Session& session, const Job& job);

  bool HasTasks() const { return !tasks_.empty(); }
  bool HasPromises() const { return !job_.pipelined.empty(); }

  // Places tasks until the job is ready or none is left. true: something was committed because the
  // job is ready, and it may be called again for what is left.
  bool PlaceTasks();
  // Looks at the promises of earlier cycles: a job that is complete is bound, one that is not keeps
  // them as long as they hold.
  void KeepPromises();

 private:
  enum class Step { kNext, kStop };
  Step Place(Statement& statement, const Task& task);
  void PromiseOnly(Statement& statement);
  // Puts each promised task where it fits by now. `bind`: at once where there is room; otherwise
  // promises that hold stay as they are, and void ones move.
  void LookAgain(Statement& statement, bool bind);
  void PutOn(Statement& statement, const Task& task, const NodeFinder::Found& found);
  void Fail(const Task& task, FitFailure failure);
  // After a task that fits nowhere: whether the others can still make the job ready.
  bool WorthGoingOn() const;

  Session& session_;
  const Job& job_;
  TaskList tasks_;
  std::vector<bool> failed_roles_;
};

}  // namespace basalt::scheduler::actions
