#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "model/intent.h"
#include "scheduler/effects/said_lately.h"
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
  // A scheduler that no longer leads writes nothing more; what is under way ends.
  void Stop() { stopped_ = true; }

  bool idle() const { return lanes_.idle(); }
  std::size_t waiting() const { return lanes_.waiting(); }

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

  void SetWaitingStatus(const PodPtr& pod, Lane lane, WaitingStatus change);
  // After a bind that failed, or whose answer was lost: the pod itself says what is true.
  void ConfirmBind(std::shared_ptr<model::Bind> bind, Error error, WriteLanes::Done done);
  void FinishBind(const model::Bind& bind, Result<void> result);
  void SayGroupEvents(const model::GroupStatus& status);
  void WriteGroupStatus(std::shared_ptr<model::GroupStatus> status, int attempts_left,
                        WriteLanes::Done done);
  void Report(Outcome::Kind kind, model::TaskId task, const kube::Pod& pod, Result<void> result);

  kube::Client& client_;
  kube::EventRecorder& events_;
  EffectsOptions options_;
  std::function<void(Outcome)> report_;
  bool stopped_ = false;
  // What pods' statuses are to say, until that write starts. By uid.
  struct PendingStatus {
    PodPtr pod;
    WaitingStatus status;
  };
  boost::unordered_flat_map<std::string, PendingStatus> pod_status_;
  SaidLately said_;  // of pods and groups that wait
  WriteLanes lanes_;
  Scope scope_;
};

}  // namespace basalt::scheduler
