// deps: basalt_testing_scheduling
// Volcano's issues with evictions, which never end there. On the real API server too:
// tests/cluster.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "testing/scheduling/eviction_scenario.h"
#include "tests/pipelines/promise_cluster.h"

namespace basalt::systemtest {
namespace {

using testutil::EvictionScenario;

void Take(PromiseCluster& cluster, const EvictionScenario::Step& step) {
  for (const auto& group : step.groups) {
    cluster.AddGroup(group.name, group.min_member, group.queue, group.priority);
  }
  for (const auto& pod : step.pods) {
    auto made = cluster.Pod(pod.name, pod.cpu, pod.group);
    if (pod.comes_back) made.Label("comes-back", pod.name);
    cluster.cluster().Create(made);
  }
}

void ExpectRunning(PromiseCluster& cluster, const std::string& pod) {
  EXPECT_EQ(cluster.GetPod(pod).status.phase, kube::PodPhase::kRunning) << pod;
}

class EvictionScenarioTest : public testing::TestWithParam<EvictionScenario> {};

TEST_P(EvictionScenarioTest, SettlesWithTheFewestEvictionsAndTheBeneficiaryRuns) {
  const EvictionScenario& scenario = GetParam();
  PromiseCluster cluster;
  for (const auto& node : scenario.nodes) cluster.AddNode(node.name, node.cpu);
  for (const auto& queue : scenario.queues) cluster.AddQueue(queue.name, queue.deserved);
  Take(cluster, scenario.first);
  cluster.StartScheduler();
  cluster.Run(5s);
  for (const auto& pod : scenario.first.pods) ExpectRunning(cluster, pod.name);
  Take(cluster, scenario.then);
  cluster.Run(2s);
  Take(cluster, scenario.late);
  cluster.Run(2min);
  for (const auto& node : scenario.later_nodes) cluster.AddNode(node.name, node.cpu);
  cluster.Run(5min);
  for (const std::string& pod : scenario.run) ExpectRunning(cluster, pod);
  EXPECT_EQ(cluster.Evictions().size(), scenario.evictions);
  EXPECT_EQ(!cluster.Nominations().empty(), scenario.nominates);
  EXPECT_EQ(cluster.Check(), "");
  std::cout << fmt::format("figures: {}: evictions: {} ({})\n", scenario.name,
                           cluster.Evictions().size(), fmt::join(cluster.Evictions(), " "));
}

INSTANTIATE_TEST_SUITE_P(Volcanos, EvictionScenarioTest,
                         testing::ValuesIn(testutil::EvictionScenarios()),
                         [](const auto& test) { return test.param.id; });

}  // namespace
}  // namespace basalt::systemtest
