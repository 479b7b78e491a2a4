// What a cycle does with one job, step by step; none of it commits.
#include "scheduler/placement/job_placement.h"

#include <gmock/gmock.h>

#include "scheduler/placement/placement_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeGroup;
using testutil::MakePod;
using testutil::MakeRunningPod;

class JobPlacementTest : public PlacementTestBed {
 protected:
  JobPlacementTest() {
    AddQueue("q", "4");
    AddNode("n1", "8");
  }
  void AddGang(const std::string& name, int pods, int min_member, const char* cpu) {
    given_.Add(MakeGroup(name, "q", min_member));
    for (int i = 0; i < pods; ++i) {
      given_.Add(MakePod(name + std::to_string(i), name, {{"cpu", cpu}}));
    }
  }
  JobPlacement::Result Place(std::string_view job, Statement& statement) {
    return JobPlacement(*session_, given_.job(job)).Place(statement);
  }
};

TEST_F(JobPlacementTest, APlacedJobIsReadyAndWhatIsLeftIsPlacedByTheNextCall) {
  AddGang("g", 3, 2, "1");
  Session& session = Open();
  JobPlacement placement(session, given_.job("g"));
  Statement statement(session);
  EXPECT_EQ(placement.Place(statement), JobPlacement::Result::kReady);
  EXPECT_EQ(given_.job("g").ready_tasks(), 2);
  EXPECT_TRUE(placement.HasTasks());
  EXPECT_EQ(placement.Place(statement), JobPlacement::Result::kReady);
  EXPECT_EQ(given_.job("g").ready_tasks(), 3);
  EXPECT_TRUE(session.intents().empty()) << "nothing is committed";
}

TEST_F(JobPlacementTest, WhatStandsInTheWayIsRecordedForEveryPodOfTheGang) {
  AddGang("g", 3, 3, "2");
  Session& session = Open();
  JobPlacement placement(session, given_.job("g"));
  {
    Statement statement(session);
    EXPECT_EQ(placement.Place(statement), JobPlacement::Result::kNothing);
  }
  const std::vector<PodWait> waits = session.WhyPodsWait(given_.job("g"));
  ASSERT_EQ(waits.size(), 3u);
  for (const PodWait& wait : waits) EXPECT_EQ(wait.reason, "WaitingForQueue") << wait.message;
}

TEST_F(JobPlacementTest, AGangThatNeedsAPodBehindAGateOfOthersWaitsForNothingElse) {
  AddGang("g", 1, 2, "16");  // no node is as large
  kube::Pod held = MakePod("held", "g", {{"cpu", "1"}});
  held.spec.scheduling_gates = {"example.com/x"};
  given_.Add(std::move(held));
  Session& session = Open();
  JobPlacement placement(session, given_.job("g"));
  {
    Statement statement(session);
    EXPECT_EQ(placement.Place(statement), JobPlacement::Result::kNothing);
  }
  for (const PodWait& wait : session.WhyPodsWait(given_.job("g"))) {
    EXPECT_EQ(wait.reason, "WaitingForGates") << "no node can help";
    EXPECT_THAT(wait.message,
                testing::HasSubstr("held is held back by scheduling gate example.com/x"));
  }
}

TEST_F(JobPlacementTest, AGateThatTheGroupCanDoWithoutChangesNothing) {
  AddGang("g", 2, 2, "1");
  kube::Pod held = MakePod("held", "g", {{"cpu", "1"}});
  held.spec.scheduling_gates = {"example.com/x"};
  given_.Add(std::move(held));
  EXPECT_TRUE(GatedMembers(given_.cluster, given_.job("g")).empty());
}

// ---- what is tried after a pod that fits nowhere

struct GoingOn {
  const char* name;
  int min_member = 1;
  std::vector<std::pair<std::string, std::int32_t>> roles = {};
  // In their order: the pod's role, and its CPUs; no node has 9.
  std::vector<std::pair<std::string, const char*>> pods;
  std::vector<int> placed;  // which of them have a node in the end
};

class GoingOnTest : public PlacementTestBed, public testing::WithParamInterface<GoingOn> {};

TEST_P(GoingOnTest, IsWorthItWhileTheOthersCanMakeTheJobReady) {
  AddQueue("q", "100");
  for (const char* node : {"n1", "n2"}) AddNode(node, "8");  // 16 in all: the queue takes any
  kube::PodGroup group = MakeGroup("g", "q", GetParam().min_member);
  group.min_task_member = GetParam().roles;
  given_.Add(std::move(group));
  int number = 0;
  for (const auto& [role, cpu] : GetParam().pods) {
    // The last part of a name that has three is the pod's place in its job.
    kube::Pod pod = MakePod("g-p-" + std::to_string(number++), "g", {{"cpu", cpu}});
    pod.meta.annotations.Set(model::annotations::kTaskSpec, role);
    given_.Add(std::move(pod));
  }
  Session& session = Open();
  Statement statement(session);
  JobPlacement placement(session, given_.job("g"));
  while (placement.HasTasks() && placement.Place(statement) == JobPlacement::Result::kReady) {
  }
  std::vector<int> placed;
  for (int i = 0; i < number; ++i) {
    if (!NodeOf("g-p-" + std::to_string(i)).empty()) placed.push_back(i);
  }
  EXPECT_EQ(placed, GetParam().placed);
}

INSTANTIATE_TEST_SUITE_P(
    Placement, GoingOnTest,
    testing::ValuesIn<GoingOn>({
        {.name = "AnyOtherMayDoWhereNoKindIsNeeded",
         .pods = {{"a", "9"}, {"a", "1"}},
         .placed = {1}},
        // Minima of kinds that add up to more than the group's own are not looked at.
        {.name = "ThoseOfOtherKindsAreTooFew",
         .min_member = 2,
         .roles = {{"a", 2}, {"b", 1}},
         .pods = {{"a", "9"}, {"b", "1"}, {"a", "1"}},
         .placed = {}},
        {.name = "ThoseOfOtherKindsAreEnough",
         .min_member = 2,
         .roles = {{"a", 2}, {"b", 2}},
         .pods = {{"a", "9"}, {"b", "1"}, {"b", "1"}},
         .placed = {1, 2}},
        {.name = "ThoseOfOtherKindsAndOneThatIsPlacedAreEnough",
         .min_member = 2,
         .roles = {{"a", 2}, {"b", 2}},
         .pods = {{"a", "1"}, {"a", "9"}, {"b", "1"}},
         .placed = {0, 2}},
        {.name = "AllAreNeeded", .min_member = 2, .pods = {{"a", "9"}, {"b", "1"}}, .placed = {}},
        {.name = "AKindThatHasItsMinimumMayFail",
         .min_member = 2,
         .roles = {{"a", 1}, {"b", 1}},
         .pods = {{"a", "1"}, {"a", "9"}, {"b", "1"}},
         .placed = {0, 2}},
        {.name = "AKindThatHasNotItsMinimumMayNot",
         .min_member = 2,
         .roles = {{"a", 2}, {"b", 0}},
         .pods = {{"a", "1"}, {"a", "9"}, {"b", "1"}},
         .placed = {0}},
    }),
    [](const auto& row) { return std::string(row.param.name); });

// ---- where

TEST_F(JobPlacementTest, ATaskGoesFirstToTheNodeThatItIsNominatedFor) {
  AddNode("n0", "8");
  AddGang("g", 0, 1, "1");
  kube::Pod pod = MakePod("w", "g", {{"cpu", "1"}});
  pod.status.nominated_node_name = "n1";
  given_.Add(pod);
  given_.cluster.Move(given_.task("w").id, {});
  {
    Statement statement(Open());
    EXPECT_EQ(Place("g", statement), JobPlacement::Result::kReady);
    EXPECT_EQ(NodeOf("w"), "n1");
  }
  for (const char* gone : {"n7", "n0"}) {  // none of that name; one that is full
    if (gone == std::string_view("n0")) AddNode("n0", "0");
    pod.status.nominated_node_name = gone;
    given_.Add(pod);
    given_.cluster.Move(given_.task("w").id, {});
    Statement statement(Open());
    EXPECT_EQ(Place("g", statement), JobPlacement::Result::kReady) << gone;
    EXPECT_NE(NodeOf("w"), gone);
  }
}

TEST_F(JobPlacementTest, AGangOfWhichOneWaitsForRoomIsPromisedAllAndHoldsNothingYet) {
  AddQueue("q", "100");
  AddGang("g", 2, 2, "8");
  AddNode("n2", "8");
  given_.Add(MakeGroup("old", "q", 0));
  AddLeaving("leaving", "old", "8", "n2");
  Statement statement(Open());
  EXPECT_EQ(Place("g", statement), JobPlacement::Result::kPromised);
  for (const char* pod : {"g0", "g1"}) {
    EXPECT_EQ(given_.task(pod).status(), TaskStatus::kPipelined) << pod;
  }
}

TEST_F(JobPlacementTest, AQueueThatIsFullForOnePodMayTakeASmallerOne) {
  AddGang("g", 0, 1, "1");
  given_.Add(MakePod("g-p-0", "g", {{"cpu", "5"}})).Add(MakePod("g-p-1", "g", {{"cpu", "4"}}));
  Statement statement(Open());
  EXPECT_EQ(Place("g", statement), JobPlacement::Result::kReady);
  EXPECT_EQ(NodeOf("g-p-0"), "");
  EXPECT_EQ(NodeOf("g-p-1"), "n1");
  EXPECT_TRUE(session_->HasFailure(given_.task("g-p-0")));
}

TEST_F(JobPlacementTest, AClaimThatLapsedIsTakenAgainOnlyForANodeThatFits) {
  AddGang("g", 0, 1, "1");
  AddAtGate("w", "g", "4", /*gated=*/false);
  given_.cluster.Move(given_.task("w").id, {.lapsed = true});
  given_.Add(MakeGroup("old", "q", 1)).Add(MakeRunningPod("old-0", "old", {{"cpu", "1"}}, "n1"));
  {
    Statement statement(Open());
    EXPECT_EQ(Place("g", statement), JobPlacement::Result::kNothing);
    EXPECT_THAT(session_->WhyPodsWait(given_.job("g")).front().message,
                testing::HasSubstr("queue q has not enough cpu left"));
  }
  AddNode("n1", "1");
  {
    Statement statement(Open());
    EXPECT_EQ(Place("g", statement), JobPlacement::Result::kNothing);
    EXPECT_THAT(session_->WhyPodsWait(given_.job("g")).front().message,
                testing::HasSubstr("1 Insufficient cpu"))
        << "the node counts first";
  }
  given_.cluster.RemovePod("ns", "old-0");
  AddNode("n1", "8");
  Statement statement(Open());
  EXPECT_EQ(Place("g", statement), JobPlacement::Result::kReady);
}

TEST_F(JobPlacementTest, ATaskThatItsQueueHasNotAdmittedIsPassedOver) {
  AddGang("g", 0, 1, "1");
  AddAtGate("w", "g", "1");
  Statement statement(Open());
  EXPECT_EQ(Place("g", statement), JobPlacement::Result::kNothing);
  EXPECT_FALSE(session_->HasFailure(given_.task("w"))) << "it was not looked at";
}

TEST_F(JobPlacementTest, BestEffortTasksAreLeftToOthers) {
  AddGang("g", 0, 1, "1");
  given_.Add(MakePod("free", "g", {}));
  EXPECT_FALSE(JobPlacement(Open(), given_.job("g")).HasTasks());
}

}  // namespace
}  // namespace basalt::scheduler
