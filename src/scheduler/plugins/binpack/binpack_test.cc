#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeRunningPod;

double ScoreOn(testutil::TestCluster& given, const char* node, boost::json::object arguments) {
  Config config = testutil::OneTier({"binpack"});
  config.tiers[0].plugins[0].arguments = Arguments(std::move(arguments));
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  return session.Score(given.task("p"), given.node(node));
}

TEST(BinpackTest, TheFullerNodeScoresHigherByTheWeightsOfItsResources) {
  testutil::TestCluster given;
  given.Add(MakeNode("n1", {{"cpu", "4"}, {"memory", "8Gi"}}));
  given.Add(MakeNode("n2", {{"cpu", "4"}, {"memory", "8Gi"}}));
  given.Add(MakeRunningPod("a", "", {{"cpu", "1"}, {"memory", "2Gi"}}, "n1"));
  given.Add(MakePod("p", "", {{"cpu", "1"}, {"memory", "4Gi"}}));
  EXPECT_DOUBLE_EQ(ScoreOn(given, "n1", {}), (0.5 + 0.75) / 2 * 100);
  EXPECT_DOUBLE_EQ(ScoreOn(given, "n2", {}), (0.25 + 0.5) / 2 * 100);
  EXPECT_DOUBLE_EQ(ScoreOn(given, "n1", {{"binpack.weight", 10}, {"binpack.cpu", 3}}),
                   (0.5 * 3 + 0.75) / 4 * 1000);
}

TEST(BinpackTest, ResourcesThatAreNotNamedDoNotCount) {
  testutil::TestCluster given;
  given.Add(MakeNode("n1", {{"cpu", "4"}, {"memory", "8Gi"}, {"nvidia.com/gpu", "4"}}));
  given.Add(MakePod("p", "", {{"cpu", "2"}, {"nvidia.com/gpu", "4"}}));
  EXPECT_DOUBLE_EQ(ScoreOn(given, "n1", {}), 50);
  EXPECT_DOUBLE_EQ(ScoreOn(given, "n1", {{"binpack.resources", "nvidia.com/gpu"}}), 75);
}

TEST(BinpackTest, AMistypedArgumentIsRefused) {
  Config config = testutil::OneTier({"binpack"});
  config.tiers[0].plugins[0].arguments = Arguments({{"binpack.wieght", 1}});
  EXPECT_FALSE(PluginSet::Make(std::move(config), BuiltinPlugins()).has_value());
}

}  // namespace
}  // namespace basalt::scheduler::plugins
