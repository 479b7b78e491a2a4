#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "descheduler/service/descheduler_service.h"
#include "descheduler/service/policy_planning.h"
#include "kube/informer/informer.h"
#include "scheduler/config/config.h"
#include "simnode/sim_nodes.h"
#include "testing/scheduling/scheduler_process.h"
#include "testing/scheduling/scheduling_cluster.h"
#include "workloads/workloads.h"

namespace basalt::systemtest {

namespace json = boost::json;
using descheduler::Plan;

// Defragmentation of CPUs: low 40, defragment 60, protection 95, packUnderused, and these too.
std::string PolicyOf(std::string_view more_args = "", std::string_view evictor_args = "");

// Follows pods and reservations over a network of its own, and writes down what must never be at
// the moment that it is: a pod that is evicted while no place is held for it and for each of its
// controller's that are away, a budget that is broken.
class MigrationWatch {
 public:
  MigrationWatch(Loop& loop, apiserver::Server& server);

  const std::string& violations() const { return violations_; }
  // Pods that were asked to go while a reservation named them.
  int evictions() const { return evictions_; }
  // A deletion that is the test's own doing.
  void Spare(const std::string& pod) { spared_.insert(pod); }
  // At least so many pods with the label app=APP run at any moment from now on.
  void Guard(const std::string& app, int least) { least_[app] = least; }

 private:
  void OnPod(const kube::InformerEvent<kube::Pod>& event);
  void OnReservation(const kube::InformerEvent<kube::Reservation>& event);
  void CheckBudgets();

  Loop& loop_;
  testutil::DirectNetwork network_;
  testutil::DirectApiClient api_;
  kube::Client client_;
  std::string violations_;
  int evictions_ = 0;
  std::map<std::string, std::set<std::string>> held_;  // names by controller's uid
  std::map<std::string, int> away_;                    // by controller's uid
  std::map<std::string, std::string> named_;           // reservations by the pod that they name
  std::set<std::string> spared_;
  std::map<std::string, int> least_;
  kube::Informer<kube::Reservation> reservations_;
  kube::Informer<kube::Pod> pods_;
};

// A cluster on virtual time with everything that a migration takes: nodes that run pods, the
// controllers of workloads, a scheduler and a descheduler that may die with any of their writes.
class DeschedulerCluster {
 public:
  struct Options {
    std::string policy = PolicyOf();
    std::string scheduler_config{scheduler::DefaultConfigYaml()};
    std::uint64_t seed = 1;
    testutil::FaultPlan faults;  // between scheduler, descheduler and API server
    descheduler::TriggerOptions triggers;
    std::optional<testutil::Death> descheduler_death;
    std::optional<testutil::Death> scheduler_death;
  };
  explicit DeschedulerCluster(Options options);
  DeschedulerCluster() : DeschedulerCluster(Options{}) {}
  ~DeschedulerCluster();

  testutil::SchedulingCluster& cluster() { return cluster_; }
  MigrationWatch& watch() { return watch_; }
  descheduler::DeschedulerService& service() { return descheduler_->service; }

  void AddNode(const std::string& name, const std::string& cpu = "8");
  // A ReplicaSet APP whose pods are on these nodes.
  void AddPods(const std::string& app, const std::string& cpu,
               const std::vector<std::string>& nodes,
               const std::function<void(testutil::PodBuilder&)>& change = {});
  // A PodGroup of pods that each want so much.
  void AddGang(const std::string& name, int pods, const std::string& cpu, int min_member = 0);
  void AddBudget(const std::string& app, int min_available);

  // Starts controllers, scheduler and descheduler, and lets things settle.
  void Start();
  void StartDescheduler(std::optional<testutil::Death> death = {});
  void KillDescheduler() { descheduler_.reset(); }
  void KillScheduler() { scheduler_.reset(); }
  void StartScheduler(std::optional<testutil::Death> death = {});
  void StopWorkloads() { workloads_.reset(); }
  // Runs; processes that have died are started again after a while.
  void Run(Duration duration);

  // Begins a run by the API's way, and follows it to its end.
  Plan RunPlan(const descheduler::RunRequest& request = {}, Duration most = 20min);
  Plan Begin(const descheduler::RunRequest& request = {});

  std::string NodeOf(const std::string& pod);
  // Pods of the app that run, by node.
  std::map<std::string, int> NodesOf(const std::string& app);
  int Running(const std::string& app);
  // What migrations have left: reservations with our label, taints. "": nothing.
  std::string Leftovers();
  std::uint64_t descheduler_writes() const {
    return descheduler_ ? descheduler_->writes.writes() : 0;
  }
  std::uint64_t scheduler_writes() const { return scheduler_ ? scheduler_->writes() : 0; }
  int deaths() const { return deaths_; }
  // What the descheduler's /metrics would say now.
  std::string Metrics();

 private:
  struct DeschedulerProcess {
    DeschedulerProcess(DeschedulerCluster& owner, std::optional<testutil::Death> death);
    ~DeschedulerProcess() { api.Crash(); }
    testutil::DirectApiClient api;
    testutil::FatalWrites writes;
    kube::Client client;
    descheduler::DeschedulerService service;
  };

  Options options_;
  metrics::Registry metrics_;
  testutil::SchedulingCluster cluster_;
  testutil::DirectNetwork clean_network_;
  testutil::DirectApiClient clean_api_;
  kube::Client clean_client_;
  simnode::SimNodes nodes_;
  std::unique_ptr<workloads::Workloads> workloads_;
  MigrationWatch watch_;
  std::unique_ptr<testutil::SchedulerProcess> scheduler_;
  std::unique_ptr<DeschedulerProcess> descheduler_;
  bool descheduler_died_ = false;
  bool scheduler_died_ = false;
  int deaths_ = 0;
  int plans_ = 0;
};

}  // namespace basalt::systemtest
