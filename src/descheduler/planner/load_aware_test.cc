#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "descheduler/planner/planner_test_util.h"
#include "kube/types/time.h"

namespace basalt::descheduler {
namespace {

// Nodes of 10 cores and 10 GiB with what was measured on them.
struct LoadCluster : PlanCluster {
  LoadCluster() {
    LoadAwareArgs args;
    args.thresholds = {{"cpu", 30}, {"memory", 30}};
    args.target_thresholds = {{"cpu", 80}, {"memory", 85}};
    args.metrics = MetricsType::kPrometheus;
    profile().load_aware = args;
    request.part = Part::kLoadAware;
  }
  LoadAwareArgs& load() { return *profile().load_aware; }
  LoadCluster& Loaded(const std::string& name, double cpu, double memory) {
    Node(name);
    usage.nodes[name] = {.cpu = cpu, .memory = memory};
    return *this;
  }
  LoadCluster& Uses(const std::string& pod, double cores) {
    usage.pods["ns/" + pod] = {.milli_cpu = cores * 1000, .memory = 0};
    return *this;
  }
};

TEST(LoadAwareTest, MovesTheLargestUntilTheEstimateIsWithinTargets) {
  LoadCluster cluster;
  cluster.Loaded("hot", 95, 40).Loaded("cool", 10, 10).Loaded("fair", 50, 50);
  cluster.Pod("small", "hot", "3").Pod("large", "hot", "100m").Pod("unknown", "hot", "1500m");
  cluster.Uses("small", 0.5).Uses("large", 1.2);
  const Plan plan = cluster.Make();
  // By what they use, or else by what they ask for: 1.5, 1.2, 0.5; the first is enough.
  EXPECT_EQ(MovesOf(plan), "unknown: hot -> cool");
  EXPECT_EQ(plan.nodes[2].name, "hot");
  EXPECT_EQ(plan.nodes[2].before.at("cpu"), 95);
  EXPECT_EQ(plan.nodes[2].after.at("cpu"), 80);
  EXPECT_EQ(plan.nodes[0].after.at("cpu"), 25);
  EXPECT_EQ(BlockedOf(plan), "");
  EXPECT_FALSE(plan.rules.taints_sources);
  EXPECT_EQ(plan.rules.cool_down_annotation, "loadaware.basalt.sh/cool-down-until");
}

TEST(LoadAwareTest, TheLeastLoadedTakesAndStaysWithinTargetsAndWithinItsRoom) {
  LoadCluster cluster;
  cluster.Loaded("hot", 100, 40).Loaded("c1", 20, 20).Loaded("c2", 10, 10);
  cluster.Pod("p1", "hot", "1").Pod("p2", "hot", "1");
  cluster.Uses("p1", 1).Uses("p2", 1);
  EXPECT_EQ(MovesOf(cluster.Make()), "p1: hot -> c2; p2: hot -> c2");
  // By requests the least loaded has no room.
  cluster.Pod("idle", "c2", "9500m");
  EXPECT_EQ(MovesOf(cluster.Make()), "p1: hot -> c1; p2: hot -> c1");
  cluster.Uses("p1", 7).Uses("p2", 7);  // one would be above the target
  const Plan plan = cluster.Make();
  EXPECT_EQ(BlockedOf(plan), "hot/p1 NoTarget");
  EXPECT_EQ(CountsOf(plan), "Protection 1, Resources 1");
}

TEST(LoadAwareTest, ANodeWithoutAFigureIsLeftAlone) {
  const double kNan = std::nan("");
  const double kInfinity = std::numeric_limits<double>::infinity();
  for (const double odd : {kNan, kInfinity, -1.0}) {
    LoadCluster cluster;
    cluster.Loaded("hot", odd, 40).Loaded("cool", 10, 10).Pod("p1", "hot", "1");
    const Plan plan = cluster.Make();
    EXPECT_EQ(MovesOf(plan) + BlockedOf(plan), "");
    EXPECT_EQ(plan.unmeasured, std::vector<std::string>{"hot"});
  }
  LoadCluster cluster;
  cluster.Loaded("hot", 95, 40).Node("unknown").Pod("p1", "hot", "1");
  cluster.usage.nodes["unknown"].cpu = 5;  // and no memory
  const Plan plan = cluster.Make();
  EXPECT_EQ(MovesOf(plan), "");
  EXPECT_EQ(BlockedOf(plan), "hot/p1 NoTarget");
  cluster.usage.pods["ns/p1"] = {.milli_cpu = kNan, .memory = -1};
  cluster.usage.nodes["unknown"].memory = 5;
  EXPECT_EQ(MovesOf(cluster.Make()), "p1: hot -> unknown");
}

TEST(LoadAwareTest, NothingMeasuredNothingDone) {
  LoadCluster cluster;
  cluster.Node("hot").Node("cool").Pod("p1", "hot", "9");
  EXPECT_EQ(MovesOf(cluster.Make()), "");
  const Plan plan = MakePlan(cluster.objects.cluster, *cluster.rules, cluster.policy,
                             cluster.profile(), cluster.request, nullptr, kTestNow);
  EXPECT_EQ(MovesOf(plan) + BlockedOf(plan), "");
}

TEST(LoadAwareTest, TheNumberOfPodsIsCountedNotMeasured) {
  LoadCluster cluster;
  cluster.load().thresholds = {{"pods", 20}};
  cluster.load().target_thresholds = {{"pods", 40}};
  cluster.Node("many").Node("few");
  for (int i = 0; i < 10; ++i) cluster.Pod("p" + std::to_string(i), "many", "100m");
  EXPECT_EQ(MovesOf(cluster.Make()), "p0: many -> few; p1: many -> few");  // of 20, 10 to 8
}

TEST(LoadAwareTest, DeviationsAreMeasuredFromTheMean) {
  LoadCluster cluster;
  cluster.load().use_deviation_thresholds = true;
  cluster.load().thresholds = {{"cpu", 10}};
  cluster.load().target_thresholds = {{"cpu", 10}};
  cluster.Loaded("a", 60, 0).Loaded("b", 30, 0).Loaded("c", 30, 0);  // 40: below 30, above 50
  cluster.Uses("p1", 1).Pod("p1", "a", "1");
  EXPECT_EQ(BlockedOf(cluster.Make()), "a/p1 NoTarget");
  cluster.usage.nodes["c"].cpu = 20;
  EXPECT_EQ(MovesOf(cluster.Make()), "p1: a -> c");
}

TEST(LoadAwareTest, BothCoolDownsKeepNodesOutOnBothSides) {
  for (const std::string annotation :
       {"defragmentation.basalt.sh/cool-down-until", "loadaware.basalt.sh/cool-down-until"}) {
    for (const std::string cooling : {"hot", "cool"}) {
      LoadCluster cluster;
      for (const std::string name : {"hot", "cool"}) {
        kube::Node node = PlanCluster::NodeOf(name);
        if (name == cooling) {
          node.meta.annotations.Set(annotation, kube::FormatTime(kTestNow + 1min));
        }
        cluster.Add(node);
        cluster.usage.nodes[name] = {.cpu = name == "hot" ? 95 : 5, .memory = 5};
      }
      cluster.Pod("p1", "hot", "2");
      const Plan plan = cluster.Make();
      EXPECT_EQ(MovesOf(plan), "");
      EXPECT_EQ(BlockedOf(plan), cooling == "hot" ? "hot CoolingDown" : "hot/p1 NoTarget");
    }
  }
}

TEST(LoadAwareTest, LimitsAndOwnArgumentsCount) {
  LoadCluster cluster;
  cluster.Loaded("hot", 100, 40).Loaded("cool", 10, 10);
  for (const std::string name : {"p1", "p2", "p3"}) {
    kube::Pod pod = PlanCluster::PodOf(name, "hot", "700m");
    pod.spec.volumes.push_back({.name = "v", .kind = kube::Volume::Kind::kEmptyDir});
    cluster.Add(pod);
  }
  EXPECT_EQ(BlockedOf(cluster.Make()), "hot/p1 LocalStorage");
  cluster.load().evict_local_storage = true;
  EXPECT_EQ(cluster.Make().moves.size(), 3u);
  cluster.load().moves.max_migrations = 1;
  EXPECT_EQ(MovesOf(cluster.Make()), "p1: hot -> cool");
  cluster.load().number_of_nodes = 1;
  EXPECT_EQ(BlockedOf(cluster.Make()), "hot NumberOfNodes");
}

}  // namespace
}  // namespace basalt::descheduler
