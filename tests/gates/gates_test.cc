// deps: basalt_testing basalt_testing_scheduling basalt_testing_autoscalers
// basalt_scheduler_service Queue-allocation gates from end to end: the scheduler as a role on an
// embedded cluster, on virtual time. Pods come with the gate that the webhook gives them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/types/codec.h"
#include "scheduler/service/scheduler_service.h"
#include "testing/autoscalers/rules.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakePodGroup;
using testutil::MakeQueue;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

constexpr std::string_view kGate = "scheduling.volcano.sh/queue-allocation-gate";
constexpr std::string_view kWithHold = R"(
actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
- plugins:
  - name: overcommit
  - name: drf
  - name: predicates
  - name: capacity
  - name: nodeorder
configurations:
- name: allocate
  arguments:
    gateHoldTimeout: 30s
)";
constexpr std::string_view kAtBind = R"(
actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
- plugins:
  - name: predicates
  - name: capacity
  - name: nodeorder
configurations:
- name: allocate
  arguments:
    gateRemoval: bind
)";

struct Process {
  explicit Process(testutil::SimCluster& cluster, std::string_view yaml = "",
                   SchedulerServiceOptions options = {})
      : api(cluster.network()), client(api), service(cluster.loop(), client, std::move(options)) {
    if (!yaml.empty()) {
      EXPECT_TRUE(service.Configure(yaml).has_value());
    }
    service.Start();
  }
  testutil::DirectApiClient api;
  kube::Client client;
  SchedulerService service;
};

class GatesTest : public testing::Test {
 protected:
  testutil::SimLoop& loop() { return cluster_.loop(); }
  void CreateQueue(std::string_view name, std::string_view cpu) {
    cluster_.Create(MakeQueue(name)
                        .Set("spec.capability.cpu", cpu)
                        .Set("spec.capability.memory", "100Gi")
                        .Set("spec.reclaimable", true));
  }
  testutil::PodBuilder Gated(std::string_view name, std::string_view queue = "q") {
    auto pod = MakePod(name).Cpu("1").Gate(kGate);
    pod.Annotation(kGate, "true").Annotation("scheduling.volcano.sh/queue-name", queue);
    return pod;
  }
  json::value Pod(std::string_view name) { return cluster_.Get(resources::kPods, "default", name); }
  std::string StateOf(std::string_view name) {
    const json::value pod = Pod(name);
    if (pod.is_null()) return "gone";
    if (!TextAt(pod, "spec.nodeName").empty()) return "bound";
    const json::value* gates = testutil::FindPath(pod, "spec.schedulingGates.0");
    std::string state = gates ? "gated" : "open";
    const Result<kube::Pod> typed = kube::Decode<kube::Pod>(json::serialize(pod));
    const kube::Condition* said = kube::FindCondition(typed->status.conditions, "PodScheduled");
    if (said && said->reason == "Unschedulable") state += " unschedulable";
    return state;
  }
  bool Provisioned(std::string_view name) {
    return testutil::KarpenterIsProvisionable(*kube::Decode<kube::Pod>(json::serialize(Pod(name))));
  }
  void Delete(std::string_view name) {
    const auto done =
        cluster_.Delete({resources::kPods, "default", name}, {.grace_period_seconds = 0});
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }

  testutil::SchedulingCluster cluster_;
};

TEST_F(GatesTest, AQueueForOneAdmitsOneAtATimeAndOnlyThatOneIsSeen) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  std::optional<Process> process(std::in_place, cluster_);
  cluster_.Create(Gated("pod-1"));
  loop().RunFor(3s);
  auto picky = Gated("pod-2");
  picky.NodeSelector("disk", "none-has-it");
  cluster_.Create(picky);
  loop().RunFor(3s);
  cluster_.Create(Gated("pod-3"));
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("pod-1"), "bound");
  EXPECT_EQ(StateOf("pod-2"), "gated");
  EXPECT_EQ(StateOf("pod-3"), "gated");
  EXPECT_FALSE(Provisioned("pod-2"));

  Delete("pod-1");
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("pod-2"), "open unschedulable");
  EXPECT_TRUE(Provisioned("pod-2"));
  EXPECT_EQ(StateOf("pod-3"), "gated");
  process.emplace(cluster_);  // a restart
  loop().RunFor(1h);
  EXPECT_EQ(StateOf("pod-2"), "open unschedulable");
  EXPECT_EQ(StateOf("pod-3"), "gated");

  cluster_.Create(MakeNode("n1").Cpu("8").Label("disk", "none-has-it"));
  loop().RunFor(3s);
  EXPECT_EQ(StateOf("pod-2"), "bound");
  EXPECT_EQ(StateOf("pod-3"), "gated");
  Delete("pod-2");
  loop().RunFor(3s);
  EXPECT_EQ(StateOf("pod-3"), "bound");
}

TEST_F(GatesTest, AForeignGateIsLeftAlone) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "4");
  Process process(cluster_);
  auto pod = Gated("p");
  pod.Gate("example.com/mine");
  cluster_.Create(pod);
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("p"), "gated");
  ASSERT_TRUE(cluster_
                  .Patch({resources::kPods, "default", "p"}, kube::PatchKind::kMerge,
                         json::serialize(json::object{
                             {"spec", json::object{{"schedulingGates",
                                                    json::array{json::object{{"name", kGate}}}}}}}))
                  .has_value());
  loop().RunFor(3s);
  EXPECT_EQ(StateOf("p"), "bound");
}

TEST_F(GatesTest, AGangIsAdmittedAsAWhole) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "3");
  Process process(cluster_);
  cluster_.Create(MakePodGroup("g", 4, "q"));
  for (int i = 0; i < 4; ++i) {
    auto pod = Gated("g-" + std::to_string(i));
    pod.Group("g");
    cluster_.Create(pod);
  }
  loop().RunFor(1min);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(StateOf("g-" + std::to_string(i)), "gated");
  ASSERT_TRUE(cluster_
                  .Patch({resources::kQueues, "", "q"}, kube::PatchKind::kMerge,
                         R"({"spec":{"capability":{"cpu":"4"}}})")
                  .has_value());
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 4);
}

TEST_F(GatesTest, AJobLargerThanTheClusterIsAdmittedAndSeenAsAWhole) {
  cluster_.Create(MakeNode("n0").Cpu("4"));
  CreateQueue("q", "100");
  Process process(cluster_);
  cluster_.Create(MakePodGroup("g", 12, "q").Set("spec.minResources.cpu", "12"));
  for (int i = 0; i < 12; ++i) {
    auto pod = Gated("g-" + std::to_string(i));
    pod.Group("g");
    cluster_.Create(pod);
  }
  loop().RunFor(1min);
  for (int i = 0; i < 12; ++i) EXPECT_TRUE(Provisioned("g-" + std::to_string(i))) << i;
  EXPECT_EQ(cluster_.Bound(), 0);
  for (int i = 1; i < 3; ++i) cluster_.Create(MakeNode("n" + std::to_string(i)).Cpu("4"));
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 12);
}

TEST_F(GatesTest, AGatedPodInAClusterWithoutANodeIsSeen) {
  CreateQueue("q", "100");
  Process process(cluster_);
  cluster_.Create(Gated("p"));
  loop().RunFor(10s);
  EXPECT_TRUE(Provisioned("p"));
}

TEST_F(GatesTest, AtBindTheGateOfAPodThatFitsGoesWithItsBind) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "8");
  Process process(cluster_, kAtBind);
  cluster_.Create(Gated("fits"));
  auto picky = Gated("fits-nowhere");
  picky.NodeSelector("disk", "none-has-it");
  cluster_.Create(picky);
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("fits"), "bound");
  EXPECT_EQ(StateOf("fits-nowhere"), "open unschedulable");
}

TEST_F(GatesTest, AClaimThatFindsNoNodeLapsesAndTheOthersRun) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  Process process(cluster_, kWithHold);
  auto picky = Gated("first");
  picky.NodeSelector("disk", "none-has-it");
  cluster_.Create(picky);
  loop().RunFor(3s);
  for (int i = 0; i < 10; ++i) cluster_.Create(Gated("good-" + std::to_string(i)));
  loop().RunFor(10s);
  EXPECT_EQ(cluster_.Bound(), 0);
  loop().RunFor(30s);
  int ran = 0;
  for (int round = 0; round < 12 && ran < 10; ++round) {
    for (int i = 0; i < 10; ++i) {
      const std::string name = "good-" + std::to_string(i);
      if (StateOf(name) != "bound") continue;
      ++ran;
      Delete(name);
    }
    loop().RunFor(3s);
  }
  EXPECT_EQ(ran, 10);
  EXPECT_EQ(StateOf("first"), "open unschedulable");
  cluster_.Create(MakeNode("n1").Cpu("8").Label("disk", "none-has-it"));
  loop().RunFor(3s);
  EXPECT_EQ(StateOf("first"), "bound");
}

TEST_F(GatesTest, WithTheFeatureOffGatesGo) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  SchedulerServiceOptions options;
  options.scheduler.state.queue_gates = false;
  Process process(cluster_, "", options);
  for (int i = 0; i < 3; ++i) cluster_.Create(Gated("p" + std::to_string(i)));
  loop().RunFor(5s);
  int gated = 0;
  for (int i = 0; i < 3; ++i) gated += StateOf("p" + std::to_string(i)) == "gated" ? 1 : 0;
  EXPECT_EQ(gated, 0);
  EXPECT_EQ(cluster_.Bound(), 1);
}

TEST_F(GatesTest, TenThousandGatedPodsInAFullQueueCauseNoWorkAndNoWrites) {
  cluster_.Create(MakeNode("n0").Cpu("100"));
  CreateQueue("q", "1");
  Process process(cluster_);
  cluster_.Create(Gated("holder"));
  loop().RunFor(3s);
  constexpr int kPods = 10'000;
  for (int i = 0; i < kPods; ++i) cluster_.Create(Gated("w" + std::to_string(i)));
  loop().RunFor(1min);
  EXPECT_EQ(cluster_.Bound(), 1);
  EXPECT_LE(process.service.scheduler().state().cluster().active_jobs().size(), 1u);
}

}  // namespace
}  // namespace basalt::scheduler
