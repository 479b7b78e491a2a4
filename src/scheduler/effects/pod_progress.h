#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kube/types/pod.h"
#include "model/intent.h"
#include "scheduler/effects/write_bodies.h"

namespace basalt::scheduler {

// What is done for a pod, one thing at a time.
enum class PodStep : std::uint8_t {
  kNothing,
  kSay,      // write its status: nomination, why it waits, which pods left for it
  kEvict,    // ask the pods to leave that leave for it
  kUngate,   // take our gate away
  kVolumes,  // have its claims bound
  kBind,
};

// How far the writes about one pod have come: what is wanted, what was sent, what is known of what
// the API server has. A plain value with pure steps; PodWriter does the writing.
//
// The order of the steps is what a scheduler that dies in between relies on: a nomination stands
// before a pod is asked to leave for it, or there would be room that is promised to no pod; a gate
// is gone and volumes are bound before the pod is bound.
struct PodProgress {
  // ---- wanted
  std::shared_ptr<const kube::Pod> pod;  // as it was when something was last decided for it
  model::TaskId task;
  WaitingStatus to_say;
  std::vector<model::Evict> victims;  // of the promise in to_say, or of the one that stands
  std::string victims_on;             // their node
  bool ungate = false;
  std::shared_ptr<const model::Bind> bind;
  // ---- sent
  PodStep sent = PodStep::kNothing;
  WaitingStatus said;        // with kSay
  std::string said_version;  // on top of which version of the pod
  // ---- known
  struct Written {
    std::string version;  // of the pod, before the write
    WaitingStatus status;
  };
  std::optional<Written> written;
  bool unsure = false;  // a write of its status failed, or its answer was lost
  bool gate_is_gone = false;
  bool volumes_are_bound = false;
  bool placed = false;  // nothing is to be said of it any more
};

// ---- what is wanted; evictions that are returned are not to be, after all

std::vector<model::Evict> WantPromise(PodProgress& pod, model::Promise promise);
void WantReason(PodProgress& pod, const model::PodWaits& waits);
void WantUngated(PodProgress& pod, const model::Ungate& ungate);
std::vector<model::Evict> WantBound(PodProgress& pod, std::shared_ptr<const model::Bind> bind);

// ---- steps

// What of to_say the API server is not known to say already.
WaitingStatus Unsaid(const PodProgress& pod);
// kNothing also while something is under way.
PodStep NextStep(const PodProgress& pod);
// What kSay is to write; it is under way from now on.
WaitingStatus BeginSaying(PodProgress& pod);
// How that ended. SayingFailed returns what was to be said.
void SaidWell(PodProgress& pod);
WaitingStatus SayingFailed(PodProgress& pod);
void UngateEnded(PodProgress& pod, bool well);
void VolumesBound(PodProgress& pod);
// The bind has ended, one way or the other.
void BindEnded(PodProgress& pod);
// Nothing is to be done, and nothing has to be remembered.
bool IsBlank(const PodProgress& pod);

}  // namespace basalt::scheduler
