#pragma once

#include <optional>

#include "scheduler/framework/session.h"

namespace basalt::scheduler::actions {

// When the queue-allocation gate of a pod goes, and for how long its queue waits for it.
struct GatePolicy {
  enum class Removal : unsigned char {
    kAdmitted,  // as soon as the queue has admitted the pod
    kBind,      // with its bind, or when no node fits
  };
  Removal removal = Removal::kAdmitted;
  // A queue claim without a node for so long blocks nobody any more; none: for ever.
  std::optional<Duration> hold_timeout;
};

// Admits a job's tasks that opted in to the queue-allocation gate: they get queue claims, which
// keep their room in the queue while they have no node. A gang is admitted as a whole, so that an
// autoscaler never makes nodes for a part of one.
class GateAdmission {
 public:
  GateAdmission(Session& session, const Job& job, const GatePolicy& policy)
      : session_(session), job_(job), policy_(policy) {}

  // Claims for as many tasks as the job needs to start, or one more when it has those. false: the
  // queue cannot take it; no task of the job is to be placed.
  bool Admit();
  // An autoscaler must see those that have no node; and where the job cannot start for it
  // (`start`), all that it needs.
  void NoNodeFits(bool start);
  // After a job that could not be placed: claims that have waited too long lapse.
  void LapseOldClaims();

 private:
  std::vector<const Task*> Unadmitted() const;
  void UngateAdmitted();

  Session& session_;
  const Job& job_;
  const GatePolicy& policy_;
};

}  // namespace basalt::scheduler::actions
