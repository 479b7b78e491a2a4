// Who takes what reservations hold, when they give it up, and whom they stand in the way of.
#include "scheduler/placement/reserved_room.h"

#include <gmock/gmock.h>

#include "scheduler/placement/placement_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeRunningPod;

class ReservedRoomTest : public PlacementTestBed {
 protected:
  ReservedRoomTest() : PlacementTestBed({"gang", "predicates", "capacity", "reservation"}) {
    AddQueue("q", "4");
    AddQueue("other", "1");
    AddNode("n1", "4");
    given_.Add(MakeGroup("g", "q", 1));
  }
  kube::Pod User(const std::string& name, const std::string& group, const char* cpu = "2",
                 std::string_view app = "web") {
    kube::Pod pod = MakePod(name, group, {{"cpu", cpu}});
    pod.meta.labels.Set("app", app);
    return pod;
  }
  bool Take(std::string_view job) {
    Session& session = Open();
    Statement statement(session);
    const bool taken = TakeReservedRoom(session, given_.job(job), statement);
    node_ = "";
    if (taken) node_ = NodeOf(given_.cluster.task(given_.job(job).others.front()).name());
    return taken;
  }
  std::string node_;
};

TEST_F(ReservedRoomTest, OnlyAJobThatAReservationServesMayUseOne) {
  given_.Add(User("g-0", "g"));
  EXPECT_FALSE(MayUseReservedRoom(Open(), given_.job("g"))) << "there is none";
  AddReservation("r", "q", "2", "web", "n1");
  EXPECT_TRUE(MayUseReservedRoom(Open(), given_.job("g")));
  given_.Add(MakeGroup("h", "q", 1)).Add(User("h-0", "h", "2", "db"));
  EXPECT_FALSE(MayUseReservedRoom(Open(), given_.job("h"))) << "others are its owners";
  given_.Add(MakeGroup("i", "q", 1)).Add(User("i-0", "i", "1"));
  EXPECT_FALSE(MayUseReservedRoom(Open(), given_.job("i"))) << "it is not like the template";
  given_.Add(MakeGroup("j", "q", 1));
  EXPECT_FALSE(MayUseReservedRoom(Open(), given_.job("j"))) << "nobody waits";
}

TEST_F(ReservedRoomTest, APodBehindAGateOfOthersUsesNothing) {
  AddReservation("r", "q", "2", "web", "n1");
  kube::Pod held = User("g-0", "g");
  held.spec.scheduling_gates = {"example.com/x"};
  given_.Add(std::move(held));
  EXPECT_FALSE(MayUseReservedRoom(Open(), given_.job("g")));
  EXPECT_FALSE(Take("g"));
}

TEST_F(ReservedRoomTest, AReservationThatHoldsNothingYetServesNobody) {
  AddReservation("r", "q", "2", "web", "");
  given_.Add(User("g-0", "g"));
  EXPECT_FALSE(MayUseReservedRoom(Open(), given_.job("g")));
}

TEST_F(ReservedRoomTest, APodStandsWhereTheReservationStood) {
  const model::ReservationRecord& record = AddReservation("r", "q", "2", "web", "n1");
  given_.Add(MakeGroup("full", "q", 0));
  given_.Add(MakeRunningPod("full", "full", {{"cpu", "2"}}, "n1")).Add(User("g-0", "g"));
  Session& session = Open();
  Statement statement(session);
  EXPECT_TRUE(TakeReservedRoom(session, given_.job("g"), statement));
  EXPECT_EQ(NodeOf("g-0"), "n1") << "nobody else would find room there";
  EXPECT_EQ(given_.cluster.task(record.slots[0].id).status(), TaskStatus::kSucceeded);
  statement.Discard();
  EXPECT_EQ(given_.cluster.task(record.slots[0].id).status(), TaskStatus::kBound);
  EXPECT_EQ(given_.task("g-0").status(), TaskStatus::kPending);
}

TEST_F(ReservedRoomTest, InItsOwnQueueWhatIsReservedCountsAlreadyAndInAnotherThatMustHaveRoom) {
  AddQueue("q", "2");
  AddReservation("r", "q", "2", "web", "n1");
  given_.Add(User("g-0", "g"));
  EXPECT_TRUE(Take("g")) << "the queue is full of what is reserved for it";
  given_.Add(MakeGroup("h", "other", 1)).Add(User("h-0", "h"));
  EXPECT_FALSE(Take("h")) << "its queue may have one CPU";
  AddQueue("other", "2");
  EXPECT_TRUE(Take("h"));
}

TEST_F(ReservedRoomTest, InAnotherQueueAPodDoesNotStartBeforeThosePodsAreGoneWhoseRoomItCountsOn) {
  AddNode("n2", "4");
  AddReservation("r", "q", "2", "web", "n1");
  AddQueue("other", "2");
  given_.Add(MakeGroup("old", "other", 0));
  AddLeaving("old-0", "old", "2", "n2");
  given_.Add(MakeGroup("h", "other", 1)).Add(User("h-0", "h"));
  EXPECT_FALSE(Take("h")) << "its queue is full until the pod that leaves is gone";
  given_.cluster.RemovePod("ns", "old-0");
  EXPECT_TRUE(Take("h"));
}

TEST_F(ReservedRoomTest, OneThatTheNodeDoesNotTakeAnyMoreIsPassedOverForTheNext) {
  AddNode("n2", "4");
  AddReservation("r1", "q", "2", "web", "n1");
  AddReservation("r2", "q", "2", "web", "n2");
  given_.Add(User("g-0", "g"));
  EXPECT_TRUE(Take("g"));
  EXPECT_EQ(node_, "n1");
  kube::Node cordoned = MakeNode("n1", {{"cpu", "4"}});
  cordoned.spec.unschedulable = true;
  given_.Add(std::move(cordoned));
  EXPECT_TRUE(Take("g"));
  EXPECT_EQ(node_, "n2");
}

TEST_F(ReservedRoomTest, WhatIsReservedIsUsableWhileItsNodeTakesItAndHasTheRoom) {
  const model::ReservationRecord& record = AddReservation("r", "q", "2", "web", "n1");
  const auto usable = [&] {
    return IsStillUsable(Open(), given_.cluster.task(record.slots[0].id));
  };
  EXPECT_TRUE(usable());
  AddNode("n1", "1");
  EXPECT_FALSE(usable()) << "the node has become smaller";
  AddNode("n1", "2");
  EXPECT_TRUE(usable());
  kube::Node cordoned = MakeNode("n1", {{"cpu", "4"}});
  cordoned.spec.unschedulable = true;
  given_.Add(cordoned);
  EXPECT_FALSE(usable()) << "the node takes nobody";
  cordoned.spec.unschedulable = false;
  given_.Add(std::move(cordoned));
  EXPECT_TRUE(usable());
  given_.cluster.RemoveNode("n1");
  EXPECT_FALSE(usable()) << "the node is gone";
}

TEST_F(ReservedRoomTest, WhatIsGivenUpIsToBePlacedAnew) {
  const model::ReservationRecord& record = AddReservation("r", "q", "2", "web", "n1");
  const model::Task& reserved = given_.cluster.task(record.slots[0].id);
  Session& session = Open();
  Statement statement(session);
  GiveUpReservedRoom(statement, reserved);
  EXPECT_EQ(reserved.status(), TaskStatus::kPending);
  EXPECT_EQ(given_.cluster.ledger().Idle(given_.node("n1").id).milli_cpu(), 4000);
}

TEST_F(ReservedRoomTest, TheReservationsOnTheNodeWhereATaskWouldFitAreInItsWay) {
  AddNode("n2", "2");
  AddReservation("a", "q", "2", "web", "n1");
  AddReservation("b", "q", "2", "web", "n1");
  AddReservation("c", "other", "2", "web", "n2");
  given_.Add(User("g-0", "g", "3", "none"));
  EXPECT_THAT(ReservationsInTheWay(Open(), given_.task("g-0")), ElementsAre("ns/a", "ns/b"))
      << "it would not fit where c is";
  given_.Add(User("g-1", "g", "5", "none"));
  EXPECT_THAT(ReservationsInTheWay(Open(), given_.task("g-1")), IsEmpty())
      << "it would fit nowhere";
}

TEST_F(ReservedRoomTest, NobodyIsInTheWayWhereNothingIsReserved) {
  given_.Add(User("g-0", "g", "3"));
  EXPECT_THAT(ReservationsInTheWay(Open(), given_.task("g-0")), IsEmpty());
}

TEST_F(ReservedRoomTest, AReservationIsNotInItsOwnWay) {
  const model::ReservationRecord& record = AddReservation("r", "q", "3", "web", "");
  AddReservation("s", "q", "3", "web", "n1");
  const model::Task& reserved = given_.cluster.task(record.slots[0].id);
  EXPECT_THAT(ReservationsInTheWay(Open(), reserved), ElementsAre("ns/s"));
}

}  // namespace
}  // namespace basalt::scheduler
