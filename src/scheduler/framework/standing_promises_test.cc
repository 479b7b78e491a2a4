#include "scheduler/framework/standing_promises.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/object.hpp>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

TestCluster& AddLeaving(TestCluster& given, const char* name, Duration in,
                        const char* group = "old", const char* node = "n1") {
  kube::Pod pod = MakeRunningPod(name, group, {{"cpu", "1"}}, node);
  pod.meta.deletion_timestamp = kTestNow + in;
  return given.Add(std::move(pod));
}

TEST(StandingPromisesTest, APromiseRunsToTheLatestDeletionAndTheGraceAfterIt) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
  given.Add(MakePod("p", "new", {{"cpu", "4"}}));
  AddLeaving(given, "b", 30s);
  AddLeaving(given, "a", 60s);
  EXPECT_FALSE(StandingPromiseOf(given.cluster, given.task("p"), {2min}));
  given.cluster.Move(given.task("p").id,
                     {.status = model::TaskStatus::kPipelined, .node = given.node("n1").id});
  const auto claim = StandingPromiseOf(given.cluster, given.task("p"), {2min});
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(testutil::Names(claim->waits_for), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(claim->until, kTestNow + 60s + 2min);

  const Overdue before = FindOverdue(given.cluster, 2min, kTestNow + 179s);
  EXPECT_TRUE(before.tasks.empty());
  EXPECT_EQ(before.next, kTestNow + 180s);
  const Overdue after = FindOverdue(given.cluster, 2min, kTestNow + 180s);
  EXPECT_EQ(after.tasks.size(), 2u);
  EXPECT_EQ(after.next, std::nullopt) << "no others will be";
}

TEST(StandingPromisesTest, AnEvictionUnderWayHasNoEndYet) {
  TestCluster given;
  given.Add(MakeNode("n1", {{"cpu", "4"}}));
  AddLeaving(given, "a", -1h);
  given.Add(MakeRunningPod("evicted", "", {{"cpu", "1"}}, "n1"));
  given.cluster.Move(given.task("evicted").id,
                     {.status = model::TaskStatus::kReleasing, .node = given.node("n1").id});
  EXPECT_FALSE(PromisesEndOn(given.cluster, given.node("n1").id, 2min));
  EXPECT_TRUE(FindOverdue(given.cluster, 2min, kTestNow).tasks.empty());
}

TEST(StandingPromisesTest, AClaimWaitsForThoseToWhoLeaveItsQueueElsewhere) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "1"}});
  given.Add(std::move(queue))
      .Add(MakeNode("n1", {{"cpu", "1"}}))
      .Add(MakeNode("n2", {{"cpu", "1"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
  given.Add(MakePod("p", "new", {{"cpu", "1"}}));
  AddLeaving(given, "a", 60s);
  given.Add(MakeQueue("r")).Add(MakeGroup("other", "r", 1));
  AddLeaving(given, "of-another-queue", 60s, "other");
  given.cluster.Move(given.task("p").id,
                     {.status = model::TaskStatus::kPipelined, .node = given.node("n2").id});
  const auto claim = StandingPromiseOf(given.cluster, given.task("p"), {2min});
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(testutil::Names(claim->waits_for), (std::vector<std::string>{"a"}));
  EXPECT_EQ(claim->until, kTestNow + 60s + 2min);
  EXPECT_EQ(FindOverdue(given.cluster, 2min, kTestNow).next, kTestNow + 180s);

  // Of its node and its queue the later counts; an eviction under way has no end yet.
  AddLeaving(given, "b", 90s, "old", "n2");
  EXPECT_EQ(StandingPromiseOf(given.cluster, given.task("p"), {2min})->until,
            kTestNow + 90s + 2min);
  given.Add(MakeRunningPod("evicted", "old", {{"cpu", "1"}}, "n2"));
  given.cluster.Move(given.task("evicted").id,
                     {.status = model::TaskStatus::kReleasing, .node = given.node("n2").id});
  EXPECT_EQ(StandingPromiseOf(given.cluster, given.task("p"), {2min})->until, std::nullopt);
}

TEST(StandingPromisesTest, WhoLeavesTheNodeAndTheQueueIsWaitedForOnce) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "2"}});
  given.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeNode("n2", {{"cpu", "8"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
  given.Add(MakePod("p", "new", {{"cpu", "2"}}));
  AddLeaving(given, "b", 60s);
  AddLeaving(given, "a", 60s);
  kube::Pod stays = MakeRunningPod("stays", "old", {{"cpu", "1"}}, "n2");
  given.Add(std::move(stays));
  given.cluster.Move(given.task("p").id,
                     {.status = model::TaskStatus::kPipelined, .node = given.node("n1").id});
  const auto claim = StandingPromiseOf(given.cluster, given.task("p"), {2min});
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(testutil::Names(claim->waits_for), (std::vector<std::string>{"a", "b"}));
}

TEST(StandingPromisesTest, WhoIsOverdueIsWaitedForNoMoreAndOthersOfHisNodeAreCounted) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
  given.Add(MakePod("p", "new", {{"cpu", "4"}}));
  AddLeaving(given, "late", -1h);
  AddLeaving(given, "soon", 30s);
  given.cluster.Move(given.task("p").id,
                     {.status = model::TaskStatus::kPipelined, .node = given.node("n1").id});
  given.cluster.Move(
      given.task("late").id,
      {.status = model::TaskStatus::kReleasing, .node = given.node("n1").id, .overdue = true});
  const auto claim = StandingPromiseOf(given.cluster, given.task("p"), {2min});
  ASSERT_TRUE(claim.has_value());
  EXPECT_EQ(testutil::Names(claim->waits_for), (std::vector<std::string>{"soon"}));
  EXPECT_EQ(PromisesEndOn(given.cluster, given.node("n1").id, 2min), kTestNow + 150s);
}

TEST(StandingPromisesTest, WhoIsOverdueIsListedInOneOrderWhateverHisNode) {
  TestCluster given;
  for (const char* node : {"n1", "n2"}) given.Add(MakeNode(node, {{"cpu", "4"}}));
  std::vector<model::TaskId> leaving;
  for (const char* name : {"a", "b", "c", "d"}) {
    kube::Pod pod = MakeRunningPod(name, "", {{"cpu", "1"}}, leaving.size() % 2 == 0 ? "n2" : "n1");
    pod.meta.deletion_timestamp = kTestNow - 1h;
    given.Add(std::move(pod));
    leaving.push_back(given.task(name).id);
  }
  std::ranges::sort(leaving);
  EXPECT_EQ(FindOverdue(given.cluster, 2min, kTestNow).tasks, leaving);
}

TEST(StandingPromisesTest, NobodyHasToBeLookedAtLaterWhereNothingIsPromised) {
  TestCluster given;
  given.Add(MakeNode("n1", {{"cpu", "4"}}));
  AddLeaving(given, "a", 60s);
  EXPECT_EQ(FindOverdue(given.cluster, 2min, kTestNow).next, std::nullopt);
}

TEST(StandingPromisesTest, APromiseToAPodWhoseGroupIsGoneWaitsForItsNodeAlone) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}})).Add(MakeGroup("new", "q", 1));
  given.Add(MakePod("p", "new", {{"cpu", "4"}})).Add(MakePod("alone", "", {{"cpu", "4"}}));
  AddLeaving(given, "a", 60s);
  given.cluster.RemoveGroup("ns", "new");
  for (const char* pod : {"p", "alone"}) {
    given.cluster.Move(given.task(pod).id,
                       {.status = model::TaskStatus::kPipelined, .node = given.node("n1").id});
    const auto claim = StandingPromiseOf(given.cluster, given.task(pod), {2min});
    ASSERT_TRUE(claim.has_value()) << pod;
    EXPECT_EQ(testutil::Names(claim->waits_for), (std::vector<std::string>{"a"})) << pod;
  }
}

TEST(StandingPromisesTest, TheGraceIsAnArgument) {
  EXPECT_EQ(NominationGrace(Arguments()).value(), 2min);
  EXPECT_EQ(NominationGrace(Arguments({{"nominationGrace", "30s"}})).value(), 30s);
  EXPECT_EQ(NominationGrace(Arguments({{"nominationGrace", "0s"}})).value(), 0s);
  for (const char* bad : {"soon", "-1s"}) {
    const auto refused = NominationGrace(Arguments({{"nominationGrace", bad}}));
    ASSERT_FALSE(refused.has_value()) << bad;
    EXPECT_NE(refused.error().message.find("nominationGrace"), std::string::npos);
  }
}

}  // namespace
}  // namespace basalt::scheduler
