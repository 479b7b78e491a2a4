#include "scheduler/framework/statement.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "scheduler/framework/aggregators.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler {

using model::Holding;
using model::TaskStatus;

void Statement::Record(Kind kind, model::TaskId task, const Holding& to, std::string_view reason,
                       model::TaskId beneficiary) {
  operations_.push_back({.kind = kind,
                         .task = task,
                         .before = session_.cluster().task(task).holding,
                         .reason = reason,
                         .beneficiary = beneficiary});
  session_.Move(task, to);
}

// What a task holds on a node remembers whether its queue had admitted it: should it lose the node,
// it is admitted still.
void Statement::Allocate(model::TaskId id, model::NodeId node) {
  const bool claimed = session_.cluster().task(id).holding.queue_claim;
  Record(Kind::kAllocate, id,
         {.status = TaskStatus::kAllocated, .node = node, .queue_claim = claimed});
}

void Statement::Pipeline(model::TaskId id, model::NodeId node, bool after_eviction) {
  const bool claimed = session_.cluster().task(id).holding.queue_claim;
  Record(Kind::kPipeline, id,
         {.status = TaskStatus::kPipelined,
          .node = node,
          .queue_claim = claimed,
          .after_eviction = after_eviction});
}

void Statement::Evict(model::TaskId task, std::string_view reason, model::TaskId beneficiary) {
  Record(Kind::kEvict, task,
         {.status = TaskStatus::kReleasing, .node = session_.cluster().task(task).node()}, reason,
         beneficiary);
}

void Statement::Unallocate(model::TaskId task) {
  Record(Kind::kUnallocate, task, session_.cluster().task(task).PendingAgain());
}

void Statement::Vanish(model::TaskId task) {
  Record(Kind::kVanish, task, {.status = TaskStatus::kUnknown});
}

void Statement::Release(model::TaskId reserved, model::TaskId taker) {
  Record(Kind::kRelease, reserved, {.status = TaskStatus::kSucceeded}, {}, taker);
}

void Statement::GrantQueueClaim(model::TaskId task) {
  Record(Kind::kQueueClaim, task, {.status = TaskStatus::kPending, .queue_claim = true});
}

void Statement::LapseQueueClaim(model::TaskId task) {
  Record(Kind::kLapse, task, {.status = TaskStatus::kPending, .lapsed = true});
}

void Statement::DateQueueClaim(model::TaskId id, Time since) {
  const Task& task = session_.cluster().task(id);
  operations_.push_back({.kind = Kind::kDate,
                         .task = id,
                         .before = task.holding,
                         .claimed_since = task.claimed_since});
  session_.state_.SetClaimedSince(id, since);
}

void Statement::Ungate(model::TaskId id) {
  const Task& task = session_.cluster().task(id);
  if (!task.waits_at_gate() || task.ungating) return;
  operations_.push_back({.kind = Kind::kUngate, .task = id, .before = task.holding});
  session_.state_.SetUngating(id, true);
}

void Statement::MarkOverdue(model::TaskId task) {
  Holding overdue = session_.cluster().task(task).holding;
  overdue.overdue = true;
  Record(Kind::kOverdue, task, overdue);
}

void Statement::Enter(model::JobId id) {
  const Job& job = session_.cluster().job(id);
  TellAll(session_.plugins_.hooks<EnqueueObserver>(),
          [&](EnqueueObserver& plugin) { plugin.JobEnqueued(job); });
  operations_.push_back({.kind = Kind::kEnter, .job = id, .phase = job.phase});
  session_.state_.SetPhase(id, model::JobPhase::kInqueue);
}

void Statement::Undo(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kDate:
      session_.state_.SetClaimedSince(operation.task, operation.claimed_since);
      return;
    case Kind::kUngate: session_.state_.SetUngating(operation.task, false); return;
    case Kind::kEnter:
      session_.state_.SetPhase(operation.job, operation.phase);
      TellAll(session_.plugins_.hooks<EnqueueObserver>(), [&](EnqueueObserver& plugin) {
        plugin.JobTakenBack(session_.cluster().job(operation.job));
      });
      return;
    default: session_.Move(operation.task, operation.before); return;
  }
}

void Statement::RollbackTo(Checkpoint checkpoint) {
  while (operations_.size() > checkpoint) {
    const Operation operation = operations_.back();
    operations_.pop_back();
    Undo(operation);
  }
}

void Statement::Restore(model::TaskId task) {
  const auto last =
      std::ranges::find(operations_.rbegin(), operations_.rend(), task, &Operation::task);
  BASALT_CHECK(last != operations_.rend());  // something was decided on it here
  Undo(*last);
  operations_.erase(std::next(last).base());
}

void Statement::Merge(Statement& other) {
  operations_.insert(operations_.end(), other.operations_.begin(), other.operations_.end());
  other.operations_.clear();
}

void Statement::Commit() {
  session_.Commit(operations_);
  operations_.clear();
}

}  // namespace basalt::scheduler
