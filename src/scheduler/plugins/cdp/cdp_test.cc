#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using namespace std::chrono_literals;

TEST(CdpTest, APodIsNoVictimWhileItCoolsDown) {
  testutil::TestCluster given;
  const auto add = [&](const char* name, Duration age, bool cools) {
    kube::Pod pod = testutil::MakeRunningPod(name, "", {}, "n");
    if (cools) pod.meta.annotations.Set("volcano.sh/cooldown-time", "10m");
    pod.status.conditions.push_back({.type = "PodScheduled",
                                     .status = kube::ConditionStatus::kTrue,
                                     .last_transition_time = testutil::kTestNow - age});
    given.Add(std::move(pod));
  };
  add("fresh", 1min, true);
  add("old", 11min, true);
  add("plain", 1min, false);
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"cdp"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_THAT(testutil::Names(
                  session.Preemptable(given.task("plain"), given.tasks({"fresh", "old", "plain"}))),
              testing::ElementsAre("old", "plain"));
  EXPECT_EQ(plugins->hooks<TimeDependent>().front().front()->ChangesAt(model::Job{}),
            testutil::kTestNow + 9min);
}

}  // namespace
}  // namespace basalt::scheduler::plugins
