#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "kube/informer/informer.h"
#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "kube/types/scheduling.h"
#include "scheduler/service/scheduler_service.h"
#include "testing/scheduling/faulty_client.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::testutil {

// A cluster on virtual time with schedulers that can be made to suffer, each a process of its own.
// Owned by the test.
class ElectingCluster {
 public:
  struct Options {
    std::uint64_t seed = 1;
    int schedulers = 1;  // more than one: they elect a leader
    std::string config;  // "": the default one
  };
  explicit ElectingCluster(Options options);
  ~ElectingCluster();

  SchedulingCluster& cluster() { return cluster_; }
  SimLoop& loop() { return cluster_.loop(); }
  // Everything as the API server has it now.
  const kube::Store<kube::Pod>& pods() const { return pods_.store(); }
  const kube::Store<kube::Node>& nodes() const { return nodes_.store(); }
  const kube::Store<kube::Queue>& queues() const { return queues_.store(); }
  const kube::Store<kube::PodGroup>& groups() const { return groups_.store(); }
  std::shared_ptr<const kube::Pod> Find(std::string_view name) const {
    return pods_.store().Find("default", name);
  }
  // Told after every change of a pod at the server.
  void OnChange(std::function<void()> callback) { on_change_ = std::move(callback); }
  // The present leader's; nullptr: nobody leads.
  scheduler::SchedulerService* Leader();

  // ---- what goes wrong; of the leader, or of whoever is there
  void Do(Harm harm);
  void Kill();                        // the leader; it comes back after a while
  void LoseLease(Duration how_long);  // the leader cannot renew
  void CutOff(Duration how_long);     // the leader hears and says nothing
  void SetLatency(Duration least, Duration most);
  // Any of these and of what can happen to writes. Returns which: kSlow is a slow API server.
  static constexpr int kSlow = 3;
  int Disturb(Random& random);
  // No more of it, and all are back.
  void Calm();

  const HarmCounts& harm() const { return harm_; }
  int deaths() const { return deaths_; }
  int terms() const { return terms_; }

 private:
  struct Process {
    Process(ElectingCluster& owner, std::size_t place, scheduler::SchedulerServiceOptions options);
    ~Process() { direct.Crash(); }
    DirectApiClient direct;
    FaultyClient api;
    kube::Client client;
    scheduler::SchedulerService service;
  };
  struct Place {
    std::unique_ptr<Process> process;
    std::unique_ptr<Timer> timer;
    int life = 0;
  };

  void Start(std::size_t place);
  void Die(std::size_t place);
  std::optional<std::size_t> LeaderPlace();
  // The leader suffers for a while; `set` says whether it does.
  void Harmed(Duration how_long, void (*set)(FaultyClient& api, bool harmed));

  Options options_;
  Random random_;
  SchedulingCluster cluster_;
  FaultPlan plan_;
  HarmCounts harm_;
  int deaths_ = 0;
  int terms_ = 0;
  DirectNetwork clean_network_;
  DirectApiClient clean_api_;
  kube::Client clean_client_;
  std::function<void()> on_change_;
  kube::Informer<kube::Node> nodes_;
  kube::Informer<kube::Queue> queues_;
  kube::Informer<kube::PodGroup> groups_;
  kube::Informer<kube::Pod> pods_;
  std::vector<Place> places_;
  Scope scope_;
};

}  // namespace basalt::testutil
