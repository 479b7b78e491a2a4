#include "scheduler/framework/statement.h"

#include "base/check.h"
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

void Statement::Allocate(model::TaskId task, model::NodeId node) {
  Record(Kind::kAllocate, task, {.status = TaskStatus::kAllocated, .node = node});
}

void Statement::Pipeline(model::TaskId task, model::NodeId node, bool after_eviction) {
  Record(Kind::kPipeline, task,
         {.status = TaskStatus::kPipelined, .node = node, .after_eviction = after_eviction});
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

void Statement::GrantQueueClaim(model::TaskId task) {
  Record(Kind::kQueueClaim, task, {.status = TaskStatus::kPending, .queue_claim = true});
}

void Statement::LapseQueueClaim(model::TaskId task) {
  Record(Kind::kLapse, task, {.status = TaskStatus::kPending, .lapsed = true});
}

void Statement::RollbackTo(Checkpoint checkpoint) {
  while (operations_.size() > checkpoint) {
    const Operation operation = operations_.back();
    operations_.pop_back();
    session_.Move(operation.task, operation.before);
  }
}

void Statement::Spare(model::TaskId task) {
  for (std::size_t i = operations_.size(); i-- > 0;) {
    const Kind kind = operations_[i].kind;
    if (operations_[i].task != task || (kind != Kind::kEvict && kind != Kind::kVanish)) continue;
    session_.Move(task, operations_[i].before);
    operations_.erase(operations_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
  BASALT_CHECK(false);  // it was not evicted here
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
