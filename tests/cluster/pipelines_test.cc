// deps: basalt_simnode basalt_workloads basalt_testing_scheduling
// Seed 003's scenario and Volcano's issue 4947 on the real API server.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/applier.h"
#include "cli/crds.h"
#include "cli/manifests.h"
#include "scheduler/service/scheduler_service.h"
#include "simnode/sim_nodes.h"
#include "testing/scheduling/scheduling_cluster.h"
#include "tests/cluster/real_cluster.h"
#include "workloads/workloads.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

class PipelinesOnRealClusterTest : public RealClusterTest {
 protected:
  void SetUp() override {
    RealClusterTest::SetUp();
    if (HasFatalFailure()) return;
    ApplyCrds();
    node_ = ns_ + "-node";
    json::object node = MakeNode(node_).Cpu("8").Label("simulated-for", ns_).Json();
    node.erase("status");
    ASSERT_TRUE(Create({resources::kNodes}, json::serialize(node)));
    ASSERT_TRUE(Patch({resources::kNodes, "", node_, "status"}, kube::PatchKind::kMerge,
                      R"({"status":{"capacity":{"cpu":"8","memory":"32Gi","pods":"110"},)"
                      R"("allocatable":{"cpu":"8","memory":"32Gi","pods":"110"}}})"));
    simnode::SimNodesOptions options;
    options.nodes.selector = *kube::LabelSelector::Parse("simulated-for=" + ns_);
    options.nodes.heartbeats = true;
    nodes_ = std::make_unique<simnode::SimNodes>(*client_, options);
    workloads_ = std::make_unique<workloads::Workloads>(*client_);
    nodes_->Start();
    workloads_->Start();
    RunUntil("the agents know everything",
             [&] { return nodes_->HasSynced() && workloads_->HasSynced(); });
    StartScheduler();
  }
  void TearDown() override {
    scheduler_.reset();
    workloads_.reset();
    nodes_.reset();
    if (client_ != nullptr) {
      Delete({resources::kNodes, "", node_});
      for (const char* queue : {"q1", "q2"}) Delete({resources::kQueues, "", ns_ + queue});
    }
    RealClusterTest::TearDown();
  }

  void ApplyCrds() {
    auto crds = cli::ParseManifests(cli::CrdManifests(), "built-in CRDs");
    ASSERT_TRUE(crds.has_value());
    cli::Applier applier(*client_);
    std::optional<Result<void>> applied;
    applier.Apply(std::move(*crds), [&](Result<void> result) { applied = std::move(result); });
    RunUntil("the CRDs are there", [&] { return applied.has_value(); });
    ASSERT_TRUE(applied->has_value()) << applied->error().message;
  }
  void StartScheduler() {
    scheduler::SchedulerServiceOptions options;
    options.scheduler.state.scheduler_names = {ns_};
    options.node_labels = {{"simulated-for", ns_}};
    scheduler_ = std::make_unique<scheduler::SchedulerService>(loop_, *client_, options);
    ASSERT_TRUE(scheduler_->Configure(kPreemptAndReclaim));
    scheduler_->Start();
    RunUntil("the scheduler knows everything", [&] { return scheduler_->ready(); });
  }
  void AddQueue(const std::string& name, const std::string& deserved) {
    ASSERT_TRUE(
        Create({resources::kQueues}, MakeQueue(ns_ + name)
                                         .Set("spec.deserved", json::object{{"cpu", deserved}})
                                         .Set("spec.reclaimable", true)
                                         .Text()));
  }
  void AddGroup(const std::string& name, const std::string& queue) {
    ASSERT_TRUE(
        Create({resources::kPodGroups, ns_}, MakePodGroup(name, 1, ns_ + queue).Ns(ns_).Text()));
  }
  PodBuilder Pod(const std::string& name, const std::string& cpu, const std::string& group) {
    return MakePod(name).Ns(ns_).Cpu(cpu).Group(group).Scheduler(ns_).Set(
        "spec.terminationGracePeriodSeconds", 2);
  }
  // One replica of a Deployment, which comes back when it is evicted.
  void AddDeployment(const std::string& name, const std::string& cpu, const std::string& group) {
    json::object pod = Pod(name, cpu, group).Json();
    pod["spec"].as_object()["restartPolicy"] = "Always";
    json::object metadata{{"labels", json::object{{"app", name}}},
                          {"annotations", pod.at("metadata").at("annotations")}};
    ASSERT_TRUE(Create(
        {resources::kDeployments, ns_},
        MakeObject(resources::kDeployments, name)
            .Ns(ns_)
            .Set("spec.replicas", 1)
            .Set("spec.selector", json::object{{"matchLabels", json::object{{"app", name}}}})
            .Set("spec.template", json::object{{"metadata", metadata}, {"spec", pod.at("spec")}})
            .Text()));
  }
  std::string PhaseOf(const std::string& pod) {
    const Answer got = Get({resources::kPods, ns_, pod});
    return got ? TextAt(*got, "status.phase") : "";
  }
  void WaitFor(std::string_view what, const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!done()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "waited in vain for: " << what;
      Pause();
    }
  }

  std::string node_;
  std::unique_ptr<simnode::SimNodes> nodes_;
  std::unique_ptr<workloads::Workloads> workloads_;
  std::unique_ptr<scheduler::SchedulerService> scheduler_;
};

TEST_F(PipelinesOnRealClusterTest, AReclaimerGetsTheRoomThatItWasMadeAcrossARestart) {
  AddQueue("q1", "3");
  AddQueue("q2", "5");
  for (const auto& [group, queue] : {std::pair{"g1", "q1"}, {"g2", "q2"}, {"g3", "q2"}}) {
    AddGroup(group, queue);
  }
  AddDeployment("pod1", "4", "g1");
  CreatePod(Pod("pod2", "1", "g2").Text());
  WaitFor("both run", [&] {
    const auto& cluster = scheduler_->scheduler().state().cluster();
    const model::Node* node = cluster.FindNode(node_);
    return node && cluster.ledger().Idle(node->id).milli_cpu() <= 3000;
  });
  WaitFor("pod2 runs", [&] { return PhaseOf("pod2") == "Running"; });
  Pause();
  CreatePod(Pod("pod3", "4", "g3").Text());
  WaitFor("pod1 is evicted", [&] { return scheduler_->scheduler().evictions().size() > 0; });
  WaitFor("pod3 is nominated", [&] {
    const Answer got = Get({resources::kPods, ns_, "pod3"});
    return got && (TextAt(*got, "status.nominatedNodeName") == node_ ||
                   TextAt(*got, "spec.nodeName") == node_);
  });
  const std::size_t evictions = scheduler_->scheduler().evictions().size();
  scheduler_.reset();
  StartScheduler();  // the promise is on the pod
  WaitFor("pod3 runs", [&] { return PhaseOf("pod3") == "Running"; });
  const auto quiet = std::chrono::steady_clock::now() + 10s;
  while (std::chrono::steady_clock::now() < quiet) Pause();
  EXPECT_EQ(PhaseOf("pod3"), "Running");
  EXPECT_EQ(evictions + scheduler_->scheduler().evictions().size(), 1u);
  std::cout << "evictions: " << evictions + scheduler_->scheduler().evictions().size() << "\n";
}

}  // namespace
}  // namespace basalt::testutil
