#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <string>

#include "base/loop.h"
#include "model/intent.h"
#include "scheduler/effects/writing.h"

namespace basalt::scheduler {

// Writes the statuses of Reservations. That pods have taken places is said a moment later: those
// that come together are told together, and a pod that was bound starts first. Owned by Effects;
// loop thread only.
class ReservationWriter {
 public:
  explicit ReservationWriter(Writing& writing) : writing_(writing) {}

  void Write(model::ReservationStatus status);
  // Nothing waits for its moment.
  bool idle() const { return taken_.empty(); }

 private:
  using StatusPtr = std::shared_ptr<const model::ReservationStatus>;

  void Send(StatusPtr status);
  void SendTaken(const std::string& uid);
  void Report(const kube::ObjectMeta& about, Result<void> result);

  Writing& writing_;
  boost::unordered_flat_map<std::string, StatusPtr> taken_;  // by uid: the last word
  Scope scope_;
};

}  // namespace basalt::scheduler
