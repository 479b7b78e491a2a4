#include "testing/scheduling/chaos.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <cmath>

#include "scheduler/state/drift.h"

namespace basalt::testutil {
namespace {

SimClusterOptions ClusterOptions(const ChaosOptions& options) {
  return {.seed = options.seed, .faults = options.faults, .server = {}};
}

}  // namespace

ChaosCluster::ChaosCluster(ChaosOptions options)
    : options_(std::move(options)),
      random_(options_.seed),
      cluster_(ClusterOptions(options_)),
      clean_network_(cluster_.loop(), cluster_.server()),
      clean_api_(clean_network_),
      clean_client_(clean_api_),
      nodes_(clean_client_),
      history_(cluster_.loop(), cluster_.server()),
      places_(static_cast<std::size_t>(options_.schedulers)) {
  nodes_.Start();
  history_.OnPodGone([this](const kube::Pod& pod) { Recreate(pod); });
  for (std::size_t i = 0; i < places_.size(); ++i) {
    places_[i].timer = std::make_unique<Timer>(loop());
    Start(i);
  }
}

ChaosCluster::~ChaosCluster() = default;

void ChaosCluster::Start(std::size_t index) {
  Place& place = places_[index];
  ++place.life;
  scheduler::SchedulerServiceOptions service = options_.service;
  if (options_.schedulers > 1) {
    service.election = {.ns = "kube-system",
                        .name = "volcano",
                        .identity = fmt::format("{}-{}", index, place.life),
                        .lease_duration = 4s,
                        .renew_deadline = 3s,
                        .retry_period = 500ms,
                        .seed = random_.Next()};
  }
  std::optional<Death> death;
  if (index == 0 && place.life == 1) death = options_.first_death;
  if (!calm_ && !death && options_.most_writes_of_a_life > 0) {
    death = Death{.write = 1 + random_.Below(options_.most_writes_of_a_life),
                  .after = random_.Chance(0.5)};
  }
  place.process =
      std::make_unique<SchedulerProcess>(cluster_.network(), std::move(service), options_.config,
                                         death, scope_.Guard([this, index, life = place.life] {
                                           if (places_[index].life == life) Die(index);
                                         }),
                                         options_.record);
  if (calm_ || options_.mean_life <= Duration::zero()) return;
  const double wait =
      -std::log(1 - random_.Uniform()) * static_cast<double>(options_.mean_life.count());
  place.timer->Start(Duration(static_cast<Duration::rep>(wait)), [this, index] { Die(index); });
}

void ChaosCluster::Die(std::size_t index) {
  Place& place = places_[index];
  if (!place.process) return;
  ++deaths_;
  place.process.reset();
  // What the dead one had sent arrives before the next one looks. Where that cannot be waited for,
  // there is an election: a lease outlives the writes of its holder.
  const Duration in_flight = options_.schedulers > 1 ? Duration{0} : options_.faults.most_latency;
  const Duration pause = in_flight + Duration(random_.Below(options_.most_pause.count()));
  place.timer->Start(pause, [this, index] { Start(index); });
}

void ChaosCluster::Calm() {
  calm_ = true;
  cluster_.network().set_plan({});
  // A process that is to die with a write would yet do so: another takes its place.
  const bool doomed = options_.most_writes_of_a_life > 0 || options_.first_death;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].process) places_[i].timer->Stop();
    if (doomed) Die(i);
  }
}

void ChaosCluster::RestartAll() {
  for (std::size_t i = 0; i < places_.size(); ++i) Die(i);
}

SchedulerProcess* ChaosCluster::Leader() {
  for (Place& place : places_) {
    if (place.process && place.process->service().leads()) return place.process.get();
  }
  return nullptr;
}

void ChaosCluster::AddOwnedPod(PodBuilder pod) {
  owned_[pod.ns() + "/" + pod.name()] = pod.Json();
  cluster_.Create(pod);
}

void ChaosCluster::Recreate(const kube::Pod& gone) {
  const auto it = owned_.find(gone.meta.Key());
  if (it == owned_.end()) return;
  json::object again = std::move(it->second);
  owned_.erase(it);
  if (gone.status.phase == kube::PodPhase::kSucceeded) return;
  std::string name = gone.meta.name;
  name = fmt::format("{}.{}", name.substr(0, name.find('.')), ++remade_);
  SetPath(again, "metadata.name", json::value(name));
  const std::string body = json::serialize(again);
  owned_[gone.meta.ns + "/" + name] = std::move(again);
  clean_client_.Create({kube::resources::kPods, gone.meta.ns}, body,
                       [](const Result<kube::ApiResponse>&) {});
}

bool ChaosCluster::RunUntilDone(Duration most) {
  const auto done = [this] {
    for (const auto& [key, pod] : owned_) {
      const std::size_t slash = key.find('/');
      const auto known = history_.pods().Find(key.substr(0, slash), key.substr(slash + 1));
      if (!known || known->status.phase != kube::PodPhase::kSucceeded) return false;
    }
    return true;
  };
  const Time end = loop().Now() + most;
  while (!done()) {
    if (loop().Now() >= end) return false;
    loop().RunFor(1s);
  }
  return true;
}

std::string ChaosCluster::Unfinished() {
  std::string out;
  SchedulerProcess* leader = Leader();
  for (const auto& [key, json] : owned_) {
    const std::size_t slash = key.find('/');
    const auto pod = history_.pods().Find(key.substr(0, slash), key.substr(slash + 1));
    if (pod && pod->status.phase == kube::PodPhase::kSucceeded) continue;
    out += key;
    if (!pod) {
      out += ": gone\n";
      continue;
    }
    out += fmt::format(": {} on '{}'{}", kube::ToString(pod->status.phase), pod->spec.node_name,
                       pod->meta.deleting() ? ", is being deleted" : "");
    for (const kube::Condition& condition : pod->status.conditions) {
      out += fmt::format(", {}: {}", condition.reason, condition.message);
    }
    if (leader) {
      const model::Cluster& state = leader->service().scheduler().state().cluster();
      if (const model::Task* task = state.FindTask(pod->meta.ns, pod->meta.name)) {
        out += fmt::format("; in the state {}", model::ToString(task->status()));
        if (const model::Job* job = state.FindJob(task->job)) {
          out += fmt::format(" of {} {} minimum {}", job->name, model::ToString(job->phase),
                             job->min_available);
          if (job->group) {
            for (const auto& condition : job->group->conditions) {
              out +=
                  fmt::format(", {} {}: {}", condition.type, condition.reason, condition.message);
            }
          }
        }
      }
    }
    out += '\n';
  }
  return out;
}

std::string ChaosCluster::CheckSettled() {
  std::string out = history_.violations();
  if (deaths_ == 0 && history_.evictions() == 0) out += history_.CheckGangs();
  SchedulerProcess* leader = Leader();
  if (!leader) return out + "nobody leads\n";
  scheduler::SchedulerService& service = leader->service();
  const model::Cluster& state = service.scheduler().state().cluster();
  out += state.CheckLedgers();
  if (service.drift().differences() > 0) out += "a drift was found while it ran\n";
  const auto& informers = service.informers();
  scheduler::DriftComparer drift({.pods = informers.Of<kube::Pod>().store(),
                                  .nodes = informers.Of<kube::Node>().store(),
                                  .groups = informers.Of<kube::PodGroup>().store(),
                                  .queues = informers.Of<kube::Queue>().store(),
                                  .scheduler_names = {},
                                  .takes_node = {}},
                                 Duration{0});
  drift.CompareAll(service.scheduler().state(), loop().Now(),
                   [&](const std::string& difference) { out += difference + '\n'; });
  // The informers themselves, and what pods say of promises.
  history_.pods().ForEach([&](const kube::Pod& pod) {
    const auto known = informers.Of<kube::Pod>().store().Find(pod.meta.ns, pod.meta.name);
    if (!known || known->meta.resource_version != pod.meta.resource_version) {
      out += fmt::format("the scheduler has not heard of the last version of {}\n", pod.meta.Key());
      return;
    }
    const model::Task* task = state.FindTask(pod.meta.ns, pod.meta.name);
    const std::string promised = task && task->status() == model::TaskStatus::kPipelined
                                     ? state.node(task->node()).name
                                     : std::string();
    if (pod.status.nominated_node_name != promised && !pod.bound()) {
      out += fmt::format("{} is nominated to '{}' and promised '{}'\n", pod.meta.Key(),
                         pod.status.nominated_node_name, promised);
    }
  });
  return out;
}

}  // namespace basalt::testutil
