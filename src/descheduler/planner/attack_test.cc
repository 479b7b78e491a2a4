// What tenants and odd objects may do to a plan: it ends, and leaves nothing behind.
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <chrono>
#include <cmath>
#include <string>

#include "descheduler/planner/planner_test_util.h"

namespace basalt::descheduler {
namespace {

void ExpectSound(PlanCluster& cluster, const Plan& plan) {
  EXPECT_EQ(cluster.objects.cluster.CheckLedgers(), "");
  for (const PlannedNode& node : plan.nodes) {
    for (const auto& [name, percent] : node.before) EXPECT_TRUE(std::isfinite(percent));
    for (const auto& [name, percent] : node.after) EXPECT_TRUE(std::isfinite(percent));
  }
  for (const auto& [name, part] : plan.fragmentation_after) {
    EXPECT_TRUE(part >= 0 && part <= 1) << part;
  }
  EXPECT_FALSE(boost::json::serialize(ToJson(plan)).empty());
}

TEST(AttackTest, AmountsAsLargeAsKubernetesTakesThem) {
  PlanCluster cluster;
  for (const std::string name : {"a", "t"}) {
    kube::Node node = PlanCluster::NodeOf(name);
    node.status.allocatable.Set("memory", *kube::Quantity::Parse("9223372036854775807"));
    node.status.allocatable.Set("example.com/odd", *kube::Quantity::Parse("9P"));
    cluster.Add(node);
  }
  for (const std::string name : {"a1", "t1"}) {
    kube::Pod pod = PlanCluster::PodOf(name, name.substr(0, 1), name == "a1" ? "1" : "7");
    auto& requests = pod.spec.containers[0].resources.requests;
    requests.Set("memory", *kube::Quantity::Parse("4000000000000000000"));
    requests.Set("example.com/odd", *kube::Quantity::Parse("4P"));
    cluster.Add(pod);
  }
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "a1: a -> t");
  ExpectSound(cluster, plan);
}

TEST(AttackTest, NodesThatAreOverfullAndPodsThatAskForNothing) {
  PlanCluster cluster;
  cluster.args().pack_underused = true;
  cluster.Node("a").Node("over", "1").Pod("o1", "over", "5").Node("t");
  cluster.Pod("nothing", "a", "0").Pod("t1", "t", "7");
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "nothing: a -> t");
  EXPECT_EQ(plan.nodes[1].before.at("cpu"), 500);
  ExpectSound(cluster, plan);
}

TEST(AttackTest, PodsOnANodeThatIsGoneOrThatNobodyKnows) {
  PlanCluster cluster;
  cluster.Node("a").Node("t").Pod("a1", "a", "1").Pod("t1", "t", "7").Pod("lost", "gone", "1");
  cluster.objects.cluster.RemoveNode("a");
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan) + BlockedOf(plan), "");
  ExpectSound(cluster, plan);
}

TEST(AttackTest, AResourceThatNoNodeHasKeepsThePod) {
  PlanCluster cluster;
  cluster.Node("a").Node("t").Pod("t1", "t", "7");
  kube::Pod pod = PlanCluster::PodOf("a1", "a", "1");
  pod.spec.containers[0].resources.requests.Set("example.com/none", kube::Quantity::Of(1));
  cluster.Add(pod);
  EXPECT_EQ(BlockedOf(cluster.Make()), "a/a1 NoTarget");
}

// Every pod has labels, requests and terms of its own, and keeps the others away; budgets by the
// hundred.
TEST(AttackTest, TenantsWhoMakeEveryPodAnotherCostSecondsAtMost) {
  PlanCluster cluster;
  cluster.args().partial = true;
  for (int i = 0; i < 400; ++i) cluster.Node("n" + std::to_string(i));
  for (int i = 0; i < 400; ++i) {
    const bool full = i % 2 == 1;
    for (int j = 0; j < 5; ++j) {
      const int number = i * 5 + j;
      kube::Pod pod = PlanCluster::PodOf("p" + std::to_string(number), "n" + std::to_string(i),
                                         full ? "1400m" : "500m");
      pod.meta.labels.Set("mine", std::to_string(number));
      pod.meta.labels.Set("app", "web");
      kube::PodAffinityTerm term;
      term.label_selector = kube::LabelSelector::OfLabels({{"app", "web"}});
      term.topology_key = "kubernetes.io/hostname";
      kube::Affinity affinity;
      affinity.pod_anti.required.push_back(std::move(term));
      pod.spec.affinity = affinity;
      cluster.Add(pod);
    }
  }
  for (int i = 0; i < 200; ++i) {
    auto budget = std::make_shared<kube::PodDisruptionBudget>();
    budget->meta.ns = "ns";
    budget->meta.name = "b" + std::to_string(i);
    budget->selector = kube::LabelSelector::OfLabels({{"mine", std::to_string(i)}});
    budget->disruptions_allowed = 1;
    cluster.objects.cluster.mutable_objects().disruption_budgets.Set(std::move(budget));
  }
  const auto start = std::chrono::steady_clock::now();
  const Plan plan = cluster.Make();
  EXPECT_EQ(plan.moves.size(), 0u);
  EXPECT_EQ(plan.blocked.size(), 1000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  ExpectSound(cluster, plan);
}

}  // namespace
}  // namespace basalt::descheduler
