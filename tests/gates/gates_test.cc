// deps: basalt_testing basalt_testing_scheduling basalt_testing_autoscalers
// Queue-allocation gates from end to end: the scheduler as a role on an embedded cluster, on
// virtual time. Pods come with the gate that the webhook gives them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "kube/types/codec.h"
#include "scheduler/service/scheduler_service.h"
#include "testing/autoscalers/rules.h"
#include "testing/builders.h"
#include "testing/counting_api_client.h"
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

using testutil::kGate;
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
  std::string ReasonOf(std::string_view name) {
    const Result<kube::Pod> pod = kube::Decode<kube::Pod>(json::serialize(Pod(name)));
    const kube::Condition* said = kube::FindCondition(pod->status.conditions, "PodScheduled");
    return said ? said->reason : "";
  }
  void SetCapability(std::string_view queue, std::string_view cpu) {
    ASSERT_TRUE(cluster_
                    .Patch({resources::kQueues, "", queue}, kube::PatchKind::kMerge,
                           fmt::format(R"({{"spec":{{"capability":{{"cpu":"{}"}}}}}})", cpu))
                    .has_value());
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

TEST_F(GatesTest, OfTwoGangsOfWhichSomePodsOptedInTheOneThatFitsRuns) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "3");
  Process process(cluster_);
  auto filler = MakePod("filler").Cpu("1");
  filler.Annotation("scheduling.volcano.sh/queue-name", "q");
  cluster_.Create(filler);
  loop().RunFor(3s);
  for (const std::string group : {"a", "b"}) {
    cluster_.Create(MakePodGroup(group, 3, "q"));
    auto gated = Gated(group + "-1");
    gated.Group(group);
    cluster_.Create(gated);
    for (const char* pod : {"-2", "-3"}) {
      cluster_.Create(MakePod(group + pod).Cpu("1").Group(group));
    }
  }
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("a-1"), "gated");
  EXPECT_EQ(StateOf("b-1"), "gated");
  Delete("filler");
  loop().RunFor(10s);
  for (const char* pod : {"a-1", "a-2", "a-3"}) EXPECT_EQ(StateOf(pod), "bound") << pod;
  EXPECT_EQ(StateOf("b-1"), "gated");
}

TEST_F(GatesTest, AGangOfWhichSomePodsOptedInIsSeenAsAWholeWhereThereIsNoNode) {
  CreateQueue("q", "6");
  Process process(cluster_);
  cluster_.Create(MakePodGroup("a", 3, "q"));
  auto gated = Gated("a-1");
  gated.Group("a");
  cluster_.Create(gated);
  for (const char* pod : {"a-2", "a-3"}) cluster_.Create(MakePod(pod).Cpu("1").Group("a"));
  loop().RunFor(10s);
  for (const char* pod : {"a-1", "a-2", "a-3"}) {
    EXPECT_EQ(StateOf(pod), "open unschedulable") << pod;
  }
}

// Claims of pods that did not opt in stand in no object: after a restart a gang has a part of them.
TEST_F(GatesTest, OfTwoGangsOfWhichSomePodsOptedInOneRunsAfterARestartToo) {
  CreateQueue("q", "6");
  cluster_.Create(MakeNode("n0").Cpu("8"));  // enough, and the wrong one
  std::optional<Process> process(cluster_);
  for (const std::string group : {"a", "b"}) {
    cluster_.Create(MakePodGroup(group, 3, "q"));
    auto gated = Gated(group + "-1");
    gated.Group(group).NodeSelector("w", "x");
    cluster_.Create(gated);
    for (const char* pod : {"-2", "-3"}) {
      cluster_.Create(MakePod(group + pod).Cpu("1").Group(group).NodeSelector("w", "x"));
    }
  }
  loop().RunFor(10s);
  ASSERT_EQ(StateOf("a-1"), "open unschedulable");
  ASSERT_EQ(StateOf("b-1"), "open unschedulable");
  process.reset();
  SetCapability("q", "3");
  process.emplace(cluster_);
  loop().RunFor(10s);
  cluster_.Create(MakeNode("n1").Cpu("8").Label("w", "x"));
  loop().RunFor(10s);
  int bound = 0;
  for (const char* pod : {"a-1", "a-2", "a-3", "b-1", "b-2", "b-3"}) {
    bound += StateOf(pod) == "bound";
  }
  EXPECT_EQ(bound, 3);
}

TEST_F(GatesTest, APromiseDoesNotKeepOthersOutOfTheRestOfTheQueue) {
  cluster_.Create(MakeNode("n0").Cpu("4").Label("w", "x"));
  cluster_.Create(MakeNode("n1").Cpu("4"));
  CreateQueue("q", "8");
  Process process(cluster_);
  cluster_.Create(MakePod("filler").Cpu("4").NodeSelector("w", "x"));
  loop().RunFor(3s);
  ASSERT_EQ(StateOf("filler"), "bound");
  ASSERT_TRUE(
      cluster_.Delete({resources::kPods, "default", "filler"}, {.grace_period_seconds = 600})
          .has_value());
  auto waits = Gated("waits");
  waits.Cpu("4").NodeSelector("w", "x");
  cluster_.Create(waits);
  loop().RunFor(3s);
  EXPECT_EQ(TextAt(Pod("waits"), "status.nominatedNodeName"), "n0");
  auto other = Gated("other");
  other.Cpu("4");
  cluster_.Create(other);
  loop().RunFor(3s);
  EXPECT_EQ(StateOf("other"), "bound");
}

TEST_F(GatesTest, APlainPodIsPromisedTheRoomOfOneThatLeavesInAFullCluster) {
  cluster_.Create(MakeNode("n0").Cpu("4"));
  Process process(cluster_);
  cluster_.Create(MakePod("filler").Cpu("4"));
  loop().RunFor(3s);
  ASSERT_TRUE(
      cluster_.Delete({resources::kPods, "default", "filler"}, {.grace_period_seconds = 600})
          .has_value());
  cluster_.Create(MakePod("waits").Cpu("4"));
  loop().RunFor(3s);
  EXPECT_EQ(TextAt(Pod("waits"), "status.nominatedNodeName"), "n0");
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

TEST_F(GatesTest, AQueueThatGrowsAndGrowsAgainIsLookedAtEachTime) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  Process process(cluster_);
  cluster_.Create(Gated("wide").Cpu("3"));
  for (const std::string_view cpu : {"2", "2500m"}) {
    loop().RunFor(10s);
    EXPECT_EQ(StateOf("wide"), "gated");
    SetCapability("q", cpu);
  }
  loop().RunFor(10s);
  SetCapability("q", "3");
  loop().RunFor(5s);
  EXPECT_EQ(StateOf("wide"), "bound");
}

TEST_F(GatesTest, ASmallPodThatCameLaterIsNotForgottenBehindALargeOne) {
  cluster_.Create(MakeNode("n0").Cpu("20"));
  CreateQueue("q", "10");
  Process process(cluster_);
  cluster_.Create(Gated("runs").Cpu("7"));
  cluster_.Create(Gated("leaves").Cpu("1"));
  loop().RunFor(3s);
  cluster_.Create(Gated("large").Cpu("3"));  // the queue has two left
  loop().RunFor(3s);
  cluster_.Create(Gated("fills").Cpu("2"));
  loop().RunFor(3s);
  cluster_.Create(Gated("small").Cpu("1"));
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("large"), "gated");
  EXPECT_EQ(StateOf("fills"), "bound");
  EXPECT_EQ(StateOf("small"), "gated");
  Delete("leaves");
  loop().RunFor(5s);
  EXPECT_EQ(StateOf("large"), "gated");
  EXPECT_EQ(StateOf("small"), "bound");
}

TEST_F(GatesTest, WhoComesBeforeAClaimThatLapsesGetsItsRoomToo) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  cluster_.Create(testutil::MakeObject(resources::kPriorityClasses, "high").Set("value", 1000));
  CreateQueue("q", "1");
  Process process(cluster_, kWithHold);
  auto picky = Gated("bad");
  picky.NodeSelector("disk", "none-has-it");
  cluster_.Create(picky);
  loop().RunFor(3s);
  cluster_.Create(Gated("good").PriorityClass("high"));
  loop().RunFor(20s);
  EXPECT_EQ(StateOf("good"), "gated");
  loop().RunFor(30s);
  EXPECT_EQ(StateOf("good"), "bound");
}

TEST_F(GatesTest, APodThatIsAdmittedIsSeenThoughItsQueueRefusesMoreLikeIt) {
  CreateQueue("q", "1");
  Process process(cluster_);
  cluster_.Create(MakePodGroup("g", 1, "q"));
  for (const std::string_view name : {"g-w-0", "g-w-1"}) {
    cluster_.Create(Gated(name).Group("g"));
  }
  loop().RunFor(1min);
  EXPECT_EQ(StateOf("g-w-0"), "open unschedulable");
  EXPECT_EQ(StateOf("g-w-1"), "gated");
}

TEST_F(GatesTest, AClaimOfAJobThatRunsAlreadyLapsesToo) {
  cluster_.Create(MakeNode("n0").Cpu("1"));
  CreateQueue("q", "2");
  Process process(cluster_, kWithHold);
  cluster_.Create(MakePodGroup("g", 1, "q"));
  cluster_.Create(Gated("g-0").Group("g"));
  auto more = Gated("g-1");
  cluster_.Create(more.Group("g").NodeSelector("disk", "none-has-it"));
  loop().RunFor(5s);
  EXPECT_EQ(StateOf("g-0"), "bound");
  EXPECT_EQ(StateOf("g-1"), "open unschedulable");
  cluster_.Create(MakeNode("n1").Cpu("1"));
  cluster_.Create(Gated("next"));
  loop().RunFor(20s);
  EXPECT_EQ(StateOf("next"), "gated");
  loop().RunFor(20s);
  EXPECT_EQ(StateOf("next"), "bound");
  EXPECT_EQ(StateOf("g-1"), "open unschedulable");
}

// The webhook was away. It is an ordinary pod of the queue, so it does not pass by a claim.
TEST_F(GatesTest, APodThatCameWithoutItsGateWaitsBehindClaimsAndIsClaimedForItself) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  std::optional<Process> process(std::in_place, cluster_);
  auto picky = Gated("claims");
  picky.NodeSelector("disk", "none-has-it");
  cluster_.Create(picky);
  loop().RunFor(3s);
  auto away = MakePod("away").Cpu("1");
  away.Annotation(kGate, "true").Annotation("scheduling.volcano.sh/queue-name", "q");
  away.NodeSelector("disk", "none-has-it-either");
  cluster_.Create(away);
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("claims"), "open unschedulable");
  // It waits for its queue alone: more nodes would not help.
  EXPECT_EQ(StateOf("away"), "open");
  EXPECT_FALSE(Provisioned("away"));
  Delete("claims");
  loop().RunFor(5s);
  EXPECT_EQ(StateOf("away"), "open unschedulable");
  cluster_.Create(Gated("next"));
  process.emplace(cluster_);  // a restart
  loop().RunFor(10min);
  EXPECT_EQ(StateOf("next"), "gated");
  cluster_.Create(MakeNode("n1").Cpu("8").Label("disk", "none-has-it-either"));
  loop().RunFor(3s);
  EXPECT_EQ(StateOf("away"), "bound");
  EXPECT_EQ(StateOf("next"), "gated");
  Delete("away");
  loop().RunFor(3s);
  EXPECT_EQ(StateOf("next"), "bound");
}

TEST_F(GatesTest, AGatedJobThatNeedsMoreNodesDoesNotKeepOthersOffThoseThatThereAre) {
  cluster_.Create(MakeNode("n0").Cpu("4"));
  CreateQueue("large", "100");
  Process process(cluster_);
  cluster_.Create(MakePodGroup("g", 12, "large").Set("spec.minResources.cpu", "36"));
  for (int i = 0; i < 12; ++i) {
    auto pod = Gated("g-" + std::to_string(i));
    pod.Group("g").Cpu("3");
    cluster_.Create(pod);
  }
  loop().RunFor(5s);
  EXPECT_TRUE(Provisioned("g-0"));
  cluster_.Create(MakePodGroup("small", 2).Set("spec.minResources.cpu", "2"));
  for (int i = 0; i < 2; ++i) {
    cluster_.Create(MakePod("s-" + std::to_string(i)).Cpu("1").Group("small"));
  }
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("s-0"), "bound");
  EXPECT_EQ(StateOf("s-1"), "bound");
}

TEST_F(GatesTest, AGatedBestEffortPodIsPlacedByBackfillAndSeenWhereItFitsNowhere) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  Process process(cluster_);
  cluster_.Create(Gated("holder"));
  loop().RunFor(3s);
  const auto best_effort = [&](std::string_view name) {
    auto pod = MakePod(name);
    pod.Gate(kGate).Annotation(kGate, "true");
    pod.Annotation("scheduling.volcano.sh/queue-name", "q");
    return pod;
  };
  cluster_.Create(best_effort("fits"));
  cluster_.Create(best_effort("fits-nowhere").NodeSelector("disk", "none-has-it"));
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("fits"), "bound");
  EXPECT_EQ(StateOf("fits-nowhere"), "open unschedulable");
}

TEST_F(GatesTest, AGangOfBestEffortPodsIsSeenAsAWholeOrNotAtAll) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  Process process(cluster_);
  const auto add = [&](std::string_view name, std::string_view group) {
    auto pod = MakePod(name);
    pod.Gate(kGate).Annotation(kGate, "true").Group(group);
    return pod;
  };
  // Of the first one somebody else holds back a part; of the second a part fits.
  for (const std::string_view group : {"held", "open"}) {
    cluster_.Create(MakePodGroup(group, 2, "q"));
    const std::string name(group);
    cluster_.Create(add(name + "-0", group).NodeSelector("disk", "none-has-it"));
    auto second = add(name + "-1", group);
    if (group == "held") second.Gate("example.com/mine");
    cluster_.Create(second);
  }
  loop().RunFor(10s);
  EXPECT_EQ(StateOf("held-0"), "gated");
  EXPECT_EQ(StateOf("held-1"), "gated");
  EXPECT_EQ(StateOf("open-0"), "open unschedulable");
  EXPECT_EQ(StateOf("open-1"), "open unschedulable");
}

TEST_F(GatesTest, OneBadPodBeforeAHundredGoodOnesIsWaitedForOnlyUntilTheHoldTimeout) {
  for (const bool timeout : {true, false}) {
    SCOPED_TRACE(timeout);
    testutil::SchedulingCluster cluster;
    const auto state = [&](const std::string& name) {
      return TextAt(cluster.Get(resources::kPods, "default", name), "spec.nodeName");
    };
    cluster.Create(MakeNode("n0").Cpu("8"));
    cluster.Create(MakeQueue("q").Set("spec.capability.cpu", "1"));
    std::optional<Process> process(std::in_place, cluster, timeout ? kWithHold : "");
    auto bad = Gated("bad");
    bad.NodeSelector("disk", "none-has-it");
    cluster.Create(bad);
    cluster.loop().RunFor(2s);
    std::set<std::string> left;
    for (int i = 0; i < 100; ++i) {
      left.insert("good-" + std::to_string(i));
      cluster.Create(Gated("good-" + std::to_string(i)));
    }
    cluster.loop().RunFor(20s);
    EXPECT_EQ(cluster.Bound(), 0);
    // Each runs for a moment.
    for (int round = 0; round < 150 && !left.empty(); ++round) {
      cluster.loop().RunFor(1s);
      EXPECT_LE(cluster.Bound(), 1);
      if (round == 40) process.emplace(cluster, timeout ? kWithHold : "");
      std::erase_if(left, [&](const std::string& name) {
        if (state(name).empty()) return false;
        (void)cluster.Delete({resources::kPods, "default", name}, {.grace_period_seconds = 0});
        return true;
      });
    }
    EXPECT_EQ(left.size(), timeout ? 0u : 100u);
    if (!timeout) {  // it can be asked for whom they wait
      auto explainer = process->service.scheduler().MakeExplainer();
      ASSERT_TRUE(explainer.has_value());
      const auto why = explainer->Pod("default", "good-50");
      ASSERT_TRUE(why.has_value() && why->queue.has_value());
      EXPECT_EQ(why->queue->name, "q");
      ASSERT_EQ(why->queue->holders.size(), 1u);
      EXPECT_EQ(why->queue->holders[0].name, "bad");
      EXPECT_TRUE(why->queue->holders[0].claimed_since.has_value());
    }
    cluster.Create(MakeNode("n1").Cpu("8").Label("disk", "none-has-it"));
    cluster.loop().RunFor(3s);
    EXPECT_EQ(state("bad"), "n1");
  }
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

TEST_F(GatesTest, GatedPodsInAFullQueueCauseNoWritesHoweverManyCyclesThereAre) {
  cluster_.Create(MakeNode("n0").Cpu("100"));
  CreateQueue("q", "1");
  testutil::DirectApiClient direct(cluster_.network());
  testutil::CountingApiClient api(direct);
  kube::Client client(api);
  SchedulerService service(loop(), client);
  service.Start();
  cluster_.Create(Gated("holder"));
  loop().RunFor(3s);
  for (int i = 0; i < 1'000; ++i) cluster_.Create(Gated("w" + std::to_string(i)));
  cluster_.Create(MakePodGroup("g", 4, "q"));
  for (int i = 0; i < 4; ++i) cluster_.Create(Gated(fmt::format("g-w-{}", i)).Group("g"));
  loop().RunFor(1min);
  api.Clear();
  const std::uint64_t before = service.scheduler().cycles();
  for (int i = 0; i < 200; ++i) {
    const std::string patch = fmt::format(R"({{"metadata":{{"labels":{{"beat":"{}"}}}}}})", i);
    ASSERT_TRUE(cluster_.Patch({resources::kNodes, "", "n0"}, kube::PatchKind::kMerge, patch));
    loop().RunFor(1s);
  }
  EXPECT_GE(service.scheduler().cycles(), before + 200);
  EXPECT_THAT(api.writes(), testing::IsEmpty());
}

}  // namespace
}  // namespace basalt::scheduler
