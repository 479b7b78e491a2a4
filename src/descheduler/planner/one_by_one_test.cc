// The plugins that look at pods one by one.
#include <gtest/gtest.h>

#include <string>

#include "descheduler/planner/planner_test_util.h"

namespace basalt::descheduler {
namespace {

struct OneByOne : PlanCluster {
  OneByOne() { request.part = Part::kDeschedule; }
  void Enable(const std::string& plugin) { profile().deschedule = {plugin}; }
};

kube::NodeSelectorTerm OfZone(std::string_view zone) {
  return {.match_expressions = {{.key = "zone",
                                 .op = kube::NodeSelectorRequirement::Operator::kIn,
                                 .values = {std::string(zone)}}}};
}

TEST(OneByOneTest, PodsThatTheirNodeDoesNotSuitAnyMoreGoWhereTheyFit) {
  OneByOne cluster;
  cluster.Enable("RemovePodsViolatingNodeAffinity");
  cluster.profile().node_affinity = NodeAffinityArgs{.required = true};
  for (const std::string name : {"n1", "n2", "n3"}) {
    kube::Node node = PlanCluster::NodeOf(name);
    node.meta.labels.Set("zone", name == "n1" ? "old" : "new");
    if (name == "n2") node.spec.taints = {{.key = "k", .effect = kube::TaintEffect::kNoSchedule}};
    cluster.Add(node);
  }
  kube::Affinity affinity;
  affinity.node = kube::NodeAffinity{.required = kube::NodeSelector{{OfZone("new")}}};
  kube::Pod pod = PlanCluster::PodOf("p", "n1", "1");
  pod.spec.affinity = affinity;
  kube::Pod content = PlanCluster::PodOf("q", "n3", "1");
  content.spec.affinity = affinity;
  kube::Pod large = PlanCluster::PodOf("r", "n1", "10");
  large.spec.affinity = affinity;
  cluster.Add(pod).Add(content).Add(large).Pod("plain", "n1", "1");
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "p: n1 -> n3");
  EXPECT_EQ(BlockedOf(plan), "n1/r NoTarget");
  EXPECT_EQ(CountsOf(plan), "Resources 1, Taints 1");
  cluster.profile().node_affinity->namespaces.exclude = {"ns"};
  EXPECT_EQ(MovesOf(cluster.Make()), "");
}

TEST(OneByOneTest, APreferenceIsAReasonToGoWhereItIsFulfilledBetter) {
  OneByOne cluster;
  cluster.Enable("RemovePodsViolatingNodeAffinity");
  cluster.profile().node_affinity = NodeAffinityArgs{.preferred = true};
  for (const std::string name : {"n1", "n2", "n3"}) {
    kube::Node node = PlanCluster::NodeOf(name);
    node.meta.labels.Set("zone", name);
    cluster.Add(node);
  }
  kube::Affinity affinity;
  affinity.node = kube::NodeAffinity{.preferred = {{.weight = 5, .preference = OfZone("n2")},
                                                   {.weight = 9, .preference = OfZone("n3")}}};
  for (const std::string name : {"n1", "n2", "n3"}) {
    kube::Pod pod = PlanCluster::PodOf("on-" + name, name, "1");
    pod.spec.affinity = affinity;
    cluster.Add(pod);
  }
  EXPECT_EQ(MovesOf(cluster.Make()), "on-n1: n1 -> n3; on-n2: n2 -> n3");
}

TEST(OneByOneTest, TaintsThatCameLaterAreAReasonToGo) {
  OneByOne cluster;
  cluster.Enable("RemovePodsViolatingNodeTaints");
  cluster.profile().node_taints.emplace();
  kube::Node tainted = PlanCluster::NodeOf("n1");
  tainted.spec.taints = {{.key = "gpu", .value = "yes", .effect = kube::TaintEffect::kNoSchedule}};
  kube::Node soft = PlanCluster::NodeOf("n2");
  soft.spec.taints = {{.key = "soft", .effect = kube::TaintEffect::kPreferNoSchedule}};
  kube::Pod tolerant = PlanCluster::PodOf("b", "n1", "1");
  tolerant.spec.tolerations.push_back({.key = "gpu", .op = kube::Toleration::Operator::kExists});
  cluster.Add(tainted).Add(soft).Node("n3");
  cluster.Pod("a", "n1", "1").Add(tolerant).Pod("c", "n2", "1");
  EXPECT_EQ(MovesOf(cluster.Make()), "a: n1 -> n2");
  NodeTaintsArgs& args = *cluster.profile().node_taints;
  args.include_prefer_no_schedule = true;
  EXPECT_EQ(MovesOf(cluster.Make()), "a: n1 -> n2; c: n2 -> n3");
  args.excluded_taints = {"gpu=yes"};
  EXPECT_EQ(MovesOf(cluster.Make()), "c: n2 -> n3");
  args.excluded_taints = {};
  args.included_taints = {"gpu"};
  EXPECT_EQ(MovesOf(cluster.Make()), "a: n1 -> n2");
  cluster.policy.max_pods_total = 0;
  EXPECT_EQ(BlockedOf(cluster.Make()), "n1 MaxMigrations");
}

TEST(OneByOneTest, OfPodsThatKeepEachOtherAwayTheLessImportantGo) {
  OneByOne cluster;
  cluster.Enable("RemovePodsViolatingInterPodAntiAffinity");
  cluster.profile().inter_pod_anti_affinity.emplace();
  cluster.Node("n1").Node("n2");
  for (const std::string name : {"high", "low"}) {
    kube::Pod pod = PlanCluster::PodOf(name, "n1", "1");
    pod.meta.labels.Set("app", "web");
    pod.spec.priority = name == "high" ? 10 : 1;
    kube::PodAffinityTerm term;
    term.label_selector = kube::LabelSelector::OfLabels({{"app", "web"}});
    term.topology_key = "kubernetes.io/hostname";
    kube::Affinity affinity;
    affinity.pod_anti.required.push_back(std::move(term));
    pod.spec.affinity = affinity;
    cluster.Add(pod);
  }
  cluster.Pod("plain", "n1", "1");
  const std::uint64_t before = cluster.objects.cluster.Hash();
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "low: n1 -> n2");
  EXPECT_EQ(BlockedOf(plan), "");
  EXPECT_EQ(cluster.objects.cluster.Hash(), before);
}

TEST(OneByOneTest, PodsThatMayNotGoStayAndThePlanSaysWhy) {
  OneByOne cluster;
  cluster.Enable("RemovePodsViolatingNodeTaints");
  cluster.profile().node_taints.emplace();
  kube::Node tainted = PlanCluster::NodeOf("n1");
  tainted.spec.taints = {{.key = "gpu", .effect = kube::TaintEffect::kNoSchedule}};
  kube::Pod bare = PlanCluster::PodOf("a", "n1", "1");
  bare.meta.owner_references.clear();
  cluster.Add(tainted).Node("n2").Add(bare);
  EXPECT_EQ(BlockedOf(cluster.Make()), "n1/a Bare");
}

TEST(OneByOneTest, AProfilesPartsAreInTheOrderOfARun) {
  OneByOne cluster;
  EXPECT_EQ(PartsOf(cluster.profile()), std::vector<Part>{Part::kDefragmentation});
  cluster.Enable("RemovePodsViolatingNodeTaints");
  cluster.profile().balance = {"LoadAware", "Defragmentation"};
  EXPECT_EQ(PartsOf(cluster.profile()),
            (std::vector<Part>{Part::kDeschedule, Part::kLoadAware, Part::kDefragmentation}));
}

}  // namespace
}  // namespace basalt::descheduler
