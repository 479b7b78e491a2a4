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

// ---- queues a and b of equal weight, beside each other in a hierarchy; ten CPUs

class DrfHierarchyTest : public testing::Test {
 protected:
  DrfHierarchyTest() {
    given_.Add(MakeNode("n", {{"cpu", "10"}}));
    for (const char* name : {"a", "b"}) {
      kube::Queue queue = MakeQueue(name);
      queue.meta.annotations.Set("volcano.sh/hierarchy", std::string("root/") + name);
      queue.meta.annotations.Set("volcano.sh/hierarchy-weights", "1/1");
      given_.Add(std::move(queue)).Add(MakeGroup(name, name, 1));
      // It wants more than anybody gives it here.
      given_.Add(MakePod(name, name, {{"cpu", "1"}}));
      given_.Add(MakePod(std::string(name) + "-large", name, {{"cpu", "10"}}));
    }
    Config config = testutil::OneTier({"drf"});
    config.tiers[0].plugins[0].Set(Switch::kHierarchy, true);
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  }
  void Run(const char* pod, const char* group, const char* cpu) {
    given_.Add(MakeRunningPod(pod, group, {{"cpu", cpu}}, "n"));
  }
  Session& Open() {
    session_.reset();
    return session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(DrfHierarchyTest, AQueueTakesBackAsLongAsItHasLessThanWhoGivesAfterwards) {
  Run("a-0", "a", "1");
  Run("b-0", "b", "1");
  Run("b-1", "b", "2");
  const auto reclaimable = [&] {
    return testutil::Names(Open().Reclaimable(given_.task("a"), given_.tasks({"b-0"})));
  };
  EXPECT_THAT(reclaimable(), testing::IsEmpty()) << "two and two";
  Run("b-2", "b", "1");
  EXPECT_THAT(reclaimable(), ElementsAre("b-0")) << "two and three";
}

TEST_F(DrfHierarchyTest, QueuesAreOrderedByWhatTheyHaveWhenTheSessionIsOpened) {
  const auto before = [&](const char* a, const char* b) {
    return session_->QueueBefore(given_.queue(a), given_.queue(b));
  };
  Run("a-0", "a", "1");
  Open();
  EXPECT_TRUE(before("b", "a"));
  EXPECT_FALSE(before("a", "b"));
  Run("b-0", "b", "1");
  Open();
  EXPECT_TRUE(before("a", "b")) << "of equals by their names";
  EXPECT_FALSE(before("b", "a"));
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
