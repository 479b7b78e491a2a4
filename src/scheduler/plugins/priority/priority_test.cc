#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testing::ElementsAre;
using testutil::MakeGroup;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;

TEST(PriorityTest, OnlyLowerJobsAndWithinAJobLowerTasksMayBePreempted) {
  testutil::TestCluster given;
  given.Add(MakeQueue("q"));
  given.Add(MakeGroup("low", "q", 1), 1)
      .Add(MakeGroup("mid", "q", 1), 5)
      .Add(MakeGroup("high", "q", 1), 9);
  given.Add(MakeRunningPod("a", "low", {{"cpu", "1"}}, "n1"));
  given.Add(MakeRunningPod("b", "high", {{"cpu", "1"}}, "n1"));
  given.Add(MakeRunningPod("c", "mid", {{"cpu", "1"}}, "n1"));
  auto urgent = MakePod("p", "mid", {{"cpu", "1"}});
  urgent.spec.priority = 10;
  given.Add(std::move(urgent));

  const auto plugins = testutil::MakePlugins(testutil::OneTier({"priority"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_THAT(testutil::Names(session.Preemptable(given.task("p"), given.tasks({"a", "b", "c"}))),
              ElementsAre("a", "c"));
  EXPECT_TRUE(session.JobBefore(given.job("high"), given.job("mid")));
  EXPECT_TRUE(session.TaskBefore(given.task("p"), given.task("c")));
  EXPECT_TRUE(session.IsJobStarving(given.job("mid")));
  EXPECT_FALSE(session.IsJobStarving(given.job("low")));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
