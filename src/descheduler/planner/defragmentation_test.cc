#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "descheduler/planner/planner_test_util.h"

namespace basalt::descheduler {
namespace {

TEST(DefragmentationTest, EmptiesTheLeastUsedNodeOntoTheFullestThatHasRoom) {
  PlanCluster cluster;
  cluster.Node("a").Node("b").Node("c").Node("d");
  cluster.Pod("a1", "a", "1").Pod("a2", "a", "2").Pod("b1", "b", "1");
  cluster.Pod("c1", "c", "7").Pod("d1", "d", "8");
  cluster.args().protection["cpu"] = 100;
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "b1: b -> d; a2: a -> c; a1: a -> c") << BlockedOf(plan);
  EXPECT_EQ(plan.freed_nodes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(plan.freed_resources.at("cpu").ToString(), "20");
  EXPECT_EQ(plan.freed_resources.at("memory").ToString(), "20Gi");
  EXPECT_EQ(plan.disrupted, 3);
  EXPECT_DOUBLE_EQ(plan.score, 2.0 / 3);
  EXPECT_DOUBLE_EQ(plan.fragmentation_before.at("cpu"), 1.0);
  EXPECT_DOUBLE_EQ(plan.fragmentation_after.at("cpu"), 1.0 / 21);
  EXPECT_EQ(plan.blocked.size(), 0u);
  ASSERT_EQ(plan.nodes.size(), 4u);
  EXPECT_EQ(plan.nodes[0].role, NodeRole::kSource);
  EXPECT_EQ(plan.nodes[0].before.at("cpu"), 30);
  EXPECT_EQ(plan.nodes[0].after.at("cpu"), 0);
  EXPECT_EQ(plan.nodes[2].role, NodeRole::kTarget);
  EXPECT_EQ(plan.nodes[2].after.at("cpu"), 100);
  EXPECT_EQ(plan.moves[0].request.at("cpu").ToString(), "1");
  EXPECT_EQ(plan.resource_type, "cpu");
}

TEST(DefragmentationTest, LeavesTheClusterAsItWas) {
  PlanCluster cluster;
  cluster.Node("a").Node("b").Pod("a1", "a", "1").Pod("b1", "b", "7");
  const std::uint64_t before = cluster.objects.cluster.Hash();
  const Plan first = cluster.Make();
  ASSERT_EQ(first.moves.size(), 1u);
  EXPECT_EQ(cluster.objects.cluster.Hash(), before);
  EXPECT_EQ(cluster.objects.cluster.CheckLedgers(), "");
  EXPECT_EQ(boost::json::serialize(ToJson(cluster.Make())), boost::json::serialize(ToJson(first)));
}

}  // namespace
}  // namespace basalt::descheduler
