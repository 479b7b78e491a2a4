#pragma once

#include <memory>

#include "base/loop.h"
#include "model/intent.h"
#include "scheduler/effects/writing.h"

namespace basalt::scheduler {

// Writes the statuses of PodGroups, on top of what others write there. Owned by Effects; loop
// thread only.
class GroupWriter {
 public:
  explicit GroupWriter(Writing& writing) : writing_(writing) {}

  void Write(model::GroupStatus status);

 private:
  using StatusPtr = std::shared_ptr<model::GroupStatus>;

  void SayEvents(const model::GroupStatus& status);
  // `apart`: into the subresource, or into the object itself.
  void Send(StatusPtr status, int attempts_left, bool apart, WriteLanes::Done done);
  // Puts ours on top of what the group says now, where it still is.
  void SendOnFresh(StatusPtr status, int attempts_left, bool apart, WriteLanes::Done done);
  // Whether a status in the object itself has to be written again, apart: Basalt's kind has it as a
  // subresource, Volcano's own, which a cluster may have kept, in the object itself.
  bool IsPassedOver(const model::GroupStatus& status, const kube::ApiResponse& answer);

  Writing& writing_;
  bool status_apart_ = true;  // as far as is known
  Scope scope_;
};

}  // namespace basalt::scheduler
