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
      .Add(MakeGroup("same", "q", 1), 5)
      .Add(MakeGroup("high", "q", 1), 9);
  given.Add(MakeRunningPod("a", "low", {{"cpu", "1"}}, "n1"));
  given.Add(MakeRunningPod("b", "high", {{"cpu", "1"}}, "n1"));
  given.Add(MakeRunningPod("c", "mid", {{"cpu", "1"}}, "n1"));
  auto urgent = MakePod("p", "mid", {{"cpu", "1"}});
  urgent.spec.priority = 10;
  given.Add(std::move(urgent));
  auto as_urgent = MakeRunningPod("d", "mid", {{"cpu", "1"}}, "n1");
  as_urgent.spec.priority = 10;
  given.Add(std::move(as_urgent));
  given.Add(MakeRunningPod("e", "same", {{"cpu", "1"}}, "n1"));

  const auto plugins = testutil::MakePlugins(testutil::OneTier({"priority"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_THAT(
      testutil::Names(session.Preemptable(given.task("p"), given.tasks({"a", "b", "c", "d", "e"}))),
      ElementsAre("a", "c"));
  EXPECT_TRUE(session.JobBefore(given.job("high"), given.job("mid")));
  EXPECT_TRUE(session.TaskBefore(given.task("p"), given.task("c")));
  EXPECT_TRUE(session.IsJobStarving(given.job("mid")));
  EXPECT_FALSE(session.IsJobStarving(given.job("low")));
}

TEST(PriorityTest, OfWholeGangsThoseOfLowerJobsArePreemptedAndAnyIsReclaimed) {
  testutil::TestCluster given;
  given.Add(MakeQueue("q"));
  for (const auto& [name, priority] : {std::pair{"low", 1}, {"same", 5}, {"high", 9}, {"new", 5}}) {
    given.Add(MakeGroup(name, "q", 1), priority);
    given.Add(MakeRunningPod(std::string(name) + "-0", name, {{"cpu", "1"}}, "n1"));
  }
  given.Add(MakeRunningPod("stray", "", {{"cpu", "1"}}, "n1"));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"priority"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  const auto candidates = given.tasks({"low-0", "same-0", "high-0", "stray"});
  const auto of = [&](GangEviction::Kind kind) {
    return testutil::Names(
        session.Evictable({.kind = kind, .beneficiary = &given.job("new")}, candidates));
  };
  EXPECT_THAT(of(GangEviction::Kind::kPreempt), ElementsAre("low-0"));
  EXPECT_THAT(of(GangEviction::Kind::kReclaim), ElementsAre("low-0", "same-0", "high-0", "stray"));
}

TEST(PriorityTest, AJobStarvesUntilEachOfItsTasksHasAPlaceOrThePromiseOfOne) {
  testutil::TestCluster given;
  given.Add(MakeQueue("q")).Add(testutil::MakeNode("n1", {{"cpu", "4"}}));
  given.Add(MakeGroup("g", "q", 1)).Add(MakeRunningPod("a", "g", {{"cpu", "1"}}, "n1"));
  given.Add(MakePod("b", "g", {{"cpu", "1"}}));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"priority"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_TRUE(session.IsJobStarving(given.job("g")));
  Statement statement(session);
  statement.Pipeline(given.task("b").id, given.node("n1").id, false);
  EXPECT_FALSE(session.IsJobStarving(given.job("g")));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
