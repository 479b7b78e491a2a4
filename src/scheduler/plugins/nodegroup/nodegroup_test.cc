#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(NodeGroupTest, AQueueWithoutRulesHasThoseOfItsNearestAncestorInATree) {
  testutil::TestCluster given;
  kube::Queue parent = testutil::MakeQueue("parent"), child = testutil::MakeQueue("child");
  parent.affinity.emplace().affinity.emplace().required = {"gpu"};
  parent.affinity->affinity->preferred = {"spare"};
  child.parent = "parent";
  given.Add(testutil::MakeQueue("root")).Add(std::move(parent)).Add(std::move(child));
  for (const char* group : {"gpu", "spare", "other"}) {
    kube::Node node = testutil::MakeNode(group, {{"cpu", "1"}});
    node.meta.labels.Set("volcano.sh/nodegroup-name", group);
    given.Add(std::move(node));
  }
  given.Add(testutil::MakeNode("none", {{"cpu", "1"}}));
  given.Add(testutil::MakeGroup("g", "child", 1));
  given.Add(testutil::MakePod("p", "g", {{"cpu", "1"}}));
  for (const bool hierarchy : {true, false}) {
    Config config = testutil::OneTier({"nodegroup"});
    config.tiers[0].plugins[0].Set(Switch::kHierarchy, hierarchy);
    const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    Session session(given.cluster, *plugins, testutil::kTestNow);
    const auto fits = [&](const char* node) {
      return session.Filter(given.task("p"), given.node(node)).ok();
    };
    EXPECT_EQ(fits("gpu"), hierarchy);
    EXPECT_EQ(fits("spare"), hierarchy);
    EXPECT_FALSE(fits("other"));
    EXPECT_FALSE(fits("none"));
    EXPECT_EQ(session.Score(given.task("p"), given.node("gpu")), hierarchy ? 100 : 0);
    EXPECT_EQ(session.Score(given.task("p"), given.node("spare")), hierarchy ? 50 : 0);
  }
}

}  // namespace
}  // namespace basalt::scheduler::plugins
