// deps: basalt_testing basalt_testing_scheduling
// Whose turn it is, and since when: pods that come within one second, and pods that take their time
// to leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/seeds.h"
#include "tests/gates/gate_cluster.h"

namespace basalt::testutil {
namespace {

using testing::ElementsAre;

class GateTurnsTest : public testing::Test {
 protected:
  static void CreateQueueForOne(GateCluster& cluster) {
    cluster.cluster().Create(MakeNode("n0").Cpu("8"));
    cluster.cluster().Create(MakeQueue("q").Set("spec.capability.cpu", "1"));
  }
  static void Remove(GateCluster& cluster, std::string_view name, int grace) {
    const kube::Target target{kube::resources::kPods, "default", name};
    ASSERT_TRUE(cluster.cluster().Delete(target, {.grace_period_seconds = grace}).has_value());
  }
  static std::vector<std::string> States(const GateCluster& cluster) {
    return {cluster.StateOf("c"), cluster.StateOf("b"), cluster.StateOf("a")};
  }
};

// Creation timestamps have whole seconds, uids are random.
TEST_F(GateTurnsTest, PodsOfTheSameSecondAreServedInTheOrderInWhichTheyCame) {
  ForEachSeed(20, [](std::uint64_t seed) {
    GateCluster cluster({.seed = seed});
    CreateQueueForOne(cluster);
    cluster.loop().RunFor(2s);
    for (const char* name : {"c", "b", "a"}) cluster.cluster().Create(MakeGatedPod(name).Cpu("1"));
    cluster.loop().RunFor(5s);
    EXPECT_THAT(States(cluster), ElementsAre("bound", "gated", "gated"));
    Remove(cluster, "c", 0);
    cluster.loop().RunFor(5s);
    EXPECT_THAT(States(cluster), ElementsAre("gone", "bound", "gated"));
  });
}

TEST_F(GateTurnsTest, WhileAPodIsLeavingItsPlaceInTheQueueIsNotFree) {
  GateCluster cluster({});
  CreateQueueForOne(cluster);
  cluster.cluster().Create(MakeGatedPod("c").Cpu("1"));
  cluster.loop().RunFor(2s);
  cluster.cluster().Create(MakeGatedPod("b").Cpu("1").NodeSelector("disk", "none-has-it"));
  cluster.cluster().Create(MakeGatedPod("a").Cpu("1"));
  cluster.loop().RunFor(5s);
  Remove(cluster, "c", 30);
  cluster.loop().RunFor(20s);
  EXPECT_THAT(States(cluster), ElementsAre("bound", "gated", "gated")) << "it is still there";
  Remove(cluster, "c", 0);
  cluster.loop().RunFor(5s);
  EXPECT_THAT(States(cluster), ElementsAre("gone", "open unschedulable", "gated"));
}

}  // namespace
}  // namespace basalt::testutil
