#include "scheduler/effects/effects.h"

#include <utility>

namespace basalt::scheduler {
namespace {

template <class... Fns>
struct Overloaded : Fns... {
  using Fns::operator()...;
};

}  // namespace

Effects::Effects(kube::Client& client, kube::EventRecorder& events, EffectsOptions options,
                 std::function<void(model::Outcome)> report)
    : writing_(client, events, options.budget, std::move(report)),
      evictions_(writing_, options.eviction == EffectsOptions::Eviction::kDelete),
      pods_(writing_, evictions_, options.volumes, options.signer),
      groups_(writing_),
      queues_(writing_),
      reservations_(writing_) {
  // Events wait for a quiet moment: one per pod would halve the rate of binds.
  writing_.lanes.OnIdleChange([this](bool idle) { writing_.events.SetBusy(!idle); });
}

void Effects::Submit(std::vector<model::Intent> intents) {
  if (writing_.stopped) return;
  const Overloaded writer_of{
      [this](model::Evict& evict) { evictions_.Write(std::move(evict)); },
      [this](model::GroupStatus& status) { groups_.Write(std::move(status)); },
      [this](model::QueueStatus& status) { queues_.Write(status); },
      [this](model::QueueEvent& event) { queues_.Write(event); },
      [this](model::ReservationStatus& status) { reservations_.Write(std::move(status)); },
      [this](auto& about_pod) { pods_.Write(std::move(about_pod)); }};
  for (model::Intent& intent : intents) std::visit(writer_of, intent);
}

}  // namespace basalt::scheduler
