#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <functional>
#include <string>
#include <vector>

#include "descheduler/planner/planner_test_util.h"
#include "kube/types/time.h"

namespace basalt::descheduler {
namespace {

using Names = std::vector<std::string>;

// A source "a" with the pod "a1", and the target "t", which has room for it.
struct OneMove : PlanCluster {
  OneMove() { Node("a").Node("t").Pod("a1", "a", "1").Pod("t1", "t", "7"); }
};

TEST(DefragmentationTest, EmptiesTheLeastUsedNodeOntoTheFullestThatHasRoom) {
  PlanCluster cluster;
  cluster.Node("a").Node("b").Node("c").Node("d");
  cluster.Pod("a1", "a", "1").Pod("a2", "a", "2").Pod("b1", "b", "1");
  cluster.Pod("c1", "c", "7").Pod("d1", "d", "8");
  cluster.args().protection["cpu"] = 100;
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "b1: b -> d; a2: a -> c; a1: a -> c") << BlockedOf(plan);
  EXPECT_EQ(plan.freed_nodes, (Names{"a", "b"}));
  EXPECT_EQ(plan.freed_resources.Get("cpu").ToString(), "20");
  EXPECT_EQ(plan.freed_resources.Get("memory").ToString(), "20Gi");
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
  EXPECT_EQ(plan.moves[0].request.Get("cpu").ToString(), "1");
  EXPECT_EQ(plan.resource_type, "cpu");
}

TEST(DefragmentationTest, LeavesTheClusterAsItWasAndSaysTheSameAgain) {
  OneMove cluster;
  const std::uint64_t before = cluster.objects.cluster.Hash();
  const Plan first = cluster.Make();
  ASSERT_EQ(first.moves.size(), 1u);
  EXPECT_EQ(cluster.objects.cluster.Hash(), before);
  EXPECT_EQ(cluster.objects.cluster.CheckLedgers(), "");
  EXPECT_EQ(boost::json::serialize(ToJson(cluster.Make())), boost::json::serialize(ToJson(first)));
}

TEST(DefragmentationTest, APlanWithoutMovesHasNoScore) {
  PlanCluster cluster;
  cluster.Node("a").Pod("a1", "a", "5");
  const Plan plan = cluster.Make();
  EXPECT_EQ(plan.score, 0);
  EXPECT_EQ(plan.moves.size() + plan.blocked.size() + plan.freed_nodes.size(), 0u);
}

// ---- who is a source, who a target

TEST(DefragmentationTest, AtAThresholdIsNeitherBelowNorAbove) {
  PlanCluster cluster;
  cluster.Node("at-low").Pod("p1", "at-low", "4");
  cluster.Node("at-defragment").Pod("p2", "at-defragment", "6");
  cluster.Node("at-protection").Pod("p3", "at-protection", "9500m");
  cluster.Node("below").Pod("p4", "below", "100m");
  const Plan plan = cluster.Make();
  EXPECT_EQ(BlockedOf(plan), "below/p4 NoTarget");
  EXPECT_EQ(CountsOf(plan), "NoBand 3");
}

TEST(DefragmentationTest, ATargetMayBeFilledUpToProtectionAndNoFurther) {
  PlanCluster cluster;
  cluster.Node("a").Node("t").Pod("t1", "t", "7").Pod("a1", "a", "2500m");
  EXPECT_EQ(MovesOf(cluster.Make()), "a1: a -> t");
  cluster.Pod("a2", "a", "100m");
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "");
  EXPECT_EQ(BlockedOf(plan), "a/a2 NoTarget");
  EXPECT_EQ(CountsOf(plan), "Protection 1");
}

TEST(DefragmentationTest, EveryResourceOfTheThresholdsCounts) {
  OneMove cluster;
  cluster.args().low["memory"] = 20;
  cluster.args().defragment["memory"] = 50;
  cluster.args().protection["memory"] = 60;
  EXPECT_EQ(MovesOf(cluster.Make()), "a1: a -> t");
  // Much memory on the source: not below low.
  kube::Pod big = PlanCluster::PodOf("a2", "a", "0");
  big.spec.containers[0].resources.requests.Set("memory", *kube::Quantity::Parse("3Gi"));
  cluster.Add(big);
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan) + BlockedOf(plan), "");
  // On the target: above protection already.
  OneMove other;
  other.policy = cluster.policy;
  big = PlanCluster::PodOf("t2", "t", "0");
  big.spec.containers[0].resources.requests.Set("memory", *kube::Quantity::Parse("7Gi"));
  other.Add(big);
  EXPECT_EQ(CountsOf(other.Make()), "Protection 1");
}

TEST(DefragmentationTest, ARequestIsWhatTheSchedulerCounts) {
  OneMove cluster;
  kube::Pod pod = PlanCluster::PodOf("a2", "a", "1");
  kube::Container init = pod.spec.containers[0];
  init.resources.requests.Set("cpu", *kube::Quantity::Parse("2"));
  pod.spec.init_containers.push_back(init);
  pod.spec.overhead.Set("cpu", *kube::Quantity::Parse("250m"));
  cluster.Add(pod);
  const Plan plan = cluster.Make();
  EXPECT_EQ(plan.nodes[0].before.at("cpu"), 32.5);  // 1 + 2.25 of 10
}

TEST(DefragmentationTest, WhoIsOutOfServiceIsNeitherSourceNorTarget) {
  for (const bool source : {true, false}) {
    for (const bool cordoned : {true, false}) {
      PlanCluster cluster;
      kube::Node a = PlanCluster::NodeOf("a"), t = PlanCluster::NodeOf("t");
      kube::Node& out = source ? a : t;
      if (cordoned) {
        out.spec.unschedulable = true;
      } else {
        out.status.conditions[0].status = kube::ConditionStatus::kFalse;
      }
      cluster.Add(a).Add(t).Pod("a1", "a", "1").Pod("t1", "t", "7");
      const Plan plan = cluster.Make();
      EXPECT_EQ(MovesOf(plan), "");
      EXPECT_EQ(BlockedOf(plan), source ? "" : "a/a1 NoTarget");
      EXPECT_EQ(plan.nodes.size(), 2u);
    }
  }
}

TEST(DefragmentationTest, NodesWithoutTheResourceAreLeftAlone) {
  PlanCluster cluster;
  cluster.args().resource_type = "nvidia.com/gpu";
  for (Thresholds* thresholds :
       {&cluster.args().low, &cluster.args().defragment, &cluster.args().protection}) {
    *thresholds = {{"nvidia.com/gpu", thresholds->at("cpu")}};
  }
  cluster.Node("cpu").Pod("c1", "cpu", "1");
  EXPECT_EQ(BlockedOf(cluster.Make()), "");  // nobody has it
  for (const std::string name : {"g1", "g2"}) {
    kube::Node node = PlanCluster::NodeOf(name);
    node.status.allocatable.Set("nvidia.com/gpu", kube::Quantity::Of(8));
    cluster.Add(node);
    kube::Pod pod = PlanCluster::PodOf("on-" + name, name, "1");
    pod.spec.containers[0].resources.requests.Set("nvidia.com/gpu",
                                                  kube::Quantity::Of(name == "g1" ? 1 : 6));
    cluster.Add(pod);
  }
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "on-g1: g1 -> g2");
  EXPECT_EQ(plan.moves[0].request.Get("nvidia.com/gpu").ToString(), "1");
  EXPECT_EQ(plan.freed_resources.Get("nvidia.com/gpu").ToString(), "8");
}

TEST(DefragmentationTest, NodesOfNothingAreNoMatter) {
  OneMove cluster;
  kube::Node nothing = PlanCluster::NodeOf("zero");
  nothing.status.allocatable = {};
  cluster.Add(nothing).Pod("z1", "zero", "1");
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "a1: a -> t");
  EXPECT_EQ(plan.nodes[2].before.at("cpu"), 100);
}

TEST(DefragmentationTest, DaemonSetAndStaticPodsStayAndTheNodeIsFreeAllTheSame) {
  OneMove cluster;
  kube::Pod daemon = PlanCluster::PodOf("agent", "a", "500m");
  daemon.meta.owner_references[0].kind = "DaemonSet";
  kube::Pod mirror = PlanCluster::PodOf("proxy", "a", "500m");
  mirror.meta.owner_references.clear();
  mirror.meta.annotations.Set("kubernetes.io/config.mirror", "x");
  cluster.Add(daemon).Add(mirror);
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "a1: a -> t");
  EXPECT_EQ(plan.freed_nodes, Names{"a"});
  EXPECT_EQ(plan.freed_resources.Get("cpu").ToString(), "9");
  EXPECT_EQ(plan.nodes[0].after.at("cpu"), 10);
}

TEST(DefragmentationTest, ANodeWithNothingToMoveIsNoCandidate) {
  PlanCluster cluster;
  cluster.Node("a").Node("t").Pod("t1", "t", "7");
  kube::Pod daemon = PlanCluster::PodOf("agent", "a", "500m");
  daemon.meta.owner_references[0].kind = "DaemonSet";
  cluster.Add(daemon);
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan) + BlockedOf(plan), "");
}

TEST(DefragmentationTest, LeavingPodsCountAndNeedNotGo) {
  OneMove cluster;
  kube::Pod leaving = PlanCluster::PodOf("a2", "a", "1");
  leaving.meta.deletion_timestamp = kTestNow;
  leaving.meta.owner_references.clear();
  cluster.Add(leaving);
  const Plan plan = cluster.Make();
  EXPECT_EQ(plan.nodes[0].before.at("cpu"), 20);
  EXPECT_EQ(MovesOf(plan), "a1: a -> t");
  EXPECT_EQ(plan.freed_nodes, Names{"a"});
}

TEST(DefragmentationTest, PodsThatHaveEndedAreNothing) {
  OneMove cluster;
  kube::Pod ended = PlanCluster::PodOf("a2", "a", "9");
  ended.meta.owner_references.clear();
  ended.status.phase = kube::PodPhase::kFailed;
  cluster.Add(ended);
  EXPECT_EQ(MovesOf(cluster.Make()), "a1: a -> t");
}

TEST(DefragmentationTest, LargerPodsGoFirstThenByNamespaceAndName) {
  PlanCluster cluster;
  cluster.Node("a").Node("t", "100").Pod("t1", "t", "70");
  cluster.Pod("small", "a", "500m").Pod("b", "a", "1").Pod("c", "a", "1");
  kube::Pod other = PlanCluster::PodOf("d", "a", "1");
  other.meta.ns = "a-team";
  cluster.Add(other);
  EXPECT_EQ(MovesOf(cluster.Make()), "d: a -> t; b: a -> t; c: a -> t; small: a -> t");
}

TEST(DefragmentationTest, SelectorsOfPolicyPluginAndRequestAllCount) {
  PlanCluster cluster;
  for (const std::string name : {"a", "b", "c", "t"}) {
    kube::Node node = PlanCluster::NodeOf(name);
    if (name != "a") node.meta.labels.Set("pool", "batch");
    if (name != "b") node.meta.labels.Set("own", "yes");
    if (name != "c") node.meta.labels.Set("asked", "yes");
    cluster.Add(node).Pod("on-" + name, name, name == "t" ? "7" : "100m");
  }
  EXPECT_EQ(cluster.Make().moves.size(), 3u);
  cluster.policy.node_selector = *kube::LabelSelector::Parse("pool=batch");
  EXPECT_EQ(MovesOf(cluster.Make()), "on-b: b -> t; on-c: c -> t");
  cluster.args().node_selector = *kube::LabelSelector::Parse("own");
  EXPECT_EQ(MovesOf(cluster.Make()), "on-c: c -> t");
  cluster.request.node_selector = *kube::LabelSelector::Parse("asked=yes");
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "");
  ASSERT_EQ(plan.nodes.size(), 1u);
  EXPECT_EQ(plan.nodes[0].name, "t");
}

TEST(DefragmentationTest, ReservationsThatHoldRoomCountAsUsed) {
  OneMove cluster;
  auto reservation = std::make_shared<kube::Reservation>();
  reservation->meta.ns = "ns";
  reservation->meta.name = reservation->meta.uid = "r";
  kube::Reservation::Task& task = reservation->tasks.emplace_back();
  task.name = "main";
  kube::Container& container = task.pod_template.spec.containers.emplace_back();
  container.name = "main";
  container.resources.requests.Set("cpu", kube::Quantity::Of(2));
  reservation->status.phase = kube::ReservationPhase::kAvailable;
  reservation->status.placements = {
      {.task = "main", .node = "t", .phase = kube::ReservationPhase::kAvailable}};
  cluster.objects.cluster.mutable_reservations().Add(reservation, "q");
  const std::uint64_t before = cluster.objects.cluster.Hash();
  const Plan plan = cluster.Make();
  EXPECT_EQ(plan.nodes[1].before.at("cpu"), 90);
  EXPECT_EQ(CountsOf(plan), "Protection 1");
  EXPECT_DOUBLE_EQ(plan.fragmentation_before.at("cpu"), 1);
  EXPECT_EQ(cluster.objects.cluster.Hash(), before);
  // 9 free on a, 1 on t, and all of b.
  cluster.Node("b");
  EXPECT_DOUBLE_EQ(FragmentationOf(cluster.objects.cluster, {{"cpu", 0}}).at("cpu"), 0.5);
}

TEST(DefragmentationTest, RoomThatIsPromisedToANominatedPodIsNotTaken) {
  OneMove cluster;
  kube::Pod nominated = testutil::MakePod("waits", "", {{"cpu", "3"}});
  nominated.status.nominated_node_name = "t";
  const model::NodeId node = cluster.objects.node("t").id;
  cluster.objects.cluster.SetPod(std::make_shared<const kube::Pod>(nominated), "",
                                 {.status = model::TaskStatus::kPipelined, .node = node});
  EXPECT_EQ(CountsOf(cluster.Make()), "Resources 1");
}

// ---- what a target may lack

TEST(DefragmentationTest, SaysWhatEachTargetLacks) {
  PlanCluster cluster;
  cluster.Node("a");
  kube::Pod pod = PlanCluster::PodOf("a1", "a", "1");
  pod.spec.containers[0].ports = {{.container_port = 80, .host_port = 80}};
  pod.spec.node_selector = {{"disk", "ssd"}};
  cluster.Add(pod);
  const auto target = [&](const std::string& name, std::string_view used,
                          const std::function<void(kube::Node*, kube::Pod*)>& change) {
    kube::Node node = PlanCluster::NodeOf(name);
    node.meta.labels.Set("disk", "ssd");
    kube::Pod on_it = PlanCluster::PodOf("on-" + name, name, used);
    change(&node, &on_it);
    cluster.Add(node).Add(on_it);
  };
  target("room", "9400m", [](kube::Node*, kube::Pod*) {});
  target("protection", "8600m", [](kube::Node*, kube::Pod*) {});
  target("taint", "7", [](kube::Node* node, kube::Pod*) {
    node->spec.taints.push_back({.key = "k", .effect = kube::TaintEffect::kNoSchedule});
  });
  target("affinity", "7", [](kube::Node* node, kube::Pod*) { node->meta.labels.Erase("disk"); });
  target("ports", "7", [](kube::Node*, kube::Pod* on_it) {
    on_it->spec.containers[0].ports = {{.container_port = 1, .host_port = 80}};
  });
  target("pods", "7", [](kube::Node* node, kube::Pod*) {
    node->status.allocatable.Set("pods", kube::Quantity::Of(1));
  });
  const Plan plan = cluster.Make();
  EXPECT_EQ(BlockedOf(plan), "a/a1 NoTarget");
  EXPECT_EQ(CountsOf(plan), "Affinity 1, HostPorts 1, Pods 1, Protection 1, Resources 1, Taints 1");
  EXPECT_NE(plan.blocked[0].message, "");
}

kube::Pod WithAntiAffinity(kube::Pod pod, std::string_view app, const std::string& topology) {
  kube::PodAffinityTerm term;
  term.label_selector = kube::LabelSelector::OfLabels({{"app", app}});
  term.topology_key = topology;
  kube::Affinity affinity;
  affinity.pod_anti.required.push_back(std::move(term));
  pod.spec.affinity = std::move(affinity);
  pod.meta.labels.Set("app", app);
  return pod;
}

TEST(DefragmentationTest, AntiAffinityCountsAlsoAgainstPodsThatThePlanPutsThere) {
  PlanCluster cluster;
  cluster.Node("a").Node("b").Node("t").Node("u").Pod("t1", "t", "7").Pod("u1", "u", "6500m");
  for (const std::string node : {"a", "b"}) {
    cluster.Add(WithAntiAffinity(PlanCluster::PodOf("on-" + node, node, "1"), "web",
                                 "kubernetes.io/hostname"));
  }
  EXPECT_EQ(MovesOf(cluster.Make()), "on-a: a -> t; on-b: b -> u");
}

// The place is held while the pod is still where it is: by then the two keep each other away.
TEST(DefragmentationTest, APodThatKeepsItsLikeOutOfItsZoneCannotMoveWithinIt) {
  for (const bool same_zone : {true, false}) {
    PlanCluster cluster;
    kube::Node a = PlanCluster::NodeOf("a"), t = PlanCluster::NodeOf("t");
    a.meta.labels.Set("zone", "z1");
    t.meta.labels.Set("zone", same_zone ? "z1" : "z2");
    cluster.Add(a).Add(t).Pod("t1", "t", "7");
    cluster.Add(WithAntiAffinity(PlanCluster::PodOf("a1", "a", "1"), "web", "zone"));
    const Plan plan = cluster.Make();
    EXPECT_EQ(MovesOf(plan), same_zone ? "" : "a1: a -> t");
    EXPECT_EQ(CountsOf(plan), same_zone ? "Affinity 1" : "");
  }
}

TEST(DefragmentationTest, APodThatMustBeBesideAnotherGoesAfterIt) {
  PlanCluster cluster;
  cluster.Node("a").Node("b").Node("t").Pod("t1", "t", "7").Pod("friend", "b", "2");
  kube::Pod clings = PlanCluster::PodOf("clings", "a", "100m");
  kube::PodAffinityTerm term;
  term.label_selector = kube::LabelSelector::OfLabels({{"app", "friend"}});
  term.topology_key = "kubernetes.io/hostname";
  kube::Affinity affinity;
  affinity.pod.required.push_back(std::move(term));
  clings.spec.affinity = affinity;
  cluster.Add(clings);
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "friend: b -> t; clings: a -> t");
  EXPECT_EQ(BlockedOf(plan), "");
  // On one source, and the larger of the two.
  PlanCluster together;
  clings.spec.containers[0].resources.requests.Set("cpu", *kube::Quantity::Parse("1"));
  together.Node("a").Node("t").Pod("t1", "t", "7").Pod("friend", "a", "500m").Add(clings);
  EXPECT_EQ(MovesOf(together.Make()), "clings: a -> t; friend: a -> t");
}

// ---- whole sources

TEST(DefragmentationTest, ASourceWhosePodsCannotAllGoIsNotTouched) {
  PlanCluster cluster;
  cluster.Node("a").Node("b").Node("t").Pod("t1", "t", "7");
  cluster.Pod("a1", "a", "1").Pod("a2", "a", "2").Pod("b1", "b", "2500m");
  Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "b1: b -> t");
  EXPECT_EQ(BlockedOf(plan), "a/a2 NoTarget");
  cluster.args().partial = true;
  cluster.args().protection["cpu"] = 100;
  plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "b1: b -> t");
  EXPECT_EQ(BlockedOf(plan), "a/a2 NoTarget; a/a1 NoTarget");
  PlanCluster other;
  other.args().partial = true;
  other.Node("a").Node("t").Pod("t1", "t", "8").Pod("a1", "a", "1").Pod("a2", "a", "2");
  plan = other.Make();
  EXPECT_EQ(MovesOf(plan), "a1: a -> t");
  EXPECT_EQ(BlockedOf(plan), "a/a2 NoTarget");
  EXPECT_EQ(plan.freed_nodes, Names{});
  EXPECT_GT(plan.score, 0);
  EXPECT_LT(plan.score, 1e-6);
}

// The larger takes the only place of the smaller, unless that chooses first.
TEST(DefragmentationTest, PodsThatCanAllGoByAnotherOrderGo) {
  PlanCluster cluster;
  kube::Node special = PlanCluster::NodeOf("s");
  special.meta.labels.Set("disk", "ssd");
  cluster.Node("a").Node("t").Add(special).Pod("s1", "s", "8").Pod("t1", "t", "7");
  kube::Pod choosy = PlanCluster::PodOf("a2", "a", "1");
  choosy.spec.node_selector = {{"disk", "ssd"}};
  cluster.Pod("a1", "a", "1500m").Add(choosy);
  EXPECT_EQ(MovesOf(cluster.Make()), "a1: a -> t; a2: a -> s");
  // And if not even that helps, the first attempt says what is in the way.
  choosy.meta.name = choosy.meta.uid = "a3";
  choosy.spec.containers[0].resources.requests.Set("cpu", *kube::Quantity::Parse("900m"));
  cluster.Add(choosy);
  EXPECT_EQ(BlockedOf(cluster.Make()), "a/a2 NoTarget");
  EXPECT_EQ(cluster.objects.cluster.CheckLedgers(), "");
}

TEST(DefragmentationTest, LimitsCountWholeSources) {
  struct Case {
    std::function<void(PlanCluster&)> limit;
    std::string moves;
    std::string blocked;
  };
  const Case kCases[] = {
      {[](PlanCluster& c) { c.args().moves.max_migrations = 2; }, "b1: b -> t; b2: b -> t",
       "a MaxMigrations"},
      {[](PlanCluster& c) { c.args().moves.max_migrations = 1; }, "",
       "b MaxMigrations; a MaxMigrations"},
      {[](PlanCluster& c) { c.policy.max_pods_per_node = 2; }, "b1: b -> t; b2: b -> t",
       "a MaxMigrations"},
      {[](PlanCluster& c) { c.policy.max_pods_total = 4; }, "b1: b -> t; b2: b -> t",
       "a MaxMigrations"},
      {[](PlanCluster& c) { c.policy.max_pods_per_namespace = 4; }, "b1: b -> t; b2: b -> t",
       "a MaxMigrations"},
      {[](PlanCluster& c) { c.policy.max_pods_total = 0; }, "", "b MaxMigrations; a MaxMigrations"},
      {[](PlanCluster& c) {
         c.policy.max_pods_total = 5;
         c.request.evicted.total = 3;
       },
       "b1: b -> t; b2: b -> t", "a MaxMigrations"},
      {[](PlanCluster& c) {
         c.policy.max_pods_per_node = 3;
         c.request.evicted.by_node["a"] = 1;
       },
       "b1: b -> t; b2: b -> t", "a MaxMigrations"},
  };
  for (const Case& each : kCases) {
    PlanCluster cluster;
    cluster.Node("a").Node("b").Node("t", "100").Pod("t1", "t", "70");
    cluster.Pod("a1", "a", "1").Pod("a2", "a", "1").Pod("a3", "a", "1");
    cluster.Pod("b1", "b", "500m").Pod("b2", "b", "500m");
    each.limit(cluster);
    const Plan plan = cluster.Make();
    EXPECT_EQ(MovesOf(plan), each.moves);
    EXPECT_EQ(BlockedOf(plan), each.blocked);
  }
}

TEST(DefragmentationTest, ActsOnlyWhenMoreThanNumberOfNodesAreBelowLow) {
  OneMove cluster;
  cluster.args().number_of_nodes = 1;
  EXPECT_EQ(BlockedOf(cluster.Make()), "a NumberOfNodes");
  cluster.Node("empty");
  EXPECT_EQ(MovesOf(cluster.Make()), "a1: a -> t");
}

TEST(DefragmentationTest, NodesThatAreCriticalOrCoolDownAreNoSources) {
  struct Case {
    std::string node;
    std::string annotation;
    std::string until;
    std::string blocked;  // "": it moves
  };
  const std::string later = kube::FormatTime(kTestNow + 1min);
  const std::string earlier = kube::FormatTime(kTestNow - 1s);
  const std::string own = "defragmentation.basalt.sh/cool-down-until";
  const std::string load = "loadaware.basalt.sh/cool-down-until";
  const Case kCases[] = {
      {"a", own, later, "a CoolingDown"},
      {"a", own, earlier, ""},
      {"a", own, "soon", ""},
      {"a", load, later, "a CoolingDown"},
      {"t", own, later, ""},
      {"t", load, later, "a/a1 NoTarget"},
      {"t", load, earlier, ""},
      {"a", "critical", "true", "a Critical"},
      {"a", "critical", "false", ""},
  };
  for (const Case& each : kCases) {
    PlanCluster cluster;
    for (const std::string name : {"a", "t"}) {
      kube::Node node = PlanCluster::NodeOf(name);
      if (name == each.node) {
        node.meta.annotations.Set(each.annotation, each.until);
        if (each.annotation == "critical") node.meta.labels.Set("critical", each.until);
      }
      cluster.Add(node);
    }
    cluster.Pod("a1", "a", "1").Pod("t1", "t", "7");
    const Plan plan = cluster.Make();
    EXPECT_EQ(BlockedOf(plan), each.blocked) << each.node << each.annotation << each.until;
    EXPECT_EQ(MovesOf(plan), each.blocked.empty() ? "a1: a -> t" : "");
  }
}

// ---- packing what is underused

TEST(DefragmentationTest, WhereAllAreUnderusedTheFullestTakesThemWhenAskedTo) {
  PlanCluster cluster;
  cluster.Node("a").Node("b").Node("c").Node("d").Node("empty");
  cluster.Pod("a1", "a", "1").Pod("b1", "b", "2").Pod("c1", "c", "3").Pod("d1", "d", "3");
  EXPECT_EQ(BlockedOf(cluster.Make()),
            "a/a1 NoTarget; b/b1 NoTarget; c/c1 NoTarget; d/d1 NoTarget");
  cluster.args().pack_underused = true;
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "a1: a -> c; b1: b -> c; d1: d -> c");
  EXPECT_EQ(plan.freed_nodes, (Names{"a", "b", "d"}));
  EXPECT_EQ(BlockedOf(plan), "");
}

TEST(DefragmentationTest, ATargetIsFilledBeforeAnUnderusedNode) {
  PlanCluster cluster;
  cluster.args().pack_underused = true;
  cluster.Node("a").Node("m").Node("t");
  cluster.Pod("a1", "a", "1").Pod("a2", "a", "1").Pod("m1", "m", "5").Pod("t1", "t", "8");
  EXPECT_EQ(MovesOf(cluster.Make()), "a1: a -> t; a2: a -> m");
}

TEST(DefragmentationTest, TwoNodesThatAreNearlyEmptyDoNotSwapTheirPodsForEver) {
  PlanCluster cluster;
  cluster.args().pack_underused = true;
  cluster.Node("a").Node("b").Pod("a1", "a", "1").Pod("b1", "b", "1");
  EXPECT_EQ(MovesOf(cluster.Make()), "a1: a -> b");
  PlanCluster after;
  after.args().pack_underused = true;
  after.Node("a").Node("b").Pod("a1", "b", "1").Pod("b1", "b", "1");
  EXPECT_EQ(MovesOf(after.Make()), "");
}

// ---- gangs

TEST(DefragmentationTest, AGangKeepsItsMinimumRunning) {
  struct Case {
    int running;
    int minimum;
    std::string moves;
    std::string blocked;
  };
  const Case kCases[] = {
      {2, 2, "", "a/g0 GangMinimum; b/g1 GangMinimum"},
      {3, 2, "g0: a -> t; g1: b -> t", ""},
      {4, 2, "g0: a -> t; g1: b -> t", ""},
  };
  for (const Case& each : kCases) {
    PlanCluster cluster;
    cluster.objects.Add(
        testutil::MakeGroup("gang", "q", each.minimum, kube::PodGroupPhase::kRunning));
    cluster.Node("a").Node("b").Node("t").Pod("t1", "t", "7");
    for (int i = 0; i < each.running; ++i) {
      const std::string node = i == 0 ? "a" : i == 1 ? "b" : "t";
      cluster.Add(PlanCluster::PodOf("g" + std::to_string(i), node, "100m", "gang"));
    }
    const Plan plan = cluster.Make();
    EXPECT_EQ(MovesOf(plan), each.moves);
    EXPECT_EQ(BlockedOf(plan), each.blocked);
  }
}

TEST(DefragmentationTest, AGangAboveItsMinimumLeavesASourceOneAfterTheOther) {
  PlanCluster cluster;
  cluster.objects.Add(testutil::MakeGroup("gang", "q", 2, kube::PodGroupPhase::kRunning));
  cluster.Node("a").Node("t").Pod("t1", "t", "7");
  for (const char* name : {"g0", "g1", "g2"}) {
    cluster.Add(PlanCluster::PodOf(name, "a", "100m", "gang"));
  }
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "g0: a -> t; g1: a -> t; g2: a -> t");
  EXPECT_EQ(BlockedOf(plan), "");
}

// ---- how the plan is to be carried out

TEST(DefragmentationTest, ThePlanCarriesThePolicysRules) {
  OneMove cluster;
  cluster.args().moves = {
      .max_migrations = 3, .max_parallel = 2, .migrate_timeout = 30s, .cool_down_time = 0s};
  cluster.policy.grace_period_seconds = 7;
  Plan plan = cluster.Make();
  EXPECT_EQ(plan.rules.max_parallel, 2);
  EXPECT_EQ(plan.rules.timeout_ms, 30'000);
  EXPECT_EQ(plan.rules.cool_down_ms, 0);
  EXPECT_EQ(plan.rules.grace_period_s, 7);
  EXPECT_TRUE(plan.rules.taints_sources);
  EXPECT_EQ(plan.rules.cool_down_annotation, "defragmentation.basalt.sh/cool-down-until");
  EXPECT_FALSE(plan.dry_run);
  cluster.args().dry_run = true;
  EXPECT_TRUE(cluster.Make().dry_run);
  cluster.request.dry_run = false;
  EXPECT_FALSE(cluster.Make().dry_run);
  Evicted evicted;
  CountEvicted(plan, &evicted);
  EXPECT_EQ(evicted.total, 1);
  EXPECT_EQ(evicted.by_node.at("a"), 1);
  EXPECT_EQ(evicted.by_namespace.at("ns"), 1);
}

}  // namespace
}  // namespace basalt::descheduler
