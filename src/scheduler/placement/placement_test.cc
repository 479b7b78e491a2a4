// What a cycle does with one job, step by step; none of it commits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/annotations.h"
#include "scheduler/placement/entry.h"
#include "scheduler/placement/job_placement.h"
#include "scheduler/placement/make_room.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;

class PlacementTest : public testing::Test {
 protected:
  PlacementTest() {
    Config config = testutil::OneTier({"priority", "gang", "predicates", "capacity"});
    config.actions = {"enqueue", "allocate"};
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    kube::Queue queue = MakeQueue("q");
    queue.capability = testutil::Resources({{"cpu", "4"}});
    given_.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "8"}}));
  }
  void AddGang(const std::string& name, int pods, int min_member, const char* cpu) {
    kube::PodGroup group = MakeGroup(name, "q", min_member);
    group.phase = kube::PodGroupPhase::kInqueue;
    given_.Add(std::move(group));
    for (int i = 0; i < pods; ++i) {
      given_.Add(MakePod(name + std::to_string(i), name, {{"cpu", cpu}}));
    }
  }
  Session& Open() {
    session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
    return *session_;
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(PlacementTest, APlacedJobIsReadyAndWhatIsLeftIsPlacedByTheNextCall) {
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

TEST_F(PlacementTest, WhatStandsInTheWayIsRecordedForEveryPodOfTheGang) {
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

TEST_F(PlacementTest, AGangThatNeedsAPodBehindAGateOfOthersWaitsForNothingElse) {
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

TEST_F(PlacementTest, AGateThatTheGroupCanDoWithoutChangesNothing) {
  AddGang("g", 2, 2, "1");
  kube::Pod held = MakePod("held", "g", {{"cpu", "1"}});
  held.spec.scheduling_gates = {"example.com/x"};
  given_.Add(std::move(held));
  EXPECT_TRUE(GatedMembers(given_.cluster, given_.job("g")).empty());
}

TEST_F(PlacementTest, ClaimsAreForAllThatAreNeededOrNone) {
  AddGang("g", 0, 3, "2");
  const std::string gate(model::annotations::kQueueAllocationGate);
  for (const char* name : {"a", "b", "c"}) {
    kube::Pod pod = MakePod(name, "g", {{"cpu", "2"}});
    pod.meta.annotations.Set(gate, "true");
    pod.spec.scheduling_gates = {gate};
    given_.Add(std::move(pod));
  }
  Session& session = Open();
  Statement claims(session);
  EXPECT_FALSE(AdmitAtGate(session, given_.job("g"), claims));
  EXPECT_EQ(claims.operations().size(), 2u) << "what the queue could take; to be discarded";
}

TEST_F(PlacementTest, NobodyLeavesWhereNoRoomIsMade) {
  AddGang("new", 1, 1, "8");  // more than the queue may have
  given_.Add(MakeGroup("old", "q", 1)).Add(MakeRunningPod("old-0", "old", {{"cpu", "2"}}, "n1"));
  Session& session = Open();
  for (const auto choice : {RoomRequest::Choice::kBestNode, RoomRequest::Choice::kLeastHarm}) {
    Statement statement(session);
    EXPECT_FALSE(MakeRoom(
        session, statement, given_.task("new0"),
        {.action = "preempt", .choice = choice, .may_leave = [](const Task&) { return true; }}));
    EXPECT_TRUE(statement.empty());
  }
  EXPECT_EQ(given_.task("old-0").status(), TaskStatus::kRunning);
}

}  // namespace
}  // namespace basalt::scheduler
