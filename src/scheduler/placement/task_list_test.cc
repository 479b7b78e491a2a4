// Which of a job's tasks are looked at, in which order, and those that need no room.
#include "scheduler/placement/task_list.h"

#include <gmock/gmock.h>

#include "scheduler/placement/placement_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeRunningPod;
using testutil::Names;

class TaskListTest : public PlacementTestBed {
 protected:
  TaskListTest() : PlacementTestBed({"priority", "gang", "predicates"}, {"allocate", "backfill"}) {
    AddQueue("q", "100");
    AddNode("n1", "1");
    given_.Add(MakeGroup("g", "q", 1));
  }
  void CordonTheNode() {
    kube::Node cordoned = MakeNode("n1", {{"cpu", "1"}});
    cordoned.spec.unschedulable = true;
    given_.Add(std::move(cordoned));
  }
  static std::vector<std::string> Taken(TaskList list) {
    std::vector<std::string> names;
    while (!list.empty()) names.push_back(list.Take()->name());
    return names;
  }
};

TEST_F(TaskListTest, GivesTasksInTheirOrder) {
  for (const auto& [name, priority] : {std::pair{"b", 1}, {"first", 9}, {"a", 1}}) {
    kube::Pod pod = MakePod(name, "g", {{"cpu", "1"}});
    pod.spec.priority = priority;
    given_.Add(std::move(pod));
  }
  EXPECT_THAT(Taken(TaskList(Open(), given_.tasks({"a", "b", "first"}))),
              ElementsAre("first", "a", "b"));
}

TEST_F(TaskListTest, AGateKeepsTasksOutAndOneThatGoesByAdmissionOnlyOfTheUngated) {
  given_.Add(MakePod("free", "g", {{"cpu", "1"}}));
  AddAtGate("at-gate", "g", "1");
  AddBehindGateOfOthers("foreign", "g");
  Session& session = Open();
  EXPECT_THAT(Names(UngatedPendingTasks(session, given_.job("g"))), ElementsAre("free"));
  EXPECT_THAT(Names(PlaceablePendingTasks(session, given_.job("g"))),
              UnorderedElementsAre("free", "at-gate"));
}

TEST_F(TaskListTest, ATaskWhoseBindWasRefusedRests) {
  given_.Add(MakePod("w", "g", {{"cpu", "1"}}));
  given_.cluster.Move(given_.task("w").id, {.resting = true});
  EXPECT_THAT(PlaceablePendingTasks(Open(), given_.job("g")), IsEmpty());
}

TEST_F(TaskListTest, BestEffortTasksAreThoseThatAskForNothingAndWaitOrArePromisedANode) {
  given_.Add(MakePod("asks", "g", {{"cpu", "1"}})).Add(MakePod("waits", "g", {}));
  given_.Add(MakePod("promised", "g", {})).Add(MakeRunningPod("runs", "g", {}, "n1"));
  Promise("promised", "n1");
  EXPECT_THAT(Taken(BestEffortTasks(Open(), given_.job("g"))),
              UnorderedElementsAre("waits", "promised"));
}

TEST_F(TaskListTest, ABestEffortTaskIsPutOnANodeThatIsFull) {
  given_.Add(MakeRunningPod("full", "g", {{"cpu", "1"}}, "n1")).Add(MakePod("w", "g", {}));
  Session& session = Open();
  Statement statement(session);
  EXPECT_TRUE(PlaceBestEffort(session, statement, given_.task("w")));
  EXPECT_EQ(given_.task("w").status(), TaskStatus::kAllocated);
  EXPECT_EQ(NodeOf("w"), "n1");
}

TEST_F(TaskListTest, WhereNoNodeTakesItAPromiseIsKept) {
  given_.Add(MakePod("w", "g", {}));
  Promise("w", "n1");
  CordonTheNode();
  Session& session = Open();
  Statement statement(session);
  EXPECT_FALSE(PlaceBestEffort(session, statement, given_.task("w")));
  EXPECT_EQ(given_.task("w").status(), TaskStatus::kPipelined);
  EXPECT_TRUE(statement.empty());
  EXPECT_TRUE(session.HasFailure(given_.task("w")));
}

TEST_F(TaskListTest, APromisedOneGetsThePlaceThatItHasNow) {
  AddNode("n0", "1");
  given_.Add(MakePod("w", "g", {}));
  Promise("w", "n1");
  CordonTheNode();
  Session& session = Open();
  Statement statement(session);
  EXPECT_TRUE(PlaceBestEffort(session, statement, given_.task("w")));
  EXPECT_EQ(NodeOf("w"), "n0");
  EXPECT_EQ(given_.task("w").status(), TaskStatus::kAllocated);
}

TEST_F(TaskListTest, AJobIsReadyWithItsBestEffortTasksOnlyWhenTheyHaveAPlace) {
  given_.Add(MakeGroup("g", "q", 2));
  given_.Add(MakeRunningPod("runs", "g", {{"cpu", "1"}}, "n1")).Add(MakePod("w", "g", {}));
  Session& session = Open();
  EXPECT_TRUE(session.IsJobReady(given_.job("g"))) << "it counts as ready elsewhere";
  EXPECT_FALSE(IsReadyWithBestEffort(session, given_.job("g")));
  Statement statement(session);
  statement.Allocate(given_.task("w").id, given_.node("n1").id);
  EXPECT_TRUE(IsReadyWithBestEffort(session, given_.job("g")));
}

TEST_F(TaskListTest, BackfillPlacesWhatAsksForNothingWhereANodeTakesIt) {
  given_.Add(MakePod("asks", "g", {{"cpu", "1"}})).Add(MakePod("free", "g", {}));
  EXPECT_TRUE(BackfillWillPlace(Open(), given_.task("free")));
  EXPECT_FALSE(BackfillWillPlace(Open(), given_.task("asks")));
  CordonTheNode();
  EXPECT_FALSE(BackfillWillPlace(Open(), given_.task("free")));
}

class WithoutBackfillTest : public PlacementTestBed {};

TEST_F(WithoutBackfillTest, NobodyPlacesWhatAsksForNothing) {
  AddQueue("q", "100");
  AddNode("n1", "1");
  given_.Add(MakeGroup("g", "q", 1)).Add(MakePod("free", "g", {}));
  EXPECT_FALSE(BackfillWillPlace(Open(), given_.task("free")));
}

}  // namespace
}  // namespace basalt::scheduler
