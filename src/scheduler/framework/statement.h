#pragma once

#include <string_view>
#include <vector>

#include "model/intent.h"
#include "model/task.h"

namespace basalt::scheduler {

class Session;

// Tentative decisions: each takes effect on the state at once and is remembered with what it
// replaced. Discard moves back in reverse, bit for bit; Commit keeps the state and hands the
// intents to the session. Nothing else in a session changes a holding, takes a gate away, or lets a
// job into its queue. A statement that goes out of scope uncommitted is discarded. REQUIRES: the
// session is open. On the cluster's thread; lives within one session.
class Statement {
 public:
  explicit Statement(Session& session) : session_(session) {}
  ~Statement() { Discard(); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // A node claim; the bind follows on commit.
  void Allocate(model::TaskId task, model::NodeId node);
  // A promise. `after_eviction`: pods are evicted for it.
  void Pipeline(model::TaskId task, model::NodeId node, bool after_eviction);
  // The task leaves. `reason` is a literal, the action's name.
  void Evict(model::TaskId task, std::string_view reason, model::TaskId beneficiary = {});
  // Back to pending. What it had committed before (a promise) is taken back on commit.
  void Unallocate(model::TaskId task);
  // As if the task were gone, to see what fits then. Only for what is rolled back.
  void Vanish(model::TaskId task);
  // A reservation's task gives up what it holds for `taker`, which is to be allocated there: a swap
  // of claims.
  void Release(model::TaskId reserved, model::TaskId taker);
  // A queue claim: admitted, without a node yet.
  void GrantQueueClaim(model::TaskId task);
  // The claim has been without a node for too long; it blocks no other pod any more.
  void LapseQueueClaim(model::TaskId task);
  // When a claim began that is older than this scheduler.
  void DateQueueClaim(model::TaskId task, Time since);
  // The queue-allocation gate goes, where there is one that has not been removed yet.
  void Ungate(model::TaskId task);
  // A leaving task's room is not counted on any more.
  void MarkOverdue(model::TaskId task);
  // The job enters its queue: pending → inqueue.
  void Enter(model::JobId job);

  using Checkpoint = std::size_t;
  Checkpoint Mark() const { return operations_.size(); }
  void RollbackTo(Checkpoint checkpoint);
  // Takes over the other's decisions, which are in effect already.
  void Merge(Statement& other);
  // Takes back the last decision on the task, keeping the rest: it holds what it held before.
  void Restore(model::TaskId task);
  bool empty() const { return operations_.empty(); }

  void Discard() { RollbackTo(0); }
  void Commit();

  enum class Kind : unsigned char {
    kAllocate,
    kPipeline,
    kEvict,
    kUnallocate,
    kVanish,
    kRelease,  // a reservation's task, for the beneficiary
    kQueueClaim,
    kLapse,
    kDate,
    kUngate,
    kOverdue,
    kEnter
  };
  struct Operation {
    Kind kind;
    model::TaskId task;
    model::Holding before;
    std::string_view reason = {};
    model::TaskId beneficiary = {};
    model::JobId job = {};  // kEnter: which, and its phase before
    model::JobPhase phase = {};
    Time claimed_since = {};  // kDate: what it was before
  };
  const std::vector<Operation>& operations() const { return operations_; }

 private:
  void Record(Kind kind, model::TaskId task, const model::Holding& to, std::string_view reason = {},
              model::TaskId beneficiary = {});
  void Undo(const Operation& operation);

  Session& session_;
  std::vector<Operation> operations_;
};

}  // namespace basalt::scheduler
