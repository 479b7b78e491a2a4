#pragma once

#include "base/loop.h"
#include "model/intent.h"
#include "scheduler/effects/writing.h"

namespace basalt::scheduler {

// Writes what queues' statuses say of their groups. Owned by Effects; loop thread only.
class QueueWriter {
 public:
  explicit QueueWriter(Writing& writing) : writing_(writing) {}

  void Write(const model::QueueStatus& status);
  void Write(const model::QueueEvent& event);

 private:
  Writing& writing_;
  Scope scope_;
};

}  // namespace basalt::scheduler
