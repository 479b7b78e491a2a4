// Whom a promised pod waits for, and until when.
#include "scheduler/explain/promise_wait.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/explain/amounts.h"
#include "scheduler/explain/overview.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::explain {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::Names;
using testutil::TestCluster;

constexpr Duration kGrace = 2min;

class PromiseWaitTest : public testing::Test {
 protected:
  PromiseWaitTest() {
    for (const char* node : {"n1", "n2", "n3"}) given_.Add(MakeNode(node, {{"cpu", "4"}}));
    kube::Queue narrow = MakeQueue("narrow");
    narrow.capability = testutil::Resources({{"cpu", "4"}});
    given_.Add(std::move(narrow)).Add(MakeQueue("wide"));
    given_.Add(MakeGroup("old", "narrow", 0)).Add(MakeGroup("others", "wide", 0));
    given_.Add(MakeGroup("new", "wide", 1)).Add(MakeGroup("tight", "narrow", 1));
  }
  // A pod that leaves in so long; nothing: its eviction is under way.
  void AddLeaving(const char* name, const char* group, const char* node,
                  std::optional<Duration> in) {
    kube::Pod pod = MakeRunningPod(name, group, {{"cpu", "4"}}, node);
    if (in) pod.meta.deletion_timestamp = kTestNow + *in;
    given_.Add(std::move(pod));
    given_.cluster.Move(given_.task(name).id,
                        {.status = TaskStatus::kReleasing, .node = given_.node(node).id});
  }
  void AddPromised(const char* name, const char* group, const char* node) {
    given_.Add(MakePod(name, group, {{"cpu", "4"}}));
    given_.cluster.Move(given_.task(name).id,
                        {.status = TaskStatus::kPipelined, .node = given_.node(node).id});
  }
  PromiseWait WaitOf(const char* name, model::QueueReach reach = model::QueueReach::kTree) {
    return WhatPromiseWaitsFor(given_.cluster, given_.task(name), {kGrace, reach});
  }
  std::optional<Time> EndOf(const char* name, model::QueueReach reach = model::QueueReach::kTree) {
    return PromiseEnds(given_.cluster, {kGrace, reach}).Of(given_.task(name));
  }

  TestCluster given_;
};

TEST_F(PromiseWaitTest, ForThoseWhoLeaveItsNodeUntilTheLastIsOverdue) {
  AddLeaving("b", "others", "n1", 30s);
  AddLeaving("a", "others", "n1", 60s);
  AddLeaving("elsewhere", "others", "n2", 90s);
  AddPromised("p", "new", "n1");
  const PromiseWait wait = WaitOf("p");
  EXPECT_THAT(Names(wait.on_node), ElementsAre("a", "b"));
  EXPECT_THAT(wait.in_queue, IsEmpty());
  EXPECT_EQ(wait.until, kTestNow + 60s + kGrace);
  EXPECT_EQ(EndOf("p"), wait.until);
}

TEST_F(PromiseWaitTest, ForThoseWhoLeaveItsQueueElsewhereToo) {
  AddLeaving("there", "old", "n2", 90s);
  AddLeaving("here", "others", "n1", 30s);
  AddPromised("p", "tight", "n1");
  const PromiseWait wait = WaitOf("p");
  EXPECT_THAT(Names(wait.on_node), ElementsAre("here"));
  EXPECT_THAT(Names(wait.in_queue), ElementsAre("there"));
  EXPECT_EQ(wait.until, kTestNow + 90s + kGrace) << "the later of the two";
  EXPECT_EQ(EndOf("p"), wait.until);
}

TEST_F(PromiseWaitTest, OnAFreeNodeForItsQueueAlone) {
  AddLeaving("there", "old", "n2", 90s);
  AddPromised("p", "tight", "n1");
  EXPECT_THAT(Names(WaitOf("p").in_queue), ElementsAre("there"));
  EXPECT_EQ(EndOf("p"), kTestNow + 90s + kGrace);
}

TEST_F(PromiseWaitTest, ForThoseWhoLeaveAQueueAboveItsOwnOnlyWhereThatIsInReach) {
  kube::Queue below = MakeQueue("below");
  below.parent = "narrow";
  given_.Add(std::move(below)).Add(MakeGroup("under", "below", 1));
  AddLeaving("there", "old", "n2", 90s);
  AddPromised("p", "under", "n1");
  EXPECT_THAT(Names(WaitOf("p").in_queue), ElementsAre("there"));
  EXPECT_EQ(EndOf("p"), kTestNow + 90s + kGrace);
  EXPECT_TRUE(WaitOf("p", model::QueueReach::kOwn).ForNobody());
  EXPECT_EQ(EndOf("p", model::QueueReach::kOwn), std::nullopt);
}

TEST_F(PromiseWaitTest, WithoutAnEndWhileAnEvictionIsUnderWayOnItsNodeOrInItsQueue) {
  AddLeaving("there", "old", "n2", 90s);
  AddLeaving("here", "others", "n1", std::nullopt);
  AddPromised("p", "tight", "n1");
  EXPECT_EQ(WaitOf("p").until, std::nullopt);
  EXPECT_EQ(EndOf("p"), std::nullopt) << "nobody knows when here is gone";
  AddLeaving("here", "others", "n1", 30s);
  AddLeaving("there", "old", "n2", std::nullopt);
  EXPECT_EQ(WaitOf("p").until, std::nullopt);
  EXPECT_EQ(EndOf("p"), std::nullopt);
}

TEST_F(PromiseWaitTest, ForNobodyWhoIsOverdue) {
  AddLeaving("late", "others", "n1", -1h);
  given_.cluster.Move(
      given_.task("late").id,
      {.status = TaskStatus::kReleasing, .node = given_.node("n1").id, .overdue = true});
  AddPromised("p", "new", "n1");
  EXPECT_TRUE(WaitOf("p").ForNobody());
  EXPECT_EQ(EndOf("p"), std::nullopt);
}

TEST_F(PromiseWaitTest, WhereItsOwnNodeIsFreeForThoseTheRestOfItsGroupWaitsForUntilTheFirstEnds) {
  AddLeaving("b", "others", "n2", 90s);
  AddLeaving("a", "others", "n3", 30s);
  AddPromised("p", "new", "n1");
  AddPromised("q", "new", "n2");
  AddPromised("r", "new", "n3");
  const PromiseWait wait = WaitOf("p");
  EXPECT_THAT(wait.on_node, IsEmpty());
  EXPECT_THAT(Names(wait.of_group), ElementsAre("a", "b"));
  EXPECT_EQ(wait.until, kTestNow + 30s + kGrace);
  EXPECT_THAT(Names(WaitOf("q").on_node), ElementsAre("b"));
  EXPECT_THAT(WaitOf("q").of_group, IsEmpty()) << "it waits for its own";
}

TEST_F(PromiseWaitTest, APodThatIsPromisedNothingWaitsForNobody) {
  AddLeaving("a", "others", "n1", 30s);
  given_.Add(MakePod("p", "new", {{"cpu", "4"}}));
  EXPECT_TRUE(WaitOf("p").ForNobody());
}

// ---- amounts as people write them

TEST(AmountsTextTest, EachResourceHasItsUnit) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  EXPECT_EQ(FormatAmount(model::kCpu, 1500), "1500m");
  EXPECT_EQ(FormatAmount(model::kCpu, 2000), "2");
  EXPECT_EQ(FormatAmount(model::kMemory, 2 * kGiB), "2Gi");
  EXPECT_EQ(FormatAmount(model::kPods, 110), "110");
  EXPECT_EQ(FormatAmount(model::kCpu, 0x1p70), FormatAmount(model::kCpu, 0x1p63))
      << "as much as anybody can say";
  EXPECT_EQ(FormatAmount(model::kCpu, -1500), "-1500m");
}

TEST(AmountsTextTest, AListHasWhatIsThereAndAlwaysCpuAndMemory) {
  TestCluster given;
  given.Add(MakeNode("n", {{"cpu", "1"}, {"memory", "1Gi"}, {"nvidia.com/gpu", "2"}}));
  const model::Dimensions& dimensions = given.cluster.dimensions();
  model::Amounts amounts = given.node("n").allocatable;
  EXPECT_EQ(ToResourceList(amounts, dimensions).Get("nvidia.com/gpu").ToString(), "2");
  model::Amounts nothing = amounts;
  nothing.Sub(amounts);
  const kube::ResourceList list = ToResourceList(nothing, dimensions);
  EXPECT_NE(list.Find("cpu"), nullptr);
  EXPECT_NE(list.Find("memory"), nullptr);
  EXPECT_EQ(list.Find("nvidia.com/gpu"), nullptr);
  EXPECT_EQ(
      FormatAmounts(amounts, model::Bit(model::kCpu) | model::Bit(model::kMemory), dimensions),
      "cpu 1, memory 1Gi");
}

// ---- the state at a glance

TEST(OverviewTest, PodsThatWaitAreCountedByTheirReasonTheMostFrequentFirst) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 1)).Add(MakeNode("n1", {{"cpu", "4"}}));
  const auto add = [&](const char* name, const char* reason, const char* gate) {
    kube::Pod pod = MakePod(name, "g", {{"cpu", "1"}});
    if (*reason) {
      pod.status.conditions.push_back(
          {.type = "PodScheduled", .status = kube::ConditionStatus::kFalse, .reason = reason});
    }
    if (*gate) pod.spec.scheduling_gates = {gate};
    given.Add(std::move(pod));
  };
  add("a", "Unschedulable", "");
  add("b", "Unschedulable", "");
  add("new", "", "");
  add("gated", "", "example.com/x");
  add("promised", "", "");
  given.cluster.Move(given.task("promised").id,
                     {.status = TaskStatus::kPipelined, .node = given.node("n1").id});
  given.Add(MakeRunningPod("r", "g", {{"cpu", "1"}}, "n1"));
  const boost::json::object overview = Overview(given.cluster);
  std::vector<std::string> waiting;
  for (const boost::json::value& row : overview.at("waiting").as_array()) {
    waiting.push_back(std::string(row.at("reason").as_string()) + " " +
                      std::to_string(row.at("pods").as_int64()));
  }
  EXPECT_THAT(waiting, ElementsAre("Unschedulable 2", "New 1", "Promised 1", "SchedulingGated 1"));
  EXPECT_EQ(overview.at("runningPods"), 1);
  EXPECT_EQ(overview.at("claims").at("promised"), 1);
}

TEST(OverviewTest, NodesAreCountedWithWhatIsUsedOfThem) {
  TestCluster given;
  const auto add = [&](const char* name, bool ready, bool cordoned) {
    kube::Node node = MakeNode(name, {{"cpu", "4"}, {"ephemeral-storage", "10Gi"}});
    node.spec.unschedulable = cordoned;
    node.status.conditions.push_back(
        {.type = "Ready",
         .status = ready ? kube::ConditionStatus::kTrue : kube::ConditionStatus::kFalse});
    given.Add(std::move(node));
  };
  add("a", true, false);
  add("b", true, true);
  add("c", false, false);
  add("d", true, false);
  given.Add(MakeRunningPod("p", "", {{"cpu", "1"}}, "a"));
  const boost::json::object overview = Overview(given.cluster);
  const boost::json::object& nodes = overview.at("nodes").as_object();
  EXPECT_EQ(nodes.at("total"), 4);
  EXPECT_EQ(nodes.at("ready"), 3);
  EXPECT_EQ(nodes.at("cordoned"), 1);
  EXPECT_EQ(nodes.at("allocatable").at("cpu"), "16");
  EXPECT_EQ(nodes.at("used").at("cpu"), "1");
  EXPECT_FALSE(nodes.at("allocatable").as_object().contains("ephemeral-storage"));
  EXPECT_DOUBLE_EQ(overview.at("fragmentation").at("cpu").as_double(), 3.0 / 7)
      << "of the seven that are free on nodes that take pods three are beside one";
}

}  // namespace
}  // namespace basalt::scheduler::explain
