#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeRunningPod;

// The best node by the named weight alone.
std::string Best(testutil::TestCluster& given, const char* only) {
  Config config = testutil::OneTier({"nodeorder"});
  boost::json::object arguments;
  for (const char* key :
       {"leastrequested.weight", "mostrequested.weight", "balancedresource.weight",
        "nodeaffinity.weight", "imagelocality.weight", "podaffinity.weight",
        "tainttoleration.weight", "podtopologyspread.weight"}) {
    arguments[key] = std::string_view(key) == only ? 1 : 0;
  }
  config.tiers[0].plugins[0].arguments = Arguments(std::move(arguments));
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
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

}  // namespace
}  // namespace basalt::scheduler::plugins
