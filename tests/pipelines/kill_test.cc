// deps: basalt_testing_scheduling
// A scheduler that dies at each of its writes, before the write leaves or after it, with its answer
// unheard, while a queue reclaims its share and a gang waits for promised room. Whatever happens,
// everybody comes to run who should, nobody leaves who need not, and nothing is left behind.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "base/random.h"
#include "testing/seeds.h"
#include "tests/pipelines/promise_cluster.h"

namespace basalt::systemtest {
namespace {

using testing::ElementsAre;
using testutil::ForEachSeed;

testutil::PodBuilder At(const char* node, testutil::PodBuilder pod) {
  return pod.NodeSelector("place", node).Set("spec.terminationGracePeriodSeconds", 2);
}

// Seed 003's scenario on one node; on another a gang of high priority among pods of low.
void AddWork(PromiseCluster& cluster) {
  cluster.AddNode("n1", "8");
  cluster.AddNode("n2", "5");
  cluster.AddQueue("q1", "3");
  cluster.AddQueue("q2", "5");
  cluster.AddQueue("q3", "");
  for (const char* group : {"g1", "g2", "g3"}) {
    cluster.AddGroup(group, 1, group == std::string("g1") ? "q1" : "q2");
  }
  cluster.AddGroup("old", 1, "q3", "low");
  cluster.cluster().Create(At("n1", cluster.Pod("pod1", "4", "g1")).Label("comes-back", "pod1"));
  cluster.cluster().Create(At("n1", cluster.Pod("pod2", "1", "g2")));
  for (int i = 0; i < 5; ++i) {
    cluster.cluster().Create(At("n2", cluster.Pod(fmt::format("old-{}", i), "1", "old")));
  }
}

void AddThoseWhoNeedRoom(PromiseCluster& cluster) {
  cluster.cluster().Create(At("n1", cluster.Pod("pod3", "4", "g3")));
  cluster.AddGroup("gang", 2, "q3", "high");
  for (int i = 0; i < 2; ++i) {
    cluster.cluster().Create(At("n2", cluster.Pod(fmt::format("gang-{}", i), "2", "gang")));
  }
}

testutil::FaultPlan SlowNetwork(std::uint64_t seed) {
  Random random(seed * 7919);
  testutil::FaultPlan plan;
  plan.most_latency = std::chrono::milliseconds(random.Below(30));
  plan.lose_response = random.Chance(0.3) ? 0.05 : 0;
  return plan;
}

// Returns how many writes the schedulers sent.
std::size_t RunWork(std::uint64_t seed, std::vector<Death> deaths) {
  const std::size_t wanted = deaths.size();
  PromiseCluster cluster(seed, SlowNetwork(seed));
  cluster.DieAt(std::move(deaths));
  AddWork(cluster);
  cluster.StartScheduler();
  cluster.Run(4s);
  AddThoseWhoNeedRoom(cluster);
  cluster.Run(8s);
  cluster.cluster().network().set_plan({});
  cluster.Run(30s);
  EXPECT_LE(static_cast<std::size_t>(cluster.deaths()), wanted);
  for (const char* pod : {"pod2", "pod3", "gang-0", "gang-1"}) {
    EXPECT_EQ(cluster.GetPod(pod).status.phase, kube::PodPhase::kRunning) << pod;
  }
  // The fewest: one for pod3, four of five for the gang.
  EXPECT_EQ(cluster.Gone(), 5);
  EXPECT_FALSE(cluster.GetPod("pod1-again-1").bound());
  EXPECT_EQ(cluster.Check(), "");
  return cluster.writes();
}

TEST(KillTest, AtEachWriteNoPromiseIsLostDoubledOrLeftBehind) {
  const std::size_t writes = RunWork(1, {});
  ASSERT_GT(writes, 20u);
  ASSERT_FALSE(HasFailure());
  std::size_t deaths = 0;
  // Each write of an undisturbed life, and some beyond, before and after; of every third seed the
  // second scheduler dies too.
  ForEachSeed(500, [&](std::uint64_t seed) {
    const std::size_t last = writes + 5;
    std::vector<Death> fate{{.write = 1 + (seed / 2) % last, .before = seed % 2 == 0}};
    if (seed % 3 == 0) {
      Random random(seed);
      fate.push_back({.write = 1 + random.Below(12), .before = random.Chance(0.5)});
    }
    deaths += fate.size();
    RunWork(seed, std::move(fate));
  });
  std::cout << fmt::format("an undisturbed scheduler makes {} writes; {} deaths\n", writes, deaths);
}

}  // namespace
}  // namespace basalt::systemtest
