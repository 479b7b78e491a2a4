#pragma once

#include <optional>

#include "scheduler/config/arguments.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler::actions {

// When the queue-allocation gate of a pod goes, and for how long its queue waits for it: the
// arguments gateRemoval and gateHoldTimeout of allocate.
struct GatePolicy {
  enum class Removal : unsigned char {
    kAdmitted,  // as soon as the queue has admitted the pod
    kBind,      // with its bind, or when no node fits
  };
  Removal removal = Removal::kAdmitted;
  // A queue claim without a node for so long blocks nobody any more; none: for ever.
  std::optional<Duration> hold_timeout;

  // The queue has admitted as many of the job's tasks as it needs.
  void Admitted(Session& session, const Job& job) const;
  // An autoscaler must see those that have no node; and where the job cannot start for it
  // (`start`), all that it needs.
  void NoNodeFits(Session& session, const Job& job, bool start) const;
  // Claims that have waited too long lapse.
  void LapseOldClaims(Session& session, const Job& job) const;
};

Result<GatePolicy> ReadGatePolicy(const Arguments& arguments);

}  // namespace basalt::scheduler::actions
