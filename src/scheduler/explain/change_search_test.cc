// The change that helps, and that a question about it leaves no trace.
#include "scheduler/explain/change_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/explain/explainer_test_util.h"

namespace basalt::scheduler::explain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::Resources;

TEST_F(ExplainerTest, AClusterThatIsTooSmallForAGroupToEnterNeedsNodes) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  kube::PodGroup group = MakeGroup("big", "q", 8, kube::PodGroupPhase::kPending);
  group.min_resources = Resources({{"cpu", "16"}});
  given_.Add(std::move(group));
  for (int i = 0; i < 8; ++i) {
    given_.Add(MakePod("big-" + std::to_string(i), "big", {{"cpu", "2"}}));
  }
  const Explanation got = Group("big");
  EXPECT_EQ(got.stage, Stage::kEnqueue);
  EXPECT_EQ(got.change, "3 more nodes like n1");
}

TEST_F(ExplainerTest, AGangOfWhichOneDoesNotFitNeedsOneMoreNode) {
  given_.Add(MakeQueue("q"));
  for (const char* name : {"n1", "n2"}) given_.Add(MakeNode(name, {{"cpu", "2"}}));
  AddGang("train", "q", 3, 3, {{"cpu", "2"}});
  for (const char* pod : {"train-0", "train-2"}) {
    const Explanation got = Pod(pod);
    EXPECT_EQ(got.stage, Stage::kNode);
    EXPECT_EQ(got.message,
              "0/2 nodes are available: 2 Insufficient cpu. 2 of 3 pods that the group still needs "
              "could be placed");
    EXPECT_THAT(got.nodes, ElementsAre(NodeCount{"Insufficient cpu", 2}));
    EXPECT_EQ(got.change, "one more node like n1");
  }
  EXPECT_EQ(Group("train").stage, Stage::kNode);
}

TEST_F(ExplainerTest, TheSmallestPodThatIsEnoughShouldFinish) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "8"}}));
  given_.Add(MakeGroup("old", "q", 1));
  given_.Add(MakeRunningPod("small", "old", {{"cpu", "1"}}, "n1"));
  given_.Add(MakeRunningPod("middle", "old", {{"cpu", "3"}}, "n1"));
  given_.Add(MakeRunningPod("large", "old", {{"cpu", "4"}}, "n1"));
  AddGang("new", "q", 1, 1, {{"cpu", "2"}});
  EXPECT_EQ(Pod("new-0").change, "finish or evict pod ns/middle");
}

TEST_F(ExplainerTest, ATaintOrACordonThatIsInTheWayShouldGo) {
  given_.Add(MakeQueue("q"));
  kube::Node tainted = MakeNode("n1", {{"cpu", "8"}});
  tainted.spec.taints.push_back(
      {.key = "gpu", .value = "yes", .effect = kube::TaintEffect::kNoSchedule});
  given_.Add(std::move(tainted));
  AddGang("new", "q", 1, 1, {{"cpu", "2"}});
  const Explanation got = Pod("new-0");
  EXPECT_EQ(got.stage, Stage::kNode);
  EXPECT_EQ(got.change, "remove taint gpu=yes:NoSchedule from node n1");
  kube::Node cordoned = MakeNode("n1", {{"cpu", "8"}});
  cordoned.spec.unschedulable = true;
  given_.Add(std::move(cordoned));
  EXPECT_EQ(Pod("new-0").change, "uncordon node n1");
}

TEST_F(ExplainerTest, ANodeWithoutTheWantedLabelShouldGetIt) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "8"}})).Add(MakeGroup("new", "q", 1));
  kube::Pod pod = MakePod("new-0", "new", {{"cpu", "2"}});
  pod.spec.node_selector.Set("disk", "ssd");
  given_.Add(std::move(pod));
  EXPECT_EQ(Pod("new-0").change, "label node n1 with disk=ssd");
}

TEST_F(ExplainerTest, WhatTakesTwoChangesIsToldInFull) {
  kube::Queue queue = MakeQueue("q");
  queue.capability = Resources({{"cpu", "2"}});
  given_.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "4"}}));
  AddGang("new", "q", 2, 2, {{"cpu", "4"}});
  EXPECT_EQ(Group("new").change, "queue q: capability cpu +6; and one more node like n1");
}

TEST_F(ExplainerTest, AGangWithTooFewPodsNeedsMoreOfThem) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "8"}}));
  AddGang("few", "q", 2, 5, {{"cpu", "1"}});
  const Explanation got = Pod("few-1");
  EXPECT_EQ(got.stage, Stage::kGang);
  EXPECT_EQ(got.reason, "NotEnoughTasks");
  EXPECT_EQ(got.message, "the group needs 5 pods and has 2");
  EXPECT_EQ(got.change, "3 more pods of group ns/few");
  given_.Add(MakeGroup("none", "q", 2));
  EXPECT_EQ(Group("none").change, "2 more pods of group ns/none");
}

TEST_F(ExplainerTest, AGangOfBillionsIsExplainedWithoutMakingItsPods) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  AddGang("big", "q", 1, 2'000'000'000, {{"cpu", "1"}});
  EXPECT_THAT(Group("big").change, HasSubstr("1999999999 more pods of group ns/big"));
}

TEST_F(ExplainerTest, ARealObjectIsNeverTakenForAMadeUpOne) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}})).Add(MakeGroup("other", "q", 1));
  given_.Add(MakeRunningPod("w-0-more-0", "other", {{"cpu", "4"}}, "n1"));
  AddGang("w", "q", 1, 2, {{"cpu", "4"}});
  EXPECT_THAT(Group("w").change, HasSubstr("1 more pod of group ns/w"));
  ASSERT_NE(given_.cluster.FindTask("ns", "w-0-more-0"), nullptr);
  EXPECT_EQ(given_.cluster.CheckLedgers(), "");
}

TEST_F(ExplainerTest, WhatNobodyOffersNeedsANodeThatDoesAndIsForgottenAgain) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}, {"memory", "4Gi"}}));
  AddGang("g", "q", 1, 1, {{"cpu", "1"}, {"nvidia.com/gpu", "2"}});
  const Explanation got = Pod("g-0");
  EXPECT_THAT(got.message, HasSubstr("Insufficient nvidia.com/gpu"));
  EXPECT_EQ(got.change, "one more node with room for cpu 1, nvidia.com/gpu 2");
  EXPECT_FALSE(given_.cluster.dimensions().Find("nvidia.com/gpu").has_value());
}

TEST_F(ExplainerTest, AChangeNamesNoNodeThatAnotherPartOfItMakes) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "1"}}));
  kube::PodGroup group = MakeGroup("g", "q", 2, kube::PodGroupPhase::kPending);
  group.min_resources = Resources({{"cpu", "4"}});
  given_.Add(std::move(group)).Add(MakePod("g-0", "g", {{"cpu", "4"}}));
  EXPECT_EQ(Group("g").change,
            "one more node with room for cpu 4; and 1 more pod of group ns/g; and one more node "
            "with room for cpu 4");
}

TEST_F(ExplainerTest, BestEffortPodsComeAfterThoseThatOthersMayBeEvictedFor) {
  Config config = plugins_->config();
  config.actions = {"enqueue", "allocate", "reclaim", "backfill"};
  plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  given_.Add(MakeQueue("q")).Add(MakeQueue("p")).Add(MakeNode("n1", {{"cpu", "4"}, {"pods", "1"}}));
  given_.Add(MakeGroup("old", "p", 1));
  given_.Add(MakeRunningPod("old-0", "old", {{"cpu", "1"}}, "n1"));
  AddGang("gang", "q", 3, 3, {{"cpu", "1"}});
  AddGang("effort", "q", 1, 1, {});
  // With three nodes the gang would have all but one place, and that one from its victim.
  EXPECT_EQ(Pod("effort-0").change, "4 more nodes like n1");
}

TEST_F(ExplainerTest, TheChangeCountsThoseAhead) {
  AddQueueForCpu("q", "1");
  given_.Add(MakeNode("n1", {{"cpu", "8"}}));
  given_.Add(MakeGroup("w-1", "q", 1)).Add(MakeRunningPod("w-1", "w-1", {{"cpu", "1"}}, "n1"));
  for (const char* name : {"w-2", "w-3", "w-4"}) AddGang(name, "q", 1, 1, {{"cpu", "1"}});
  EXPECT_EQ(Pod("w-2-0").change, "queue q: capability cpu +1");
  EXPECT_EQ(Pod("w-4-0").change, "queue q: capability cpu +3");
}

TEST_F(ExplainerTest, NodesForThoseAheadCountToo) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}})).Add(MakeGroup("old", "q", 1));
  given_.Add(MakeRunningPod("old-0", "old", {{"cpu", "2"}}, "n1"));
  for (const char* name : {"a", "b", "c"}) AddGang(name, "q", 1, 1, {{"cpu", "2"}});
  EXPECT_EQ(Pod("c-0").change, "3 more nodes like n1");
}

TEST_F(ExplainerTest, AQuestionWakesNoJobThatWaits) {
  AddQueueForCpu("q", "1");
  given_.Add(MakeQueue("big")).Add(MakeNode("n1", {{"cpu", "4"}})).Add(MakeGroup("old", "big", 1));
  given_.Add(MakeRunningPod("old-0", "old", {{"cpu", "3"}}, "n1"));
  AddGang("queue", "q", 1, 1, {{"cpu", "2"}});
  AddGang("node", "big", 1, 1, {{"cpu", "8"}});
  AddGang("room", "big", 1, 1, {{"cpu", "4"}});
  AddGang("few", "big", 1, 2, {{"cpu", "1"}});
  kube::Pod gated = MakePod("gated-0", "gated", {{"cpu", "1"}});
  gated.spec.scheduling_gates = {"example.com/x"};
  given_.Add(MakeGroup("gated", "big", 1)).Add(std::move(gated));
  AddGang("anything", "big", 1, 1, {{"cpu", "16"}});
  AddGang("any-room", "big", 1, 1, {{"cpu", "2"}});

  model::Cluster& cluster = given_.cluster;
  cluster.WakeParked(testutil::kTestNow);
  model::Waits room;
  room.room = true;
  for (const auto& [job, waits] :
       {std::pair("anything", model::Waits::ForAnything()), std::pair("any-room", room)}) {
    cluster.Settle(given_.job(job).id);
    cluster.Park(given_.job(job).id, job, waits);
  }
  for (const char* asked : {"queue", "node", "room", "few", "gated"}) {
    EXPECT_FALSE(Pod(asked + std::string("-0")).change.empty()) << asked;
    EXPECT_FALSE(Group(asked).change.empty()) << asked;
    EXPECT_TRUE(Explainer(cluster, *plugins_, testutil::kTestNow).Queue("root").has_value());
    EXPECT_FALSE(cluster.MayWake()) << asked;
    cluster.WakeParked(testutil::kTestNow);
    for (const char* parked : {"anything", "any-room"}) {
      EXPECT_TRUE(given_.job(parked).parked()) << parked << " woke: " << asked;
    }
  }
}

TEST_F(ExplainerTest, WhatHappenedBeforeAQuestionIsNotForgottenByIt) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}})).Add(MakeGroup("old", "q", 1));
  given_.Add(MakeRunningPod("old-0", "old", {{"cpu", "3"}}, "n1"));
  AddGang("parked", "q", 1, 1, {{"cpu", "4"}});
  AddGang("asked", "q", 1, 1, {{"cpu", "8"}});
  model::Cluster& cluster = given_.cluster;
  cluster.WakeParked(testutil::kTestNow);
  model::Waits room;
  room.room = true;
  cluster.Settle(given_.job("parked").id);
  cluster.Park(given_.job("parked").id, "parked", room);
  cluster.RemovePod("ns", "old-0");
  EXPECT_FALSE(Pod("asked-0").change.empty());
  EXPECT_TRUE(cluster.MayWake());
  cluster.WakeParked(testutil::kTestNow);
  EXPECT_FALSE(given_.job("parked").parked());
}

}  // namespace
}  // namespace basalt::scheduler::explain
