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
using testutil::Resources;

// By the named weight alone.
std::unique_ptr<PluginSet> Only(std::string_view weight) {
  Config config = testutil::OneTier({"nodeorder"});
  boost::json::object arguments;
  for (const char* key :
       {"leastrequested.weight", "mostrequested.weight", "balancedresource.weight",
        "nodeaffinity.weight", "imagelocality.weight", "podaffinity.weight",
        "tainttoleration.weight", "podtopologyspread.weight"}) {
    arguments[key] = key == weight ? 1 : 0;
  }
  config.tiers[0].plugins[0].arguments = Arguments(std::move(arguments));
  return testutil::MakePlugins(std::move(config), BuiltinPlugins());
}

// The best node by the named weight alone.
std::string Best(testutil::TestCluster& given, const char* only) {
  const auto plugins = Only(only);
  Session session(given.cluster, *plugins, testutil::kTestNow);
  const auto found = session.finder().Best(given.task("p"), NodeFinder::Room::kChecked);
  return found ? given.cluster.node(found->node).name : "none";
}

kube::Node Labelled(const char* name, const char* zone) {
  kube::Node node = MakeNode(name, {{"cpu", "4"}, {"memory", "8Gi"}});
  node.meta.labels.Set("zone", zone);
  return node;
}

TEST(NodeOrderTest, LeastAndMostRequestedPullApart) {
  testutil::TestCluster given;
  given.Add(Labelled("a", "z")).Add(Labelled("b", "z"));
  given.Add(MakeRunningPod("x", "", {{"cpu", "2"}, {"memory", "4Gi"}}, "a"));
  given.Add(MakePod("p", "", {{"cpu", "1"}, {"memory", "1Gi"}}));
  EXPECT_EQ(Best(given, "leastrequested.weight"), "b");
  EXPECT_EQ(Best(given, "mostrequested.weight"), "a");
}

TEST(NodeOrderTest, BalancedAllocationEvensOutCpuAndMemory) {
  testutil::TestCluster given;
  given.Add(Labelled("a", "z")).Add(Labelled("b", "z"));
  given.Add(MakeRunningPod("x", "", {{"cpu", "2"}, {"memory", "1Gi"}}, "a"));
  given.Add(MakeRunningPod("y", "", {{"cpu", "1"}, {"memory", "4Gi"}}, "b"));
  given.Add(MakePod("p", "", {{"cpu", "1"}, {"memory", "1Gi"}}));
  EXPECT_EQ(Best(given, "balancedresource.weight"), "b");
}

TEST(NodeOrderTest, PreferredNodeAffinityAndSoftTaints) {
  testutil::TestCluster given;
  kube::Node tainted = Labelled("b", "z2");
  tainted.spec.taints.push_back({.key = "old", .effect = kube::TaintEffect::kPreferNoSchedule});
  given.Add(Labelled("a", "z1")).Add(std::move(tainted)).Add(Labelled("c", "z2"));
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  pod.spec.affinity.emplace().node.emplace().preferred.push_back(
      {.weight = 5,
       .preference = {.match_expressions = {{.key = "zone",
                                             .op = kube::NodeSelectorRequirement::Operator::kIn,
                                             .values = {"z2"}}}}});
  given.Add(std::move(pod));
  EXPECT_EQ(Best(given, "nodeaffinity.weight"), "b");
  EXPECT_EQ(Best(given, "tainttoleration.weight"), "a");
}

TEST(NodeOrderTest, PreferredPodAffinityWorksInBothDirections) {
  testutil::TestCluster given;
  given.Add(Labelled("a", "z1")).Add(Labelled("b", "z2"));
  kube::WeightedPodAffinityTerm near;
  near.weight = 10;
  near.term.label_selector = kube::LabelSelector::OfLabels({{"app", "db"}});
  near.term.topology_key = "zone";
  kube::Pod db = MakeRunningPod("db", "", {{"cpu", "1"}}, "b");
  db.meta.labels.Set("app", "db");
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  pod.spec.affinity.emplace().pod.preferred.push_back(near);
  given.Add(std::move(db)).Add(std::move(pod));
  EXPECT_EQ(Best(given, "podaffinity.weight"), "b");

  testutil::TestCluster other;
  other.Add(Labelled("a", "z1")).Add(Labelled("b", "z2"));
  kube::Pod wishes = MakeRunningPod("w", "", {{"cpu", "1"}}, "b");
  wishes.spec.affinity.emplace().pod.preferred.push_back(near);
  kube::Pod plain = MakePod("p", "", {{"cpu", "1"}});
  plain.meta.labels.Set("app", "db");
  other.Add(std::move(wishes)).Add(std::move(plain));
  EXPECT_EQ(Best(other, "podaffinity.weight"), "b");
}

TEST(NodeOrderTest, SoftSpreadPrefersTheEmptierZone) {
  testutil::TestCluster given;
  given.Add(Labelled("a", "z1")).Add(Labelled("b", "z2"));
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  pod.meta.labels.Set("app", "web");
  pod.spec.topology_spread_constraints.push_back(
      {.max_skew = 1,
       .topology_key = "zone",
       .when_unsatisfiable = kube::TopologySpreadConstraint::WhenUnsatisfiable::kScheduleAnyway,
       .label_selector = kube::LabelSelector::OfLabels({{"app", "web"}})});
  kube::Pod placed = MakeRunningPod("x", "", {{"cpu", "1"}}, "a");
  placed.meta.labels.Set("app", "web");
  given.Add(std::move(pod)).Add(std::move(placed));
  EXPECT_EQ(Best(given, "podtopologyspread.weight"), "b");
}

// ---- what one node scores, in each way of asking

struct ScoreRow {
  const char* name;
  const char* weight;
  kube::ResourceList node;
  kube::ResourceList pod;
  double score;
};

class OneNodeScoreTest : public testing::TestWithParam<ScoreRow> {};

TEST_P(OneNodeScoreTest, IsTheSameByItselfAmongAllAndAsABound) {
  testutil::TestCluster given;
  kube::Node object = MakeNode("n", {});
  object.status.allocatable = GetParam().node;
  given.Add(std::move(object));
  kube::Pod pod = MakePod("p", "", {});
  pod.spec.containers[0].resources.requests = GetParam().pod;
  pod.spec.containers[0].image = "web:1";
  const Task& task = given.Add(std::move(pod)).task("p");
  const auto plugins = Only(GetParam().weight);
  Session session(given.cluster, *plugins, testutil::kTestNow);
  const NodeScorer& scorer = *plugins->hooks<NodeScorer>().front().front();
  const NodeId node = given.node("n").id;
  double by_itself = 0;
  scorer.ScoreNodes(task, std::span(&node, 1), std::span(&by_itself, 1));
  EXPECT_EQ(by_itself, GetParam().score);
  std::vector<double> all(given.cluster.node_slots().bound(), 0.0);
  ASSERT_TRUE(scorer.ScoreAllNodes(task, all));
  EXPECT_EQ(all[node.index()], GetParam().score);
  const model::NodeIndex& index = given.cluster.FreshNodeIndex();
  const model::NodeBox box = index.Box(index.root());
  double bound = 0;
  ASSERT_TRUE(scorer.BoundScores(task, std::span(&box, 1), std::span(&bound, 1)));
  EXPECT_EQ(bound, GetParam().score);
}

INSTANTIATE_TEST_SUITE_P(
    NodeOrder, OneNodeScoreTest,
    testing::ValuesIn<ScoreRow>({
        {"WithoutCpuMemoryAloneCounts", "leastrequested.weight", Resources({{"memory", "4Gi"}}),
         Resources({{"memory", "1Gi"}}), 75},
        {"WithNeitherNothingIsLeft", "leastrequested.weight", Resources({{"pods", "9"}}), {}, 0},
        {"WithNeitherNothingIsUsed", "mostrequested.weight", Resources({{"pods", "9"}}), {}, 0},
        {"AlmostAWholeNumberIsTheOneBelow", "leastrequested.weight",
         Resources({{"memory", "999999999999"}}), Resources({{"memory", "10000000000"}}), 98},
        {"WhoAsksForNothingMindsNoImbalance",
         "balancedresource.weight",
         Resources({{"cpu", "4"}, {"memory", "4Gi"}}),
         {},
         0},
        {"NoNodeHasAnImage", "imagelocality.weight", Resources({{"cpu", "4"}}), {}, 0},
        {"NoNodeHasATaint", "tainttoleration.weight", Resources({{"cpu", "4"}}), {}, 0},
    }),
    [](const auto& row) { return std::string(row.param.name); });

// ---- which nodes are compared with each other

struct ComparedRow {
  const char* name;
  const char* weight;
  std::vector<int> taints;  // how many each node has
  void (*wish)(kube::Pod& pod);
  bool compared;
};

void WishesNothing(kube::Pod&) {}
void WishesToBeNear(kube::Pod& pod, const char* app) {
  kube::WeightedPodAffinityTerm near;
  near.weight = 10;
  near.term.label_selector = kube::LabelSelector::OfLabels({{"app", app}});
  near.term.topology_key = "zone";
  pod.spec.affinity.emplace().pod.preferred.push_back(std::move(near));
}
void WishesToSpread(kube::Pod& pod) {
  pod.spec.topology_spread_constraints.push_back(
      {.max_skew = 1,
       .topology_key = "zone",
       .when_unsatisfiable = kube::TopologySpreadConstraint::WhenUnsatisfiable::kScheduleAnyway,
       .label_selector = kube::LabelSelector::OfLabels({{"app", "db"}})});
}

class ComparedNodesTest : public testing::TestWithParam<ComparedRow> {};

// What is not compared costs little, and adds nothing.
TEST_P(ComparedNodesTest, OnlyWhereThatCanMatter) {
  testutil::TestCluster given;
  for (const int taints : GetParam().taints) {
    kube::Node node = Labelled(given.cluster.nodes().empty() ? "a" : "b", "z");
    for (int i = 0; i < taints; ++i) {
      node.spec.taints.push_back(
          {.key = std::to_string(i), .effect = kube::TaintEffect::kPreferNoSchedule});
    }
    given.Add(std::move(node));
  }
  kube::Pod db = MakeRunningPod("db", "", {{"cpu", "1"}}, "a");
  db.meta.labels.Set("app", "db");
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  GetParam().wish(pod);
  const Task& task = given.Add(std::move(db)).Add(std::move(pod)).task("p");
  const auto plugins = Only(GetParam().weight);
  Session session(given.cluster, *plugins, testutil::kTestNow);
  const BatchScorer& scorer = *plugins->hooks<BatchScorer>().front().front();
  EXPECT_EQ(scorer.Concerns(task), GetParam().compared);
  if (GetParam().compared) return;
  std::vector<double> scores(2, 0.0);
  scorer.ScoreBatch(task, given.cluster.nodes(), scores);
  EXPECT_EQ(scores, std::vector<double>(2, 0.0));
}

INSTANTIATE_TEST_SUITE_P(
    NodeOrder, ComparedNodesTest,
    testing::ValuesIn<ComparedRow>({
        {"DifferentTaints", "tainttoleration.weight", {1, 2}, WishesNothing, true},
        {"TheSameTaints", "tainttoleration.weight", {1, 1}, WishesNothing, false},
        {"ATaintOfOne", "tainttoleration.weight", {0, 2}, WishesNothing, false},
        {"TaintsThatWeighNothing", "leastrequested.weight", {1, 2}, WishesNothing, false},
        {"Spreading", "podtopologyspread.weight", {0, 0}, WishesToSpread, true},
        {"NoSpreading", "podtopologyspread.weight", {0, 0}, WishesNothing, false},
        {"SpreadingThatWeighsNothing", "leastrequested.weight", {0, 0}, WishesToSpread, false},
        {"PodsThatAreThere",
         "podaffinity.weight",
         {0, 0},
         [](kube::Pod& pod) { WishesToBeNear(pod, "db"); },
         true},
        {"PodsThatAreNotThere",
         "podaffinity.weight",
         {0, 0},
         [](kube::Pod& pod) { WishesToBeNear(pod, "none"); },
         false},
        {"PodsThatWeighNothing",
         "leastrequested.weight",
         {0, 0},
         [](kube::Pod& pod) { WishesToBeNear(pod, "db"); },
         false},
    }),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace basalt::scheduler::plugins
