#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simnode/sim_nodes.h"
#include "testing/cluster.h"
#include "workloads/workloads.h"

namespace basalt::systemtest {

namespace json = boost::json;

// A cluster on virtual time with one simulated node, `node`, and the workload controllers, each a
// process of its own. Templates made here name the node, so that no scheduler is needed.
class WorkloadCluster {
 public:
  explicit WorkloadCluster(testutil::SimClusterOptions options = {});

  testutil::SimCluster& cluster() { return cluster_; }
  void Run(Duration duration) { cluster_.loop().RunFor(duration); }
  // Both roles die at once and come back, knowing nothing.
  void RestartRoles();

  std::vector<json::value> Pods();
  // Neither ended nor being deleted.
  std::vector<json::value> ActivePods();
  int ReadyPods();

  static json::object Template(std::string_view app, std::string_view image = "v1");
  static testutil::AnyBuilder Deployment(std::string_view name, int replicas);
  static testutil::AnyBuilder StatefulSet(std::string_view name, int replicas);
  static testutil::AnyBuilder DaemonSet(std::string_view name);
  static testutil::AnyBuilder Job(std::string_view name, int parallelism, int completions,
                                  std::string_view sleep);

  // The status of a condition; empty: there is none.
  static std::string Condition(const json::value& object, std::string_view type);
  static std::int64_t Number(const json::value& object, std::string_view path);

 private:
  struct Process {
    explicit Process(testutil::DirectNetwork& network, std::uint64_t seed)
        : api(network), client(api, {.pacing = {.seed = seed}}) {}
    testutil::DirectApiClient api;
    kube::Client client;
  };

  void StartRoles();

  testutil::SimCluster cluster_;
  std::uint64_t seed_;
  std::unique_ptr<Process> simnode_process_;
  std::unique_ptr<simnode::SimNodes> simnode_;
  std::unique_ptr<Process> workloads_process_;
  std::unique_ptr<workloads::Workloads> workloads_;
};

}  // namespace basalt::systemtest
