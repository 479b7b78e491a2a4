#pragma once

#include <memory>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "model/intent.h"
#include "scheduler/effects/writing.h"

namespace basalt::scheduler {

// Asks pods to leave. PodWriter, which knows what they leave for, says when. Owned
// by Effects; loop thread only.
class EvictionWriter {
 public:
  // `deletes`: pods are deleted, past their disruption budgets.
  EvictionWriter(Writing& writing, bool deletes) : writing_(writing), deletes_(deletes) {}

  void Write(model::Evict evict);
  // They stay after all: reported as failures.
  void CallOff(std::vector<model::Evict> evictions, Error why);

 private:
  using EvictPtr = std::shared_ptr<const model::Evict>;

  void Send(const EvictPtr& evict, WriteLanes::Done done);
  // After an answer that was lost: whether the pod leaves it says itself.
  void Confirm(const EvictPtr& evict, Error error, WriteLanes::Done done);
  void Ended(const model::Evict& evict, Result<void> result);

  Writing& writing_;
  const bool deletes_;
  Scope scope_;
};

}  // namespace basalt::scheduler
