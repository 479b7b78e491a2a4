#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/random.h"
#include "kube/client/client.h"
#include "simnode/sim_nodes.h"
#include "testing/scheduling/cluster_history.h"
#include "testing/scheduling/scheduler_process.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::testutil {

struct ChaosOptions {
  std::uint64_t seed = 1;
  std::string config;
  int schedulers = 1;  // more than one: they elect a leader
  FaultPlan faults;    // of the schedulers' network
  // Each process dies with a write, drawn from 1 to this; 0: none does.
  std::uint64_t most_writes_of_a_life = 0;
  std::optional<Death> first_death;  // of the first process
  Duration mean_life{0};             // how long a process lives, at random; zero: for ever
  Duration most_pause = 2s;          // until a dead one is back
  scheduler::SchedulerServiceOptions service;
  std::ostream* record = nullptr;  // of the one scheduler, which must not die
};

// A whole cluster on virtual time around schedulers that die at any moment: API server, simulated
// nodes, schedulers with a faulty network, and pods whose owner makes an evicted one anew under
// another name. One seed decides everything. Owned by the test.
class ChaosCluster {
 public:
  explicit ChaosCluster(ChaosOptions options);
  ~ChaosCluster();

  SchedulingCluster& cluster() { return cluster_; }
  SimLoop& loop() { return cluster_.loop(); }
  ClusterHistory& history() { return history_; }
  Random& random() { return random_; }

  // Kept alive by its owner: made anew when it is gone before its end.
  void AddOwnedPod(PodBuilder pod);
  // No more faults and deaths; who is dead comes back.
  void Calm();
  // All of them die and come back.
  void RestartAll();
  // Of those that are alive, the one that leads; nullptr: none does.
  SchedulerProcess* Leader();
  int deaths() const { return deaths_; }
  // Runs until every owned pod has ended well, at most for so long.
  bool RunUntilDone(Duration most);
  // The owned pods that have not ended, and what they and their groups say; for failures.
  std::string Unfinished();
  // What is wrong after it has settled: the history's view, and the leader's state against it.
  std::string CheckSettled();

 private:
  struct Place {  // where a scheduler runs
    std::unique_ptr<SchedulerProcess> process;
    std::unique_ptr<Timer> timer;
    int life = 0;
  };

  void Start(std::size_t place);
  void Die(std::size_t place);
  void Recreate(const kube::Pod& gone);

  ChaosOptions options_;
  Random random_;
  SchedulingCluster cluster_;
  DirectNetwork clean_network_;
  DirectApiClient clean_api_;
  kube::Client clean_client_;
  simnode::SimNodes nodes_;
  ClusterHistory history_;
  std::vector<Place> places_;
  bool calm_ = false;
  int deaths_ = 0;
  int remade_ = 0;
  std::map<std::string, json::object> owned_;  // by the pod's key
  Scope scope_;
};

}  // namespace basalt::testutil
