#include "testing/scheduling/electing_cluster.h"

#include <fmt/format.h>

#include "base/check.h"
#include "testing/seeds.h"

namespace basalt::testutil {

ElectingCluster::Process::Process(ElectingCluster& owner, std::size_t place,
                                  scheduler::SchedulerServiceOptions options)
    : direct(owner.cluster_.network()),
      api(direct, owner.harm_,
          owner.scope_.Guard([&owner, place, life = owner.places_[place].life] {
            if (owner.places_[place].life == life) owner.Die(place);
          })),
      client(api),
      service(owner.loop(), client, std::move(options)) {
  if (!owner.options_.config.empty()) {
    BASALT_CHECK(service.Configure(owner.options_.config).has_value());
  }
  service.Start();
}

ElectingCluster::ElectingCluster(Options options)
    : options_(std::move(options)),
      random_(options_.seed * 7919),
      cluster_({.seed = options_.seed, .faults = {}, .server = {}}),
      clean_network_(cluster_.loop(), cluster_.server()),
      clean_api_(clean_network_),
      clean_client_(clean_api_),
      nodes_(clean_client_, {}),
      queues_(clean_client_, {}),
      groups_(clean_client_, {}),
      pods_(clean_client_,
            [this](const kube::InformerEvent<kube::Pod>&) {
              if (on_change_) on_change_();
            }),
      places_(static_cast<std::size_t>(options_.schedulers)) {
  nodes_.Start();
  queues_.Start();
  groups_.Start();
  pods_.Start();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    places_[i].timer = std::make_unique<Timer>(loop());
    Start(i);
  }
}

ElectingCluster::~ElectingCluster() = default;

void ElectingCluster::Start(std::size_t index) {
  Place& place = places_[index];
  ++place.life;
  scheduler::SchedulerServiceOptions service;
  service.scheduler.after_action = &scheduler::CheckLedgersAfter;
  service.on_leading = [this] { ++terms_; };
  if (options_.schedulers > 1) {
    service.election = {.ns = "kube-system",
                        .name = "volcano",
                        .identity = fmt::format("{}-{}", index, place.life),
                        .lease_duration = 8s,
                        .renew_deadline = 5s,
                        .retry_period = 1s,
                        .seed = random_.Next()};
  }
  place.process = std::make_unique<Process>(*this, index, std::move(service));
}

void ElectingCluster::Die(std::size_t index) {
  Place& place = places_[index];
  if (!place.process) return;
  ++deaths_;
  place.process.reset();
  // What the dead one has sent arrives before the next one looks. Where that cannot be waited for,
  // there is an election: a lease outlives the writes of its holder.
  const Duration in_flight = options_.schedulers > 1 ? Duration{0} : plan_.most_latency;
  place.timer->Start(in_flight + std::chrono::milliseconds(random_.Below(2000)),
                     [this, index] { Start(index); });
}

std::optional<std::size_t> ElectingCluster::LeaderPlace() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].process && places_[i].process->service.leads()) return i;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].process) return i;
  }
  return std::nullopt;
}

scheduler::SchedulerService* ElectingCluster::Leader() {
  const auto place = LeaderPlace();
  if (!place) return nullptr;
  scheduler::SchedulerService& service = places_[*place].process->service;
  return service.leads() ? &service : nullptr;
}

void ElectingCluster::Do(Harm harm) {
  if (const auto place = LeaderPlace()) places_[*place].process->api.Do(harm);
}

void ElectingCluster::Kill() {
  if (const auto place = LeaderPlace()) Die(*place);
}

void ElectingCluster::LoseLease(Duration how_long) {
  Harmed(how_long, [](FaultyClient& api, bool harmed) { api.LoseLease(harmed); });
}

void ElectingCluster::CutOff(Duration how_long) {
  Harmed(how_long, [](FaultyClient& api, bool harmed) { api.CutOff(harmed); });
}

void ElectingCluster::Harmed(Duration how_long, void (*set)(FaultyClient&, bool)) {
  const auto place = LeaderPlace();
  if (!place) return;
  set(places_[*place].process->api, true);
  loop().Schedule(how_long, scope_.Guard([this, set, i = *place, life = places_[*place].life] {
    if (places_[i].life == life && places_[i].process) set(places_[i].process->api, false);
  }));
}

void ElectingCluster::SetLatency(Duration least, Duration most) {
  plan_.least_latency = least;
  plan_.most_latency = most;
  cluster_.network().set_plan(plan_);
}

int ElectingCluster::Disturb(Random& random) {
  const auto some = [&random](int most) { return static_cast<int>(random.Below(most)); };
  const int choice = some(9);
  if (OneSeedOnly()) fmt::print("--- {} ms: disturbance {}\n", loop().Monotonic() / 1ms, choice);
  switch (choice) {
    case 0: Kill(); break;
    case 1: LoseLease(std::chrono::seconds(1 + some(30))); break;
    case 2: CutOff(std::chrono::seconds(1 + some(30))); break;
    case kSlow: SetLatency(Duration{0}, std::chrono::milliseconds(1 + some(1400))); break;
    default:
      Do({.kind = static_cast<Harm::Kind>(choice - 4), .skip = some(3), .count = 1 + some(4)});
  }
  return choice;
}

void ElectingCluster::Calm() {
  SetLatency(Duration{0}, Duration{0});
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    if (!place.process) continue;  // it comes back by itself
    place.process->api.StopHarm();
    place.process->api.LoseLease(false);
    place.process->api.CutOff(false);
  }
}

}  // namespace basalt::testutil
