#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/service/scheduler_service.h"
#include "simnode/sim_nodes.h"
#include "testing/builders.h"
#include "tests/cluster/real_cluster.h"

namespace basalt::testutil {

// A test on the real API server with Basalt's kinds, and with nodes of its own that are simulated.
// Pods whose schedulerName is the test's namespace are its own scheduler's.
class SimulatedClusterTest : public RealClusterTest {
 protected:
  SimulatedClusterTest();
  ~SimulatedClusterTest() override;
  // The kinds are served, and nodes that are added become ready.
  void SetUp() override;
  // Derived tests end what they have started first. Everything that was added goes.
  void TearDown() override;

  // For what has no namespace.
  std::string Own(std::string_view name) const { return ns_ + "-" + std::string(name); }
  // Something without a namespace, until the test ends.
  template <class Builder>
  void Add(const Builder& object) {
    AddObject(object.resource(), object.name(), object.Text());
  }
  // Its kubelet says that it is ready.
  void AddNode(NodeBuilder node);

  PodBuilder OwnPod(std::string_view name, std::string_view cpu) const;
  scheduler::SchedulerServiceOptions OwnScheduler() const;

  std::unique_ptr<simnode::SimNodes> nodes_;

 private:
  void AddObject(const kube::Resource& resource, const std::string& name, std::string body);

  std::vector<std::pair<const kube::Resource*, std::string>> added_;
};

}  // namespace basalt::testutil
