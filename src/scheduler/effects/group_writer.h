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
  // Somebody else wrote the group: puts ours on top of what it says now.
  void SendOnFresh(StatusPtr status, int attempts_left, WriteLanes::Done done);
  // Whether it has to be written again, at the other place: Basalt's kind has its status apart, as
  // a subresource, Volcano's own, which a cluster may have kept, in the object itself. `apart`:
  // where it was written.
  bool IsElsewhere(const model::GroupStatus& status, bool apart,
                   const Result<kube::ApiResponse>& answer);

  Writing& writing_;
  bool status_apart_ = true;  // as far as is known
  Scope scope_;
};

}  // namespace basalt::scheduler
