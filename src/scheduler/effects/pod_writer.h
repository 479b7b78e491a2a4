#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <memory>
#include <string>

#include "base/loop.h"
#include "base/signer.h"
#include "model/intent.h"
#include "scheduler/effects/eviction_writer.h"
#include "scheduler/effects/pod_progress.h"
#include "scheduler/effects/volume_binder.h"
#include "scheduler/effects/writing.h"

namespace basalt::scheduler {

// Brings pods where they are wanted, step by step (pod_progress.h): of each pod one write is under
// way at a time, in the lane of its step, and what is decided meanwhile changes what comes next.
// Owned by Effects; loop thread only.
class PodWriter {
 public:
  // `signer` seals what binds say of queues; nullptr: they say nothing.
  PodWriter(Writing& writing, EvictionWriter& evictions, VolumeBinder::Options volumes,
            const Signer* signer);

  void Write(model::Promise promise);
  void Write(const model::PodWaits& waits);
  void Write(const model::Ungate& ungate);
  void Write(model::Bind bind);
  void Write(const model::PodEvent& event);
  // The pod is gone: nothing more is written about it, and nothing remembered.
  void Forget(const std::string& uid);

  std::size_t remembered() const { return pods_.size(); }

 private:
  using BindPtr = std::shared_ptr<const model::Bind>;
  using Done = WriteLanes::Done;

  PodProgress& At(const std::string& uid);
  PodProgress* Find(const std::string& uid);
  static Lane LaneOf(const PodProgress& pod, PodStep step);
  // What can be done now is done, or waits in its lane.
  void Advance(const std::string& uid);
  void Begin(const std::string& uid, Lane lane, Done done);
  void Say(const std::string& uid, PodProgress& pod, Done done);
  void SayFailed(const std::string& uid, PodProgress& pod, const Error& why);
  void Ungate(const std::string& uid, PodProgress& pod, Done done);
  void BindVolumes(const std::string& uid, PodProgress& pod, Done done);
  void Bind(const std::string& uid, PodProgress& pod, Done done);
  // After a bind that failed, or whose answer was lost: the pod itself says what is true.
  void ConfirmBind(const std::string& uid, const BindPtr& bind, Error error, Done done);
  // `gone`: the pod was deleted meanwhile, and there is nothing to say of it.
  void EndBind(const std::string& uid, const BindPtr& bind, Result<void> result, bool gone = false);

  Writing& writing_;
  EvictionWriter& evictions_;
  const Signer* signer_;
  // Those that wait, or are about to be placed. By uid.
  boost::unordered_flat_map<std::string, std::unique_ptr<PodProgress>> pods_;
  VolumeBinder volumes_;
  Scope scope_;
};

}  // namespace basalt::scheduler
