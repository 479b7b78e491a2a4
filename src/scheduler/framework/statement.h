#pragma once

#include <string_view>
#include <vector>

#include "model/intent.h"
#include "model/task.h"

namespace basalt::scheduler {

class Session;

// Tentative decisions: each takes effect on the state at once and is remembered with what it
// replaced. Discard moves back in reverse, bit for bit; Commit keeps the state and hands the
// intents to the session. Nothing else in an action changes who holds what. One that goes out of
// scope uncommitted is discarded.
class Statement {
 public:
  explicit Statement(Session& session) : session_(session) {}
  ~Statement() { Discard(); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // A node claim; the bind follows on commit.
  void Allocate(model::TaskId task, model::NodeId node);
  // A future claim. `after_eviction`: somebody goes for it.
  void Pipeline(model::TaskId task, model::NodeId node, bool after_eviction);
  // The task leaves. `reason` is a literal, the action's name.
  void Evict(model::TaskId task, std::string_view reason, model::TaskId beneficiary = {});
  // Back to pending. What it had committed before (a promise) is taken back on commit.
  void Unallocate(model::TaskId task);
  // As if the task were gone, to see what fits then. Only for what is rolled back.
  void Vanish(model::TaskId task);
  // A queue claim: admitted, without a node yet.
  void GrantQueueClaim(model::TaskId task);
  // The claim has been without a node for too long; it blocks nobody any more.
  void LapseQueueClaim(model::TaskId task);

  using Checkpoint = std::size_t;
  Checkpoint Mark() const { return operations_.size(); }
  void RollbackTo(Checkpoint checkpoint);
  // Takes over the other's decisions, which are in effect already.
  void Merge(Statement& other);
  // Takes back one eviction, or that it vanished, keeping the rest: the task stays where it was.
  void Spare(model::TaskId task);
  bool empty() const { return operations_.empty(); }

  void Discard() { RollbackTo(0); }
  void Commit();

  enum class Kind : unsigned char {
    kAllocate,
    kPipeline,
    kEvict,
    kUnallocate,
    kVanish,
    kQueueClaim,
    kLapse
  };
  struct Operation {
    Kind kind;
    model::TaskId task;
    model::Holding before;
    std::string_view reason;
    model::TaskId beneficiary;
  };
  const std::vector<Operation>& operations() const { return operations_; }

 private:
  void Record(Kind kind, model::TaskId task, const model::Holding& to, std::string_view reason = {},
              model::TaskId beneficiary = {});

  Session& session_;
  std::vector<Operation> operations_;
};

}  // namespace basalt::scheduler
