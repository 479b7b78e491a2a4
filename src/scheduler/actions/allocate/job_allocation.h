#pragma once

#include <vector>

#include "scheduler/actions/allocate/gate_admission.h"
#include "scheduler/actions/common/work_queues.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler::actions {

// The work on one job in one run of allocate.
class JobAllocation {
 public:
  // `gates` must outlive it.
  JobAllocation(Session& session, const Job& job, const GatePolicy& gates);

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
  void PutOn(Statement& statement, const Task& task, const NodeFinder::Found& found);
  void Fail(const Task& task, FitFailure failure);
  // After a task that fits nowhere: whether the others can still make the job ready.
  bool WorthGoingOn() const;
  // Tasks that fit now get the promise of their node, as long as those that they need do not.
  void WaitForTheOthers(Statement& statement);

  TaskList Promised() const;
  // Promises that were read back from pods, or that nobody may take while a bind is tried again,
  // are promises like others from now on. The queue's share may have become smaller since: it was
  // admitted then, and others may have left for it.
  void TakeOverRestored();
  // Places what fits now, on its own node or another, if the job is ready then.
  bool StartOnPromises();
  // A promise stays while its node will have the room; else another node is promised, or none. All
  // are taken back when the job cannot start on what is left.
  void KeepWhatHolds();

  Session& session_;
  const Job& job_;
  GateAdmission admission_;
  TaskList tasks_;
  std::vector<bool> failed_roles_;
};

}  // namespace basalt::scheduler::actions
