#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/node_index.h"
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
  EXPECT_DOUBLE_EQ(ScoreOn(given, "n1", {{"binpack.resources", "none,nvidia.com/gpu"}}), 75);
  given.Add(MakePod("p", "", {{"cpu", "2"}, {"nvidia.com/gpu", "5"}}));
  EXPECT_DOUBLE_EQ(ScoreOn(given, "n1", {}), 50) << "nor when there is too little of them";
}

// ---- many nodes at once

class BinpackScorerTest : public testing::Test {
 protected:
  BinpackScorerTest() {
    given_.Add(MakeNode("n1", {{"cpu", "4"}, {"memory", "8Gi"}}));
    given_.Add(MakePod("small", "", {{"cpu", "1"}, {"memory", "1Gi"}}));
    given_.Add(MakePod("fills", "", {{"cpu", "4"}, {"memory", "8Gi"}}));
    given_.Add(MakePod("large", "", {{"cpu", "5"}, {"memory", "1Gi"}}));
    given_.Add(MakePod("modest", "", {}));
  }
  const NodeScorer& Open(int weight) {
    Config config = testutil::OneTier({"binpack"});
    config.tiers[0].plugins[0].arguments = Arguments({{"binpack.weight", weight}});
    session_.reset();
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
    return *plugins_->hooks<NodeScorer>().front().front();
  }
  // Of all nodes together; none: there is no bound.
  std::optional<double> Bound(const NodeScorer& scorer, const char* task) {
    const model::NodeIndex& index = given_.cluster.FreshNodeIndex();
    const model::NodeBox box = index.Box(index.root());
    double bound = 0;
    if (!scorer.BoundScores(given_.task(task), std::span(&box, 1), std::span(&bound, 1))) return {};
    return bound;
  }
  std::vector<double> OneByOne(const NodeScorer& scorer, const char* task) {
    const auto nodes = given_.cluster.nodes();
    std::vector<double> scores(nodes.size());
    scorer.ScoreNodes(given_.task(task), nodes, scores);
    return scores;
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(BinpackScorerTest, TheBoundOfANodeByItselfIsItsScore) {
  const NodeScorer& scorer = Open(3);
  for (const char* task : {"small", "fills", "large", "modest"}) {
    EXPECT_EQ(Bound(scorer, task), OneByOne(scorer, task)[0]) << task;
  }
}

TEST_F(BinpackScorerTest, ANodeThatHasNoneOfAResourceKeepsTheBoundFromZero) {
  given_.Add(MakeNode("n2", {{"cpu", "4"}}));
  given_.Add(MakePod("p", "", {{"cpu", "1"}, {"memory", "9Gi"}}));
  const NodeScorer& scorer = Open(1);
  EXPECT_THAT(OneByOne(scorer, "p"), testing::ElementsAre(0, 12.5));
  EXPECT_GE(Bound(scorer, "p"), 12.5);
}

TEST_F(BinpackScorerTest, ThereIsNoBoundForAWeightBelowNothing) {
  EXPECT_EQ(Bound(Open(-1), "small"), std::nullopt);
  EXPECT_EQ(Bound(Open(0), "small"), 0);
}

TEST_F(BinpackScorerTest, AllNodesAtOnceScoreAsOneByOne) {
  given_.Add(MakeNode("n2", {{"cpu", "8"}})).Add(MakeNode("n3", {{"cpu", "16"}}));
  const NodeScorer& scorer = Open(3);
  for (const char* task : {"small", "fills", "large", "modest"}) {
    std::vector<double> scores(3);
    EXPECT_TRUE(scorer.ScoreAllNodes(given_.task(task), scores));
    EXPECT_EQ(scores, OneByOne(scorer, task)) << task;
  }
  std::vector<double> scores(3);
  scorer.ScoreAllNodes(given_.task("small"), scores);
  const double first = scores[0];
  scores.assign(3, 0);
  EXPECT_TRUE(scorer.ScoreAllNodes(given_.task("small"), std::span(scores).first(1)));
  EXPECT_THAT(scores, testing::ElementsAre(first, 0, 0)) << "no more than it was asked for";
}

TEST(BinpackTest, AMistypedArgumentIsRefused) {
  Config config = testutil::OneTier({"binpack"});
  config.tiers[0].plugins[0].arguments = Arguments({{"binpack.wieght", 1}});
  EXPECT_FALSE(PluginSet::Make(std::move(config), BuiltinPlugins()).has_value());
}

}  // namespace
}  // namespace basalt::scheduler::plugins
