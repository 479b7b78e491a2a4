#include "tests/cluster/simulated_cluster.h"

#include <boost/json/serialize.hpp>
#include <ranges>

#include "testing/test_signer.h"

namespace basalt::testutil {

namespace {

constexpr const char* kSimulatedFor = "simulated-for";

}  // namespace

SimulatedClusterTest::SimulatedClusterTest() = default;
SimulatedClusterTest::~SimulatedClusterTest() = default;

void SimulatedClusterTest::SetUp() {
  RealClusterTest::SetUp();
  if (HasFatalFailure()) return;
  InstallKinds();
  simnode::SimNodesOptions options;
  options.nodes.selector = *kube::LabelSelector::Parse(kSimulatedFor + ("=" + ns_));
  options.nodes.heartbeats = true;
  nodes_ = std::make_unique<simnode::SimNodes>(*client_, options);
  nodes_->Start();
  RunUntil("the simulated nodes' kubelets", [&] { return nodes_->HasSynced(); });
}

void SimulatedClusterTest::TearDown() {
  nodes_.reset();
  for (const auto& [resource, name] : std::views::reverse(added_)) {
    // Who would take its finalizers away may have ended.
    Patch({*resource, "", name}, kube::PatchKind::kMerge, R"({"metadata":{"finalizers":null}})");
    Delete({*resource, "", name});
  }
  RealClusterTest::TearDown();
}

void SimulatedClusterTest::AddObject(const kube::Resource& resource, const std::string& name,
                                     std::string body) {
  const Answer made = Create({resource}, std::move(body));
  ASSERT_TRUE(made) << made.error().message;
  added_.emplace_back(&resource, name);
}

void SimulatedClusterTest::AddNode(NodeBuilder node) {
  node.Label(kSimulatedFor, ns_);
  node.Set("status.conditions", json::array{});
  Add(node);
}

PodBuilder SimulatedClusterTest::OwnPod(std::string_view name, std::string_view cpu) const {
  return MakePod(name).Ns(ns_).Scheduler(ns_).Cpu(cpu).Set("spec.terminationGracePeriodSeconds", 1);
}

scheduler::SchedulerServiceOptions SimulatedClusterTest::OwnScheduler() const {
  scheduler::SchedulerServiceOptions options;
  options.scheduler.state.scheduler_names = {ns_};
  options.node_labels = {{kSimulatedFor, ns_}};
  options.signer = SharedTestSigner();
  return options;
}

}  // namespace basalt::testutil
