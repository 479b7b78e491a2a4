#pragma once

#include "base/loop.h"
#include "model/intent.h"
#include "scheduler/effects/writing.h"

namespace basalt::scheduler {

// Writes the statuses of Reservations. Owned by Effects; loop thread only.
class ReservationWriter {
 public:
  explicit ReservationWriter(Writing& writing) : writing_(writing) {}

  void Write(model::ReservationStatus status);

 private:
  void Report(const kube::ObjectMeta& about, Result<void> result);

  Writing& writing_;
  Scope scope_;
};

}  // namespace basalt::scheduler
