#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/drf/share_tree.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testing::ElementsAre;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;

TEST(DrfTest, TheSmallestDominantShareGoesFirstAndPromisesCount) {
  testutil::TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n", {{"cpu", "10"}, {"memory", "100Gi"}}));
  given.Add(MakeGroup("cpu", "q", 1)).Add(MakeGroup("mem", "q", 1)).Add(MakeGroup("new", "q", 1));
  given.Add(MakeRunningPod("a", "cpu", {{"cpu", "3"}, {"memory", "1Gi"}}, "n"));
  given.Add(MakeRunningPod("b", "mem", {{"cpu", "1"}, {"memory", "20Gi"}}, "n"));
  given.Add(MakePod("c", "new", {{"cpu", "5"}}));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"drf"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_TRUE(session.JobBefore(given.job("mem"), given.job("cpu")));
  EXPECT_TRUE(session.JobBefore(given.job("new"), given.job("mem")));
  Statement statement(session);
  statement.Pipeline(given.task("c").id, given.node("n").id, false);
  EXPECT_TRUE(session.JobBefore(given.job("cpu"), given.job("new")));
}

TEST(DrfTest, OnlyJobsThatWouldStillHaveMoreArePreempted) {
  testutil::TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n", {{"cpu", "10"}}));
  given.Add(MakeGroup("rich", "q", 1)).Add(MakeGroup("poor", "q", 1)).Add(MakeGroup("new", "q", 1));
  for (const char* pod : {"a", "b", "c"}) {
    given.Add(MakeRunningPod(pod, "rich", {{"cpu", "2"}}, "n"));
  }
  given.Add(MakeRunningPod("d", "poor", {{"cpu", "2"}}, "n"));
  given.Add(MakePod("p", "new", {{"cpu", "2"}}));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"drf"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_THAT(
      testutil::Names(session.Preemptable(given.task("p"), given.tasks({"a", "b", "c", "d"}))),
      ElementsAre("a", "b"));
}

TEST(ShareTreeTest, AChildThatWantsNoMoreDoesNotMakeItsSiblingsLookGreedy) {
  model::Amounts total(10000, 10000);
  ShareTree tree(total);
  // "busy" still wants more; "done" has all it asked for.
  tree.AddJob("root/sci/dev", "1/1/1", "busy", model::Amounts(1000, 0), model::Amounts(5000, 0));
  tree.AddJob("root/sci/ops", "1/1/1", "done", model::Amounts(0, 2000), model::Amounts(0, 2000));
  tree.AddJob("root/eng/web", "1/1/1", "other", model::Amounts(1500, 0), model::Amounts(5000, 0));
  tree.Compute();
  EXPECT_LT(tree.Compare("root/sci/dev", "root/sci/ops"), 0);
  EXPECT_NE(tree.Compare("root/sci/dev", "root/eng/web"), 0);
  EXPECT_EQ(tree.Compare("root/eng/web", "root/eng/web"), 0);
}

}  // namespace
}  // namespace basalt::scheduler::plugins
