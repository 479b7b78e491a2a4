// deps: basalt_testing_scheduling basalt_testing_autoscalers
// Promises that last and evictions that end: the scheduler as a role against the embedded cluster,
// on virtual time. The autoscalers' own rules are the oracle of what they would do.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "testing/autoscalers/rules.h"
#include "testing/seeds.h"
#include "tests/pipelines/promise_cluster.h"

namespace basalt::systemtest {
namespace {

using testing::SizeIs;
namespace resources = kube::resources;

bool IsUnschedulable(const kube::Pod& pod) {
  const kube::Condition* condition = kube::FindCondition(pod.status.conditions, "PodScheduled");
  return condition && condition->status == kube::ConditionStatus::kFalse &&
         condition->reason == "Unschedulable";
}

void Print(const char* scenario, const PromiseCluster& cluster) {
  std::cout << fmt::format("{}: {} eviction(s): {}\n", scenario, cluster.Evictions().size(),
                           fmt::join(cluster.Evictions(), " "));
}

void AddTwoQueues(PromiseCluster& cluster) {
  cluster.AddNode("n1", "8");
  cluster.AddQueue("q1", "3");
  cluster.AddQueue("q2", "5");
  cluster.AddGroup("g1", 1, "q1");
  cluster.AddGroup("g2", 1, "q2");
  cluster.AddGroup("g3", 1, "q2");
  cluster.cluster().Create(cluster.Pod("pod1", "4", "g1").Label("comes-back", "pod1"));
  cluster.cluster().Create(cluster.Pod("pod2", "1", "g2"));
}

TEST(PipelinesTest, AGangThatWaitsStartsBeforeAThousandSmallerLaterPods) {
  PromiseCluster cluster;
  cluster.AddNode("n1", "4");
  cluster.AddNode("n2", "4");
  cluster.AddQueue("q", "");
  cluster.AddGroup("old", 1, "q", "low");
  for (int i = 0; i < 8; ++i)
    cluster.cluster().Create(cluster.Pod(fmt::format("old-{}", i), "1", "old"));
  cluster.StartScheduler();
  cluster.Run(3s);
  cluster.AddGroup("gang", 2, "q", "high");
  for (int i = 0; i < 2; ++i)
    cluster.cluster().Create(cluster.Pod(fmt::format("gang-{}", i), "3", "gang"));
  cluster.Run(2s);
  EXPECT_FALSE(cluster.GetPod("gang-0").status.nominated_node_name.empty());
  for (int i = 0; i < 1000; ++i) {
    const std::string name = fmt::format("late-{}", i);
    cluster.AddGroup(name, 1, "q", "low");
    cluster.cluster().Create(cluster.Pod(name, "500m", name));
    if (i % 250 == 0) cluster.Run(5s);
  }
  cluster.Run(45s);
  EXPECT_TRUE(cluster.GetPod("gang-0").bound());
  EXPECT_TRUE(cluster.GetPod("gang-1").bound());
  for (const kube::Pod& pod : cluster.Pods()) {
    // What is left of the nodes is a pod of "old" each: whoever came later took the gang's room.
    EXPECT_FALSE(pod.meta.name.starts_with("late-") && pod.bound()) << pod.meta.name;
  }
  EXPECT_THAT(cluster.Evictions(), SizeIs(6)) << "3 of 4 on each of two nodes";
  Print("a gang and a thousand later pods (5044)", cluster);
}

// Volcano's issue 3499: one node too many for pods that preempt.
TEST(PipelinesTest, PodsThatPreemptAreNeverSeenByAnAutoscalerTheirVictimsAre) {
  PromiseCluster cluster;
  cluster.AddNode("n1", "4");
  cluster.AddQueue("q", "");
  cluster.AddGroup("low", 0, "q", "low");
  for (int i = 0; i < 4; ++i) {
    cluster.cluster().Create(
        cluster.Pod(fmt::format("low-{}", i), "1", "low").Label("comes-back", "low"));
  }
  cluster.StartScheduler();
  cluster.Run(3s);
  for (int i = 0; i < 4; ++i) {
    cluster.AddGroup(fmt::format("high-{}", i), 1, "q", "high");
    cluster.cluster().Create(
        cluster.Pod(fmt::format("high-{}", i), "1", fmt::format("high-{}", i)));
  }
  for (int step = 0; step < 400; ++step) {
    cluster.Run(100ms);
    const std::vector<kube::Pod> pods = cluster.Pods();
    for (const kube::Pod& pod : pods) {
      if (!pod.meta.name.starts_with("high-")) continue;
      EXPECT_FALSE(testutil::KarpenterIsProvisionable(pod)) << pod.meta.name << " at " << step;
      EXPECT_NE(testutil::SeenByClusterAutoscaler(pod, cluster.Nodes()),
                testutil::ClusterAutoscalerView::kUnschedulable);
    }
    if (testing::Test::HasFailure()) return;
  }
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(cluster.GetPod(fmt::format("high-{}", i)).bound());
  // One node's worth of pods is left over: the victims.
  const std::vector<kube::Pod> pods = cluster.Pods();
  EXPECT_THAT(testutil::ClusterAutoscalerWants(pods, cluster.Nodes()), SizeIs(4));
  EXPECT_THAT(cluster.Evictions(), SizeIs(4));
  Print("double scale-up (3499)", cluster);
}

// Volcano's issue 3681: a pod behind one that ends slowly, or never.
TEST(PipelinesTest, APodBehindOneThatNeverEndsIsSeenByAutoscalersWhenItsPromiseEnds) {
  PromiseCluster cluster;
  cluster.AddNode("n1", "1");
  cluster.AddQueue("q", "");
  cluster.AddGroup("a", 1, "q");
  cluster.AddGroup("b", 1, "q");
  cluster.cluster().Create(
      cluster.Pod("a", "1", "a").Set("spec.terminationGracePeriodSeconds", 600));
  cluster.StartScheduler();
  cluster.Run(3s);
  ASSERT_TRUE(cluster.GetPod("a").bound());
  cluster.Stuck("a");
  cluster.DeletePod("a");
  cluster.cluster().Create(cluster.Pod("b", "1", "b"));
  cluster.Run(2s);
  kube::Pod b = cluster.GetPod("b");
  EXPECT_EQ(b.status.nominated_node_name, "n1");
  EXPECT_EQ(testutil::SeenByClusterAutoscaler(b, cluster.Nodes()),
            testutil::ClusterAutoscalerView::kPlaced);
  cluster.Run(600s + 110s);
  EXPECT_EQ(cluster.GetPod("b").status.nominated_node_name, "n1") << "the lease runs for 12 min";
  cluster.Run(15s);
  b = cluster.GetPod("b");
  EXPECT_EQ(b.status.nominated_node_name, "");
  EXPECT_TRUE(IsUnschedulable(b));
  EXPECT_TRUE(testutil::KarpenterIsProvisionable(b));
  EXPECT_EQ(testutil::SeenByClusterAutoscaler(b, cluster.Nodes()),
            testutil::ClusterAutoscalerView::kUnschedulable);
  // It is not promised the same node again; another takes it.
  cluster.Run(5min);
  EXPECT_EQ(cluster.GetPod("b").status.nominated_node_name, "");
  cluster.AddNode("n2", "1");
  cluster.Run(1s);
  EXPECT_EQ(cluster.GetPod("b").spec.node_name, "n2");
}

struct NodeChange {
  const char* what;
  std::function<void(PromiseCluster&)> change;
};

TEST(PipelinesTest, AClaimIsDroppedWithinACycleWhenItsNodeChangesAndThePodGoesElsewhere) {
  const auto patch = [](const char* sub, const char* body) {
    return [sub, body](PromiseCluster& cluster) {
      EXPECT_TRUE(cluster.cluster()
                      .Patch({resources::kNodes, "", "n1", sub}, kube::PatchKind::kMerge, body)
                      .has_value());
    };
  };
  const NodeChange changes[] = {
      {"deleted",
       [](PromiseCluster& cluster) {
         EXPECT_TRUE(cluster.cluster().Delete({resources::kNodes, "", "n1"}).has_value());
       }},
      {"cordoned", patch("", R"({"spec":{"unschedulable":true}})")},
      {"tainted",
       patch("", R"({"spec":{"taints":[{"key":"a","value":"b","effect":"NoSchedule"}]}})")},
      {"shrunk",
       patch("status", R"({"status":{"allocatable":{"cpu":"1"},"capacity":{"cpu":"1"}}})")},
  };
  for (const NodeChange& change : changes) {
    SCOPED_TRACE(change.what);
    PromiseCluster cluster;
    cluster.AddNode("n1", "2");
    cluster.AddQueue("q", "");
    cluster.AddGroup("a", 1, "q");
    cluster.AddGroup("b", 1, "q");
    cluster.cluster().Create(cluster.Pod("a", "2", "a"));
    cluster.StartScheduler();
    cluster.Run(3s);
    cluster.DeletePod("a");
    cluster.cluster().Create(cluster.Pod("b", "2", "b"));
    cluster.Run(1s);
    ASSERT_EQ(cluster.GetPod("b").status.nominated_node_name, "n1");
    change.change(cluster);
    cluster.cluster().loop().RunFor(100ms);
    EXPECT_EQ(cluster.GetPod("b").status.nominated_node_name, "");
    EXPECT_TRUE(IsUnschedulable(cluster.GetPod("b")));
    cluster.AddNode("n2", "2");
    cluster.Run(1s);
    EXPECT_EQ(cluster.GetPod("b").spec.node_name, "n2");
  }
}

TEST(PipelinesTest, ANominationIsWrittenBeforeTheEvictionsThatItIsFor) {
  PromiseCluster cluster;
  AddTwoQueues(cluster);
  cluster.StartScheduler();
  cluster.Run(5s);
  cluster.cluster().Create(cluster.Pod("pod3", "4", "g3"));
  cluster.Run(5s);
  bool nominated = false;
  for (const RecordingApi::Write& write : cluster.api().writes()) {
    if (write.body.find("nominatedNodeName") != std::string::npos) {
      nominated = true;
      EXPECT_NE(write.body.find("Unschedulable"), std::string::npos) << "not in one write";
    }
    if (write.path.ends_with("/eviction")) {
      EXPECT_TRUE(nominated);
    }
  }
  EXPECT_TRUE(nominated);
}

// Backfill under the same rule: best-effort pods need a place among the pods of a node.
TEST(PipelinesTest, ABestEffortPodTakesNoPlaceThatIsPromisedToAnother) {
  PromiseCluster cluster;
  cluster.AddNode("n1", "2", /*pods=*/"1");
  cluster.AddQueue("q", "");
  for (const char* group : {"a", "b", "c"}) cluster.AddGroup(group, 1, "q");
  cluster.cluster().Create(cluster.Pod("a", "1", "a"));
  cluster.StartScheduler();
  cluster.Run(3s);
  ASSERT_TRUE(cluster.GetPod("a").bound());
  cluster.DeletePod("a");
  cluster.cluster().Create(cluster.Pod("b", "1", "b"));
  cluster.Run(1s);
  EXPECT_EQ(cluster.GetPod("b").status.nominated_node_name, "n1");
  cluster.cluster().Create(testutil::MakePod("c").Group("c"));
  cluster.Run(2s);
  EXPECT_FALSE(cluster.GetPod("c").bound());
  cluster.Run(60s);
  EXPECT_TRUE(cluster.GetPod("b").bound());
  EXPECT_FALSE(cluster.GetPod("c").bound());
  EXPECT_EQ(cluster.Check(), "");
  cluster.DeletePod("b");
  cluster.Run(60s);
  EXPECT_TRUE(cluster.GetPod("c").bound()) << "its turn, when the place is free";
}

// A victim that never goes, on a node of its own: the room that is waited for is the queue's.
TEST(PipelinesTest, AClaimThatWaitsForItsQueueEndsWithTheLeaseOfThoseWhoLeaveIt) {
  PromiseCluster cluster;
  cluster.AddNode("n1", "1");
  cluster.AddNode("n2", "1");
  cluster.cluster().Create(testutil::MakeQueue("q").Set("spec.capability.cpu", "1"));
  cluster.AddGroup("a", 1, "q");
  cluster.AddGroup("b", 1, "q");
  cluster.cluster().Create(cluster.Pod("a", "1", "a"));
  cluster.StartScheduler();
  cluster.Run(3s);
  ASSERT_TRUE(cluster.GetPod("a").bound());
  cluster.Stuck("a");
  cluster.DeletePod("a");
  cluster.cluster().Create(cluster.Pod("b", "1", "b"));
  cluster.Run(20s);
  EXPECT_FALSE(cluster.GetPod("b").status.nominated_node_name.empty());
  EXPECT_FALSE(cluster.GetPod("b").bound()) << "the queue would be over its limit";
  cluster.Run(3min);
  EXPECT_EQ(cluster.GetPod("b").status.nominated_node_name, "");
  EXPECT_FALSE(cluster.GetPod("b").bound());
  EXPECT_EQ(cluster.Check(), "");
}

// What a scheduler that dies knows of evictions, the next one knows too: a pod made anew, of the
// priority and queue of the one that left, does not get the place back by evicting.
TEST(PipelinesTest, WhoWasEvictedForWhomIsKnownAfterARestart) {
  PromiseCluster cluster;
  AddTwoQueues(cluster);
  cluster.StartScheduler();
  cluster.Run(5s);
  cluster.cluster().Create(cluster.Pod("pod3", "4", "g3"));
  cluster.Run(60s);
  ASSERT_TRUE(cluster.GetPod("pod3").bound());
  const std::string carried(cluster.GetPod("pod3").meta.annotations.Get("basalt.sh/evictions"));
  EXPECT_NE(carried.find("default/pod1"), std::string::npos) << carried;
  cluster.StartScheduler();
  cluster.Run(1min);
  EXPECT_EQ(cluster.remembered(), 1u);
  EXPECT_THAT(cluster.Evictions(), testing::ElementsAre("pod1"));
  EXPECT_EQ(cluster.Check(), "");
}

// The scheduler's memory must not stand against a policy that was changed meanwhile.
TEST(PipelinesTest, AQueueGetsBackWhatItDeservesSinceItsShareWasChanged) {
  PromiseCluster cluster;
  AddTwoQueues(cluster);
  cluster.StartScheduler();
  cluster.Run(5s);
  cluster.cluster().Create(cluster.Pod("pod3", "4", "g3"));
  cluster.Run(1min);
  ASSERT_THAT(cluster.Evictions(), testing::ElementsAre("pod1"));
  cluster.Run(1min);
  ASSERT_THAT(cluster.Evictions(), SizeIs(1)) << "what was made anew waits";
  for (const auto& [queue, cpu] : {std::pair("q1", "7"), std::pair("q2", "1")}) {
    ASSERT_TRUE(cluster.cluster()
                    .Patch({resources::kQueues, "", queue}, kube::PatchKind::kMerge,
                           fmt::format(R"({{"spec":{{"deserved":{{"cpu":"{}"}}}}}})", cpu))
                    .has_value());
  }
  cluster.Run(1min);
  EXPECT_THAT(cluster.Evictions(), testing::ElementsAre("pod1", "pod3"));
  EXPECT_EQ(cluster.Check(), "");
}

TEST(PipelinesTest, APodThatIsMadeAgainUnderItsNamePreemptsAgain) {
  PromiseCluster cluster;
  cluster.AddNode("n1", "2");
  cluster.AddQueue("q", "");
  cluster.AddGroup("low", 1, "q", "low");
  cluster.AddGroup("high", 1, "q", "high");
  cluster.cluster().Create(
      cluster.Pod("stays", "1", "low").Annotation("volcano.sh/preemptable", "false"));
  const auto low = [&] { cluster.cluster().Create(cluster.Pod("low", "1", "low")); };
  const auto high = [&] { cluster.cluster().Create(cluster.Pod("high", "1", "high")); };
  low();
  cluster.StartScheduler();
  cluster.Run(5s);
  high();
  cluster.Run(1min);
  ASSERT_TRUE(cluster.GetPod("high").bound());
  cluster.DeletePod("high");
  cluster.Run(1min);
  low();
  cluster.Run(5s);
  ASSERT_TRUE(cluster.GetPod("low").bound());
  high();
  cluster.Run(1min);
  EXPECT_TRUE(cluster.GetPod("high").bound());
  EXPECT_THAT(cluster.Evictions(), testing::ElementsAre("low", "low"));
}

}  // namespace
}  // namespace basalt::systemtest
