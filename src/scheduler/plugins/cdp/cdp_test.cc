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

TEST(CdpTest, AJobIsLookedAtAgainWhenTheFirstOfThoseThatCoolDownHasDoneSo) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeGroup("new", "q", 1));
  given.Add(testutil::MakePod("p", "new", {}));
  const auto add = [&](const char* name, Duration age) {
    kube::Pod pod = testutil::MakeRunningPod(name, "", {}, "n");
    pod.meta.labels.Set("volcano.sh/cooldown-time", "10m");
    pod.status.conditions.push_back({.type = "PodScheduled",
                                     .status = kube::ConditionStatus::kTrue,
                                     .last_transition_time = testutil::kTestNow - age});
    given.Add(std::move(pod));
  };
  add("young", 1min);
  add("older", 8min);
  add("middle", 4min);
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"cdp"}), BuiltinPlugins());
  {
    Session session(given.cluster, *plugins, testutil::kTestNow);
    EXPECT_EQ(session.ChangesAt(given.job("new")), std::nullopt) << "nobody was asked to leave";
    EXPECT_TRUE(
        session.Reclaimable(given.task("p"), given.tasks({"young", "older", "middle"})).empty());
    EXPECT_EQ(session.ChangesAt(given.job("new")), testutil::kTestNow + 2min);
  }
  Session next(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_EQ(next.ChangesAt(given.job("new")), std::nullopt) << "of each session its own";
}

TEST(CdpTest, OnlyAPodThatRunsAndSaysWhenItWasScheduledIsProtected) {
  struct Case {
    const char* name;
    const char* cooldown;
    kube::PodPhase phase;
    kube::ConditionStatus scheduled;
    bool victim;
  };
  using Phase = kube::PodPhase;
  using Status = kube::ConditionStatus;
  for (const Case& c : {Case{"cools", "10m", Phase::kRunning, Status::kTrue, false},
                        Case{"pending", "10m", Phase::kPending, Status::kTrue, true},
                        Case{"unscheduled", "10m", Phase::kRunning, Status::kFalse, true},
                        Case{"no-time", "soon", Phase::kRunning, Status::kTrue, true},
                        Case{"over", "1m", Phase::kRunning, Status::kTrue, true}}) {
    testutil::TestCluster given;
    kube::Pod pod = testutil::MakeRunningPod(c.name, "", {}, "n");
    pod.status.phase = c.phase;
    pod.meta.annotations.Set("volcano.sh/cooldown-time", c.cooldown);
    pod.status.conditions.push_back({.type = "PodScheduled",
                                     .status = c.scheduled,
                                     .last_transition_time = testutil::kTestNow - 1min});
    given.Add(std::move(pod)).Add(testutil::MakePod("p", "", {}));
    const auto plugins = testutil::MakePlugins(testutil::OneTier({"cdp"}), BuiltinPlugins());
    Session session(given.cluster, *plugins, testutil::kTestNow);
    EXPECT_EQ(!session.Preemptable(given.task("p"), given.tasks({c.name})).empty(), c.victim)
        << c.name;
  }
}

}  // namespace
}  // namespace basalt::scheduler::plugins
