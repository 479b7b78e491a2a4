#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "base/signer.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "model/intent.h"
#include "scheduler/effects/said_lately.h"
#include "scheduler/effects/volume_binder.h"
#include "scheduler/effects/write_bodies.h"
#include "scheduler/effects/write_lanes.h"

namespace basalt::scheduler {

// How a write ended; the state is corrected by it. Successes of binds are told too, since the watch
// may be late.
struct Outcome {
  enum class Kind : std::uint8_t { kBind, kEvict, kUngate };
  Kind kind = Kind::kBind;
  model::TaskId task;
  std::string uid;  // of the pod: the task's slot may have another by now
  Result<void> result;
};

struct EffectsOptions {
  WriteLanes::Options budget;
  enum class Eviction : std::uint8_t { kEvict, kDelete };
  Eviction eviction = Eviction::kEvict;  // kDelete passes by disruption budgets
  VolumeBinder::Options volumes;
  // Seals what binds say of queues; outlives it. nullptr: they say nothing.
  const Signer* signer = nullptr;
};

// Carries out intents: binds, evictions, gates, nominations, conditions, statuses, with one budget
// and in that order of importance. It decides nothing; what fails is reported and the scheduler
// decides again. Writes that would change nothing are not sent. Owned by the scheduler role, on the
// loop of its client.
class Effects {
 public:
  // `client` should have no rate limit of its own. `report` is called on the loop.
  Effects(kube::Client& client, kube::EventRecorder& events, EffectsOptions options,
          std::function<void(Outcome)> report);

  void Submit(std::vector<model::Intent> intents);
  // The pod is gone: nothing needs to be remembered of what was written of it.
  void Forget(const std::string& uid);
  // A scheduler that no longer leads writes nothing more; what is under way ends.
  void Stop() { stopped_ = true; }

  bool idle() const { return lanes_.idle(); }
  std::size_t waiting() const { return lanes_.waiting(); }
  // Pods whose last write is remembered: those that wait.
  std::size_t remembered() const { return written_.size(); }

 private:
  using PodPtr = std::shared_ptr<const kube::Pod>;

  void Carry(model::Bind bind);
  void Carry(model::Evict evict);
  void Carry(model::Ungate ungate);
  void Carry(model::Nominate nominate);
  void Carry(model::PodWaits waits);
  void Carry(model::PodEvent event);
  void Carry(model::GroupStatus status);
  void Carry(model::QueueStatus status);
  void Carry(model::QueueEvent event);

  // What a pod's status is to say, together with what it is to say already; then its write.
  void Note(const PodPtr& pod, WaitingStatus change);
  void WriteWaitingStatus(const std::string& uid, Lane lane);
  struct PendingStatus {
    PodPtr pod;
    WaitingStatus status;
  };
  void WaitingStatusWritten(const PendingStatus& what, const Result<kube::ApiResponse>& response);
  // The pod as the API server has it by all that is known: a write of ours may not have come back
  // yet.
  PodPtr AsWritten(const PodPtr& pod, const WaitingStatus& wanted);
  void StartEviction(model::Evict evict);
  // Evictions that wait for the nomination of the pod that they are for: carried out, or not.
  void ReleaseEvictions(const std::string& beneficiary_uid);
  void CancelEvictions(const std::string& beneficiary_uid, const Error& why);
  // The claims first, then the pod.
  void BindVolumes(const std::shared_ptr<model::Bind>& bind);
  void BindPod(const std::shared_ptr<model::Bind>& bind);
  void PostBinding(std::shared_ptr<model::Bind> bind, WriteLanes::Done done);
  // After a bind that failed, or whose answer was lost: the pod itself says what is true.
  void ConfirmBind(std::shared_ptr<model::Bind> bind, Error error, WriteLanes::Done done);
  void FinishBind(const model::Bind& bind, Result<void> result);
  void FinishUngate(model::TaskId task, const kube::Pod& pod, Result<void> result);
  void SayGroupEvents(const model::GroupStatus& status);
  void WriteGroupStatus(std::shared_ptr<model::GroupStatus> status, int attempts_left,
                        WriteLanes::Done done);
  // Whether a group's status has to be written again, at the other place: Basalt's kind has it
  // apart, as a subresource, Volcano's own, which a cluster may have kept, in the object itself.
  // `apart`: where it was written.
  bool GroupStatusIsElsewhere(const model::GroupStatus& status, bool apart,
                              const Result<kube::ApiResponse>& answer);
  void Report(Outcome::Kind kind, model::TaskId task, const kube::Pod& pod, Result<void> result);

  kube::Client& client_;
  kube::EventRecorder& events_;
  EffectsOptions options_;
  std::function<void(Outcome)> report_;
  bool stopped_ = false;
  bool group_status_apart_ = true;  // as far as is known
  // What pods' statuses are to say, until that write starts. By uid.
  boost::unordered_flat_map<std::string, PendingStatus> pod_status_;
  // What was written last, and to which version of the pod. By uid.
  struct Written {
    std::string resource_version;
    WaitingStatus status;
  };
  boost::unordered_flat_map<std::string, Written> written_;
  // Nominations that are not written yet, and evictions that wait for them: a scheduler that dies
  // in between must not have made room that nobody is promised. By the nominated pod's uid.
  struct Nomination {
    std::string node;
    std::vector<model::Evict> evictions;
  };
  boost::unordered_flat_map<std::string, Nomination> nominating_;
  SaidLately said_;  // of pods and groups that wait
  // Pods whose gate has just gone, before their bind that waits. By uid.
  boost::unordered_flat_set<std::string> ungated_;
  WriteLanes lanes_;
  VolumeBinder volumes_;
  Scope scope_;
};

}  // namespace basalt::scheduler
