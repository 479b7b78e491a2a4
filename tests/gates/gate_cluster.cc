#include "tests/gates/gate_cluster.h"

#include <fmt/format.h>

#include "base/check.h"
#include "testing/autoscalers/rules.h"

namespace basalt::testutil {

PodBuilder MakeGatedPod(std::string_view name, std::string_view queue) {
  PodBuilder pod = MakePod(name);
  pod.Gate(kQueueGate).Annotation(kQueueGate, "true");
  pod.Annotation("scheduling.volcano.sh/queue-name", queue);
  return pod;
}

GateCluster::Process::Process(GateCluster& owner, std::size_t place,
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

GateCluster::GateCluster(Options options)
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

GateCluster::~GateCluster() = default;

void GateCluster::Start(std::size_t index) {
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

void GateCluster::Die(std::size_t index) {
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

std::optional<std::size_t> GateCluster::LeaderPlace() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].process && places_[i].process->service.leads()) return i;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].process) return i;
  }
  return std::nullopt;
}

scheduler::SchedulerService* GateCluster::Leader() {
  const auto place = LeaderPlace();
  if (!place) return nullptr;
  scheduler::SchedulerService& service = places_[*place].process->service;
  return service.leads() ? &service : nullptr;
}

void GateCluster::Do(Harm harm) {
  if (const auto place = LeaderPlace()) places_[*place].process->api.Do(harm);
}

void GateCluster::Kill() {
  if (const auto place = LeaderPlace()) Die(*place);
}

void GateCluster::LoseLease(Duration how_long) {
  Harmed(how_long, [](FaultyClient& api, bool harmed) { api.LoseLease(harmed); });
}

void GateCluster::CutOff(Duration how_long) {
  Harmed(how_long, [](FaultyClient& api, bool harmed) { api.CutOff(harmed); });
}

void GateCluster::Harmed(Duration how_long, void (*set)(FaultyClient&, bool)) {
  const auto place = LeaderPlace();
  if (!place) return;
  set(places_[*place].process->api, true);
  loop().Schedule(how_long, scope_.Guard([this, set, i = *place, life = places_[*place].life] {
    if (places_[i].life == life && places_[i].process) set(places_[i].process->api, false);
  }));
}

void GateCluster::SetLatency(Duration least, Duration most) {
  plan_.least_latency = least;
  plan_.most_latency = most;
  cluster_.network().set_plan(plan_);
}

void GateCluster::Calm() {
  SetLatency(Duration{0}, Duration{0});
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    if (!place.process) continue;  // it comes back by itself
    place.process->api.StopHarm();
    place.process->api.LoseLease(false);
    place.process->api.CutOff(false);
  }
}

std::string GateCluster::StateOf(std::string_view name) const {
  const auto pod = Find(name);
  if (!pod) return "gone";
  if (pod->bound()) return "bound";
  std::string state = pod->gated() ? "gated" : "open";
  if (KarpenterFailedToSchedule(*pod)) state += " unschedulable";
  return state;
}

}  // namespace basalt::testutil
