// The best node must be the best of all nodes, whatever way it was found: searched for, or from a
// table. Random clusters, tasks and mixes of all scorers, compared with looking at every node.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "model/node_index.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testutil::MakeNode;
using testutil::MakePod;

constexpr const char* kWeights[] = {"leastrequested.weight",   "mostrequested.weight",
                                    "balancedresource.weight", "nodeaffinity.weight",
                                    "imagelocality.weight",    "tainttoleration.weight"};

template <class T, std::size_t N>
const T& OneOf(Random& random, const T (&items)[N]) {
  return items[random.Below(N)];
}

kube::Node RandomNode(Random& random, int number, bool uniform) {
  const char* cpus[] = {"8", "16", "32", "33"};
  const char* memories[] = {"16Gi", "64Gi", "100Gi"};
  const std::string name = "n" + std::to_string(random.Below(10)) + "-" + std::to_string(number);
  kube::Node node = uniform ? MakeNode(name, {{"cpu", "16"}, {"memory", "64Gi"}, {"pods", "20"}})
                            : MakeNode(name, {{"cpu", OneOf(random, cpus)},
                                              {"memory", OneOf(random, memories)},
                                              {"pods", "20"}});
  if (!uniform && random.Chance(0.3)) {
    node.status.allocatable.Set("nvidia.com/gpu",
                                kube::Quantity::Of(static_cast<std::int64_t>(random.Below(9))));
  }
  node.meta.labels.Set("zone", "z" + std::to_string(random.Below(3)));
  if (random.Chance(0.1)) node.meta.labels.Set("volcano.sh/revocable-zone", "spot");
  if (random.Chance(0.5)) {
    node.status.images.push_back(
        {.names = {"app:1"}, .size_bytes = std::int64_t{400} * 1024 * 1024});
  }
  if (random.Chance(0.1)) {
    node.spec.taints.push_back({.key = "full", .effect = kube::TaintEffect::kNoSchedule});
  }
  return node;
}

kube::Pod RandomPod(Random& random, const std::string& name) {
  kube::Pod pod = MakePod(name, "g", {});
  auto& requests = pod.spec.containers[0].resources.requests;
  if (random.Chance(0.9)) {
    requests.Set("cpu", kube::Quantity::OfMilli(static_cast<std::int64_t>(random.Below(3000))));
  }
  if (random.Chance(0.8)) {
    requests.Set("memory", kube::Quantity::Of(static_cast<std::int64_t>(random.Below(8)) << 30));
  }
  if (random.Chance(0.2)) {
    requests.Set("nvidia.com/gpu", kube::Quantity::Of(1));
  }
  pod.spec.containers[0].image = random.Chance(0.5) ? "app:1" : "other:1";
  if (random.Chance(0.2)) pod.spec.node_selector.Set("zone", "z1");
  if (random.Chance(0.2)) {
    pod.spec.affinity.emplace().node.emplace().preferred.push_back(
        {.weight = static_cast<std::int32_t>(random.Below(20)),
         .preference = {.match_expressions = {{.key = "zone",
                                               .op = kube::NodeSelectorRequirement::Operator::kIn,
                                               .values = {"z2"}}}}});
  }
  if (random.Chance(0.2)) pod.meta.annotations.Set("volcano.sh/revocable-zone", "*");
  return pod;
}

Config RandomConfig(Random& random) {
  std::vector<std::string> names{"predicates"};
  for (const char* name : {"nodeorder", "binpack", "tdm"}) {
    if (random.Chance(0.75)) names.emplace_back(name);
  }
  Config config = testutil::OneTier({});
  config.tiers.resize(1);
  for (const std::string& name : names) {
    boost::json::object arguments;
    if (name == "nodeorder") {
      for (const char* key : kWeights) arguments[key] = static_cast<int>(random.Below(3));
    } else if (name == "binpack") {
      arguments["binpack.weight"] = static_cast<int>(1 + random.Below(9));
      arguments["binpack.cpu"] = static_cast<int>(random.Below(4));
      arguments["binpack.resources"] = "nvidia.com/gpu";
    } else if (name == "tdm") {
      arguments["tdm.revocable-zone.spot"] = "00:00-23:59";
    }
    config.tiers[0].plugins.push_back(testutil::OneTier({name}).tiers[0].plugins[0]);
    config.tiers[0].plugins.back().arguments = Arguments(std::move(arguments));
  }
  return config;
}

// What Best must answer: every node looked at, in the order of names.
std::optional<NodeFinder::Found> LookAtAll(const Session& session, const Task& task) {
  std::optional<NodeFinder::Found> best;
  if (task.task_class->unknown_resource) return best;  // no node has it
  double best_score = 0;
  const model::Cluster& cluster = session.cluster();
  for (const NodeId id : cluster.nodes()) {
    const Node& node = cluster.node(id);
    if (!cluster.ledger().FitsFuture(task.request(), id)) continue;
    if (!session.Filter(task, node).ok()) continue;
    const bool now = cluster.ledger().FitsIdle(task.request(), id);
    if (best && best->now && !now) continue;
    const double score = session.Score(task, node);
    if (!best || now > best->now || score > best_score) {
      best = {.node = id, .now = now};
      best_score = score;
    }
  }
  return best;
}

class BestNodeTest : public testing::TestWithParam<int> {};

TEST_P(BestNodeTest, IsTheBestOfAllNodes) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeGroup("g", "q", 1));
  const bool uniform = random.Chance(0.3);
  const int nodes = 1 + static_cast<int>(random.Below(200));
  for (int i = 0; i < nodes; ++i) given.Add(RandomNode(random, i, uniform));
  const auto plugins = testutil::MakePlugins(RandomConfig(random), BuiltinPlugins());
  for (int cycle = 0; cycle < 3; ++cycle) {
    // Nodes come and go between sessions.
    if (random.Chance(0.5)) given.Add(RandomNode(random, nodes + cycle, uniform));
    if (random.Chance(0.5)) {
      const NodeId gone = given.cluster.nodes()[random.Below(given.cluster.nodes().size())];
      if (given.cluster.nodes().size() > 1) {
        given.cluster.RemoveNode(std::string(given.cluster.node(gone).name));
      }
    }
    Session session(given.cluster, *plugins, testutil::kTestNow + std::chrono::hours(12));
    Statement statement(session);
    std::vector<model::TaskId> placed;
    for (int i = 0; i < 150; ++i) {
      // Now and then the same again, so that a class gets its table.
      Random pod_random(random.Below(20) < 10 ? random.Below(3) : random.Below(1u << 30));
      const std::string name = "p-" + std::to_string(cycle) + "-" + std::to_string(i);
      given.Add(RandomPod(pod_random, name));
      const Task& task = given.task(name);
      const auto want = LookAtAll(session, task);
      const auto got = session.finder().Best(task, Room::kChecked);
      ASSERT_EQ(want.has_value(), got.has_value()) << name;
      if (!want) continue;
      ASSERT_EQ(given.cluster.node(want->node).name, given.cluster.node(got->node).name) << name;
      ASSERT_EQ(want->now, got->now);
      if (got->now) {
        statement.Allocate(task.id, got->node);
        placed.push_back(task.id);
      } else {
        statement.Pipeline(task.id, got->node, false);
      }
      if (!placed.empty() && random.Chance(0.2)) {
        const model::TaskId victim = placed[random.Below(placed.size())];
        if (given.cluster.task(victim).status() == model::TaskStatus::kAllocated) {
          statement.Evict(victim, "test");
        }
      }
      ASSERT_EQ(given.cluster.FreshNodeIndex().Check(), "");
    }
    if (random.Chance(0.5)) {
      statement.Discard();
    } else {
      statement.Commit();
    }
  }
}

// What the search leaves out, it leaves out for these bounds.
void CheckBounds(const PluginSet& plugins, const Session& session, const Task& task,
                 model::NodeIndex::BlockId block) {
  const model::NodeIndex& index = session.cluster().FreshNodeIndex();
  const model::NodeBox box = index.Box(block);
  for (const auto& tier : plugins.hooks<NodeScorer>()) {
    for (const NodeScorer* scorer : tier) {
      if (scorer->ScoreDependsOn(task) == DependsOn::kNothing) continue;
      double bound = 0;
      ASSERT_TRUE(scorer->BoundScores(task, std::span(&box, 1), std::span(&bound, 1)));
      std::vector<model::NodeIndex::BlockId> below{block};
      for (std::size_t i = 0; i < below.size(); ++i) {
        for (const std::uint32_t member : index.Members(below[i])) {
          if (!index.IsLeaf(below[i])) {
            below.push_back(member);
            continue;
          }
          const NodeId node{member};
          double score = 0;
          scorer->ScoreNodes(task, std::span(&node, 1), std::span(&score, 1));
          ASSERT_LE(score, bound) << task.name() << " on " << session.cluster().node(node).name;
        }
      }
    }
  }
  if (index.IsLeaf(block)) return;
  for (const std::uint32_t member : index.Members(block)) {
    CheckBounds(plugins, session, task, member);
  }
}

TEST_P(BestNodeTest, NoNodeScoresMoreThanTheBoundOfItsBlock) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeGroup("g", "q", 1));
  const int nodes = 1 + static_cast<int>(random.Below(40));
  const bool gpus = random.Chance(0.5);
  const double without_memory = random.Chance(0.5) ? 0 : random.Chance(0.5) ? 0.2 : 1;
  for (int i = 0; i < nodes; ++i) {
    kube::Node node = RandomNode(random, i, random.Chance(0.5));
    if (random.Chance(without_memory)) node.status.allocatable.Set("memory", kube::Quantity::Of(0));
    if (gpus) node.status.allocatable.Set("nvidia.com/gpu", kube::Quantity::Of(2 + i % 7));
    given.Add(std::move(node));
  }
  const auto plugins = testutil::MakePlugins(RandomConfig(random), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow + std::chrono::hours(12));
  Statement statement(session);
  for (int i = 0; i < 60; ++i) {
    const std::string name = "p-" + std::to_string(i);
    given.Add(RandomPod(random, name));
    const Task& task = given.task(name);
    CheckBounds(*plugins, session, task, given.cluster.FreshNodeIndex().root());
    if (HasFatalFailure()) return;
    const NodeId node = given.cluster.nodes()[random.Below(given.cluster.nodes().size())];
    if (given.cluster.ledger().FitsIdle(task.request(), node)) statement.Allocate(task.id, node);
  }
}

// What a block's bound allows for is what its nodes differ in, and nothing else.
TEST_P(BestNodeTest, TheBoundOfANodeByItselfIsItsScore) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  boost::json::object arguments;
  for (const char* key : kWeights) arguments[key] = 0;
  for (int i = 0; i < 3; ++i) arguments[kWeights[i]] = static_cast<int>(random.Below(3));
  Config config = testutil::OneTier({"nodeorder"});
  config.tiers[0].plugins[0].arguments = Arguments(std::move(arguments));
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeGroup("g", "q", 1));
  kube::Node node = RandomNode(random, 0, false);
  if (random.Chance(0.5)) node.status.allocatable.Set("nvidia.com/gpu", kube::Quantity::Of(3));
  if (random.Chance(0.2)) node.status.allocatable.Set("memory", kube::Quantity::Of(0));
  given.Add(std::move(node));
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  Statement statement(session);
  const NodeScorer* scorer = plugins->hooks<NodeScorer>().front().front();
  const NodeId id = given.cluster.nodes().front();
  for (int i = 0; i < 20; ++i) {
    const std::string name = "p-" + std::to_string(i);
    given.Add(RandomPod(random, name));
    const Task& task = given.task(name);
    const model::NodeIndex& index = given.cluster.FreshNodeIndex();
    const model::NodeBox box = index.Box(index.root());
    double bound = 0, score = 0;
    ASSERT_TRUE(scorer->BoundScores(task, std::span(&box, 1), std::span(&bound, 1)));
    scorer->ScoreNodes(task, std::span(&id, 1), std::span(&score, 1));
    ASSERT_DOUBLE_EQ(bound, score) << name;
    if (given.cluster.ledger().FitsIdle(task.request(), id)) statement.Allocate(task.id, id);
  }
}

// The more of a resource there is, the less is a node worth: no bound holds.
TEST(NodeOrderBounds, ThereAreNoneForAWeightBelowNothing) {
  for (int i = 0; i < 3; ++i) {
    for (const bool gpu : {false, true}) {
      Config config = testutil::OneTier({"nodeorder"});
      config.tiers[0].plugins[0].arguments = Arguments({{kWeights[i], -1}});
      testutil::TestCluster given;
      given.Add(MakeNode("n", {{"cpu", "4"}, {"memory", "4Gi"}, {"nvidia.com/gpu", "4"}}));
      given.Add(gpu ? MakePod("p", "", {{"nvidia.com/gpu", "1"}})
                    : MakePod("p", "", {{"cpu", "1"}}));
      const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
      Session session(given.cluster, *plugins, testutil::kTestNow);
      const model::NodeIndex& index = given.cluster.FreshNodeIndex();
      const model::NodeBox box = index.Box(index.root());
      double bound = 0;
      EXPECT_FALSE(plugins->hooks<NodeScorer>().front().front()->BoundScores(
          given.task("p"), std::span(&box, 1), std::span(&bound, 1)))
          << kWeights[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BestNodeTest, testing::Range(1, 61));

}  // namespace
}  // namespace basalt::scheduler::plugins
