#pragma once

#include "model/intent.h"
#include "scheduler/framework/fit_failure.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

// Where plugins put what users should see of a cycle, when the session closes. It is the Session;
// valid within SessionObserver::Close.
class StatusSink {
 public:
  virtual ~StatusSink() = default;
  // A condition of the job's group; its status is true.
  virtual void SetCondition(const Job& job, model::GroupCondition condition) = 0;
  // Why the job's task has no place; nullptr: nothing is known.
  virtual const FitFailure* FailureOf(const Task& task) const = 0;
  // Why the job as a whole was not looked at; nullptr: nothing is known.
  virtual const FitFailure* FailureOf(const Job& job) const = 0;
  // What a discarded decision had in mind for the task.
  virtual model::TaskStatus LastTried(const Task& task) const = 0;
};

}  // namespace basalt::scheduler
