#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/signer.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "model/intent.h"
#include "model/outcome.h"
#include "scheduler/effects/eviction_writer.h"
#include "scheduler/effects/group_writer.h"
#include "scheduler/effects/pod_writer.h"
#include "scheduler/effects/queue_writer.h"
#include "scheduler/effects/reservation_writer.h"
#include "scheduler/effects/writing.h"

namespace basalt::scheduler {

struct EffectsOptions {
  WriteLanes::Options budget;
  enum class Eviction : std::uint8_t { kEvict, kDelete };
  Eviction eviction = Eviction::kEvict;  // kDelete passes by disruption budgets
  VolumeBinder::Options volumes;
  // Seals what binds say of queues; outlives it. nullptr: they say nothing.
  const Signer* signer = nullptr;
};

// Carries out intents: gives each to the writer of its kind of object. All writers have one budget
// and share its lanes, in which binds come first (write_lanes.h). Nothing is decided here; what
// fails is reported and the scheduler decides again. Writes that would change nothing are not sent.
// Owned by the scheduler role, on the loop of its client.
class Effects {
 public:
  // `client` should have no rate limit of its own. `report` is called on the loop.
  Effects(kube::Client& client, kube::EventRecorder& events, EffectsOptions options,
          std::function<void(model::Outcome)> report);

  void Submit(std::vector<model::Intent> intents);
  // The pod is gone: nothing more is written about it, and nothing remembered.
  void Forget(const std::string& uid) { pods_.Forget(uid); }
  // A scheduler that no longer leads writes nothing more; what is under way ends.
  void Stop() { writing_.stopped = true; }

  bool idle() const { return writing_.lanes.idle() && reservations_.idle(); }
  std::size_t waiting() const { return writing_.lanes.waiting(); }
  // Pods of which something is remembered: those that wait.
  std::size_t remembered() const { return pods_.remembered(); }

 private:
  Writing writing_;
  EvictionWriter evictions_;
  PodWriter pods_;
  GroupWriter groups_;
  QueueWriter queues_;
  ReservationWriter reservations_;
};

}  // namespace basalt::scheduler
