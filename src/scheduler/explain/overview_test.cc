#include "scheduler/explain/overview.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler::explain {
namespace {

// Two nodes with four CPUs each; n1 runs one pod that has one of them.
struct Broken {
  const char* name;
  enum class Owner { kNone, kJob, kDaemonSet, kNode } owner = Owner::kNone;
  bool mirror = false;
  bool n1_ready = true, n2_ready = true;
  bool n1_cordoned = false, n2_cordoned = false;
  const char* cpu = "1";
  double part = 0;
};

class FragmentationTest : public testing::TestWithParam<Broken> {};

TEST_P(FragmentationTest, IsTheFreeRoomBesidePods) {
  const Broken& given = GetParam();
  testutil::TestCluster cluster;
  const auto add = [&](std::string name, bool ready, bool cordoned) {
    kube::Node node = testutil::MakeNode(std::move(name), {{"cpu", "4"}});
    node.spec.unschedulable = cordoned;
    node.status.conditions.push_back(
        {.type = "Ready",
         .status = ready ? kube::ConditionStatus::kTrue : kube::ConditionStatus::kFalse});
    cluster.Add(std::move(node));
  };
  add("n1", given.n1_ready, given.n1_cordoned);
  add("n2", given.n2_ready, given.n2_cordoned);
  kube::Pod pod = testutil::MakeRunningPod("p", "", {{"cpu", given.cpu}}, "n1");
  if (given.owner != Broken::Owner::kNone) {
    kube::OwnerReference owner;
    owner.kind = given.owner == Broken::Owner::kJob         ? "Job"
                 : given.owner == Broken::Owner::kDaemonSet ? "DaemonSet"
                                                            : "Node";
    owner.controller = true;
    pod.meta.owner_references.push_back(std::move(owner));
  }
  if (given.mirror) pod.meta.annotations.Set("kubernetes.io/config.mirror", "x");
  cluster.Add(std::move(pod));
  EXPECT_DOUBLE_EQ(FragmentationOf(cluster.cluster).at("cpu"), given.part);
}

using Owner = Broken::Owner;
INSTANTIATE_TEST_SUITE_P(
    Simulate, FragmentationTest,
    testing::ValuesIn<Broken>({
        {.name = "ThreeOfSevenFreeAreBesideAPod", .part = 3.0 / 7},
        {.name = "APodOfAJobIsOneLikeAnyOther", .owner = Owner::kJob, .part = 3.0 / 7},
        {.name = "ADaemonSetsPodIsWhereverANodeIs", .owner = Owner::kDaemonSet, .part = 0},
        {.name = "AStaticPodBelongsToItsNode", .owner = Owner::kNode, .part = 0},
        {.name = "AStaticPodsMirrorToo", .mirror = true, .part = 0},
        {.name = "ANodeThatIsNotReadyHasNothingFree", .n1_ready = false, .part = 0},
        {.name = "AllThatIsLeftIsBesideAPod", .n2_ready = false, .part = 1},
        {.name = "ACordonedNodeHasNothingFree", .n1_cordoned = true, .part = 0},
        {.name = "AllIsBesideAPodWhereTheOtherIsCordoned", .n2_cordoned = true, .part = 1},
        {.name = "WhereNothingIsFreeNothingIsBroken", .n2_ready = false, .cpu = "4", .part = 0},
        {.name = "ANodeThatIsOverfullTakesNothingAwayFromOthers", .cpu = "6", .part = 0},
    }),
    [](const auto& row) { return std::string(row.param.name); });

TEST(FragmentationOfNothingTest, IsNothing) {
  const testutil::TestCluster empty;
  for (const auto& [name, part] : FragmentationOf(empty.cluster)) EXPECT_EQ(part, 0) << name;
}

TEST(FragmentationOfNothingTest, PlacesForPodsAreNoResource) {
  testutil::TestCluster cluster;
  cluster.Add(testutil::MakeNode("n1", {{"cpu", "4"}, {"nvidia.com/gpu", "8"}}));
  const auto parts = FragmentationOf(cluster.cluster);
  EXPECT_TRUE(parts.contains("nvidia.com/gpu"));
  EXPECT_FALSE(parts.contains("pods"));
}

}  // namespace
}  // namespace basalt::scheduler::explain
