// Promises of nodes: what they count on, who loses his when not all can be kept, and what becomes
// of them from cycle to cycle.
#include "scheduler/placement/promises.h"

#include <gmock/gmock.h>

#include "scheduler/placement/placement_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeRunningPod;

class PromisesTest : public PlacementTestBed {
 protected:
  PromisesTest() {
    AddQueue("q", "100");
    AddNode("n1", "2");
    given_.Add(MakeGroup("old", "q", 0)).Add(MakeGroup("new", "q", 1));
  }
  void AddWaiting(const std::string& name, const std::string& group = "new",
                  const char* cpu = "2") {
    given_.Add(MakePod(name, group, {{"cpu", cpu}}));
  }
  NodeId Node(std::string_view name) const { return given_.node(name).id; }
  // Those whose promises DropVoidPromises takes back, in its order.
  std::vector<std::string> Dropped(std::initializer_list<std::string_view> jobs) {
    Session& session = Open();
    std::vector<const Job*> looked_after;
    for (const std::string_view job : jobs) looked_after.push_back(&given_.job(job));
    Statement drop(session);
    DropVoidPromises(session, looked_after, drop);
    std::vector<std::string> names;
    for (const Statement::Operation& operation : drop.operations()) {
      EXPECT_EQ(operation.kind, Statement::Kind::kUnallocate);
      names.push_back(given_.cluster.task(operation.task).name());
    }
    return names;
  }
};

// ---- of one task

TEST_F(PromisesTest, ATaskFitsNowOrOnceThoseThatLeaveAreGone) {
  AddWaiting("w");
  const auto attempt = [&] {
    return TryWithoutLeaving(Open(), given_.task("w"), Node("n1"), NodeFinder::Room::kChecked);
  };
  EXPECT_TRUE(attempt()->now);
  given_.Add(MakeRunningPod("r", "old", {{"cpu", "2"}}, "n1"));
  EXPECT_FALSE(attempt().has_value());
  AddLeaving("r", "old", "2", "n1");
  const auto found = attempt();
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->now);
  EXPECT_EQ(given_.task("r").status(), TaskStatus::kReleasing) << "it was a trial";
  given_.cluster.Move(given_.task("r").id,
                      {.status = TaskStatus::kReleasing, .node = Node("n1"), .overdue = true});
  EXPECT_FALSE(attempt().has_value()) << "nobody counts on one that does not go";
}

TEST_F(PromisesTest, APortIsFreeOnceWhoHasItIsGone) {
  const auto with_port = [](kube::Pod pod) {
    pod.spec.containers[0].ports.push_back({.host_port = 8080});
    return pod;
  };
  kube::Pod leaving = with_port(MakeRunningPod("r", "old", {{"cpu", "1"}}, "n1"));
  leaving.meta.deletion_timestamp = kTestNow;
  given_.Add(std::move(leaving)).Add(with_port(MakePod("w", "new", {{"cpu", "1"}})));
  const auto found =
      TryWithoutLeaving(Open(), given_.task("w"), Node("n1"), NodeFinder::Room::kChecked);
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->now) << "there is room, and the port is taken";
}

TEST_F(PromisesTest, APromiseThatSomebodyIsEvictedForWaitsUntilTheApiServerHasAcceptedThat) {
  AddNode("n2", "2");
  AddWaiting("w", "new", "1");
  given_.Add(MakeRunningPod("r", "old", {{"cpu", "1"}}, "n1"));
  const auto may = [&](bool after_eviction, std::string_view node) {
    const model::Holding held{
        .status = TaskStatus::kPipelined, .node = Node(node), .after_eviction = after_eviction};
    return MayBeBound(Open(), given_.task("w"), held);
  };
  EXPECT_TRUE(may(true, "n1")) << "nobody leaves there";
  given_.cluster.Move(given_.task("r").id, {.status = TaskStatus::kReleasing, .node = Node("n1")});
  EXPECT_FALSE(may(true, "n1")) << "a budget may say no";
  EXPECT_TRUE(may(true, "n2"));
  EXPECT_TRUE(may(false, "n1")) << "nobody was made to leave for it";
  AddLeaving("r", "old", "1", "n1");
  EXPECT_TRUE(may(true, "n1")) << "the pod is being deleted";
}

TEST_F(PromisesTest, ATaskIsNotBoundWhileItsQueueIsFullOfThoseThatLeave) {
  AddQueue("narrow", "2");
  AddNode("n2", "2");
  given_.Add(MakeGroup("a", "narrow", 0)).Add(MakeGroup("b", "narrow", 1));
  AddLeaving("a-0", "a", "2", "n1");
  AddWaiting("b-0", "b");
  EXPECT_FALSE(MayBeBound(Open(), given_.task("b-0"), {}));
  given_.cluster.RemovePod("ns", "a-0");
  EXPECT_TRUE(MayBeBound(Open(), given_.task("b-0"), {}));
}

// ---- of all jobs

TEST_F(PromisesTest, APromiseOfAJobThatNobodyLooksAfterGoes) {
  AddWaiting("w");
  Promise("w", "n1");
  EXPECT_THAT(Dropped({"new"}), IsEmpty());
  EXPECT_THAT(Dropped({"old"}), ElementsAre("w"));
}

TEST_F(PromisesTest, WithoutAHierarchyTheCapabilityOfAParentTakesNoneBack) {
  AddQueue("top", "1");
  kube::Queue below = testutil::MakeQueue("below");
  below.parent = "top";
  given_.Add(std::move(below)).Add(MakeGroup("g", "below", 1));
  AddWaiting("w", "g", "2");
  Promise("w", "n1");
  EXPECT_THAT(Dropped({"g"}), IsEmpty()) << "the policy would let it be bound";
}

struct TooMuch {
  const char* name;
  // What there is of each beside the promises of "first" (of a job with priority), "second" and
  // "third" (of one without), one CPU each on n1.
  const char* node_cpu = "3";
  const char* capability = "100";
  std::vector<std::string> dropped;
};

class PromisesInOrderTest : public PromisesTest, public testing::WithParamInterface<TooMuch> {};

TEST_P(PromisesInOrderTest, AreTakenBackFromTheLast) {
  AddQueue("narrow", GetParam().capability);
  given_.Add(MakeGroup("high", "narrow", 1), 9).Add(MakeGroup("low", "narrow", 1), 1);
  AddWaiting("third", "low", "1");
  kube::Pod second = MakePod("second", "low", {{"cpu", "1"}});
  second.spec.priority = 5;
  given_.Add(std::move(second));
  AddWaiting("first", "high", "1");
  AddNode("n1", "3");
  for (const char* name : {"third", "first", "second"}) Promise(name, "n1");
  AddNode("n1", GetParam().node_cpu);
  EXPECT_EQ(Dropped({"high", "low"}), GetParam().dropped);
}

INSTANTIATE_TEST_SUITE_P(
    Placement, PromisesInOrderTest,
    testing::ValuesIn<TooMuch>({
        {.name = "NoneWhereAllCanBeKept", .dropped = {}},
        {.name = "OneWhereTheNodeIsOneShort", .node_cpu = "2", .dropped = {"third"}},
        {.name = "TwoWhereTheNodeIsTwoShort", .node_cpu = "1", .dropped = {"third", "second"}},
        {.name = "AllWhereTheNodeHasNothing",
         .node_cpu = "0",
         .dropped = {"third", "second", "first"}},
        {.name = "OneWhereTheQueueIsOneShort", .capability = "2", .dropped = {"third"}},
        {.name = "TwoWhereTheQueueIsTwoShort", .capability = "1", .dropped = {"third", "second"}},
        {.name = "NotTwiceWhereBothAreShort",
         .node_cpu = "2",
         .capability = "2",
         .dropped = {"third"}},
    }),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(PromisesTest, ABestEffortTaskKeepsItsPromiseOnANodeThatHasPromisedTooMuch) {
  AddWaiting("w", "new", "2");
  given_.Add(MakePod("free", "new", {}));
  Promise("w", "n1");
  Promise("free", "n1");
  AddNode("n1", "1");
  EXPECT_THAT(Dropped({"new"}), ElementsAre("w"));
}

TEST_F(PromisesTest, OfTwoQueuesTheOneThatIsServedLaterGivesWay) {
  AddQueue("urgent", "100");
  kube::Queue urgent = *given_.queue("urgent").object;
  urgent.priority = 9;
  given_.Add(std::move(urgent)).Add(MakeGroup("u", "urgent", 1));
  AddWaiting("u-0", "u", "1");
  AddWaiting("w", "new", "1");
  Promise("u-0", "n1");
  Promise("w", "n1");
  AddNode("n1", "1");
  EXPECT_THAT(Dropped({"new", "u"}), ElementsAre("w"));
}

// ---- of one job

TEST_F(PromisesTest, APromiseThatWasReadBackFromItsPodIsOneLikeOthersFromNowOn) {
  AddWaiting("w");
  AddWaiting("x");
  for (const char* name : {"w", "x"}) {
    given_.cluster.Move(given_.task(name).id, {.status = TaskStatus::kPipelined,
                                               .node = Node("n1"),
                                               .restored = name == std::string_view("w")});
  }
  Session& session = Open();
  Statement statement(session);
  KeptPromises(session, given_.job("new")).TakeOverRestored(statement);
  EXPECT_FALSE(given_.task("w").holding.restored);
  EXPECT_TRUE(given_.task("w").holding.after_eviction) << "somebody may have left for it";
  EXPECT_EQ(NodeOf("w"), "n1");
  EXPECT_EQ(statement.operations().size(), 1u) << "the other is one already";
}

TEST_F(PromisesTest, WhatFitsNowIsPlacedThereOrElsewhere) {
  AddNode("n2", "2");
  AddLeaving("leaving", "old", "2", "n1");
  AddWaiting("w");
  Promise("w", "n1");
  {
    Session& session = Open();
    Statement statement(session);
    EXPECT_TRUE(KeptPromises(session, given_.job("new")).Start(statement));
    EXPECT_EQ(NodeOf("w"), "n2") << "there is room there";
    EXPECT_EQ(given_.task("w").status(), TaskStatus::kAllocated);
  }
  EXPECT_EQ(NodeOf("w"), "n1") << "nobody committed";
  given_.cluster.RemovePod("ns", "leaving");
  Session& session = Open();
  Statement statement(session);
  EXPECT_TRUE(KeptPromises(session, given_.job("new")).Start(statement));
  EXPECT_EQ(NodeOf("w"), "n1") << "its own node is free now";
}

TEST_F(PromisesTest, AJobThatWouldNotBeReadyOnWhatFitsNowDoesNotStart) {
  given_.Add(MakeGroup("gang", "q", 2));
  AddNode("n2", "2");
  AddLeaving("leaving", "old", "2", "n1");
  AddWaiting("g-0", "gang");
  AddWaiting("g-1", "gang");
  Promise("g-0", "n1");
  Promise("g-1", "n2");
  Session& session = Open();
  Statement statement(session);
  EXPECT_FALSE(KeptPromises(session, given_.job("gang")).Start(statement));
  given_.cluster.RemovePod("ns", "leaving");
}

TEST_F(PromisesTest, AJobThatIsReadyAndOfWhichNothingFitsNowDoesNotStartAgain) {
  given_.Add(MakeGroup("elastic", "q", 1));
  AddNode("n2", "2");
  given_.Add(MakeRunningPod("e-0", "elastic", {{"cpu", "2"}}, "n2"));
  AddLeaving("leaving", "old", "2", "n1");
  AddWaiting("e-1", "elastic");
  Promise("e-1", "n1");
  Session& session = Open();
  Statement statement(session);
  EXPECT_FALSE(KeptPromises(session, given_.job("elastic")).Start(statement));
  EXPECT_TRUE(statement.empty());
}

TEST_F(PromisesTest, APromiseStaysWhileItsNodeWillHaveTheRoomElseAnotherIsPromised) {
  AddLeaving("leaving", "old", "2", "n1");
  AddNode("n2", "2");
  AddLeaving("leaving-2", "old", "2", "n2");
  AddWaiting("w");
  Promise("w", "n1");
  const auto keep = [&] {
    Session& session = Open();
    Statement statement(session);
    KeptPromises(session, given_.job("new")).KeepWhatHolds(statement);
    return NodeOf("w");
  };
  EXPECT_EQ(keep(), "n1");
  kube::Node cordoned = MakeNode("n1", {{"cpu", "2"}});
  cordoned.spec.unschedulable = true;
  given_.Add(cordoned);
  EXPECT_EQ(keep(), "n2");
  cordoned.meta.name = "n2";
  given_.Add(cordoned);
  EXPECT_EQ(keep(), "") << "no node will have it";
}

TEST_F(PromisesTest, AGangThatCannotStartOnWhatIsLeftOfItsPromisesHasNone) {
  given_.Add(MakeGroup("gang", "q", 2));
  AddNode("n2", "2");
  for (const char* node : {"n1", "n2"}) {
    AddLeaving(std::string("leaving-") + node, "old", "2", node);
  }
  AddWaiting("g-0", "gang");
  AddWaiting("g-1", "gang");
  Promise("g-0", "n1");
  Promise("g-1", "n2");
  kube::Node cordoned = MakeNode("n2", {{"cpu", "2"}});
  cordoned.spec.unschedulable = true;
  given_.Add(std::move(cordoned));
  Session& session = Open();
  Statement statement(session);
  KeptPromises(session, given_.job("gang")).KeepWhatHolds(statement);
  EXPECT_EQ(NodeOf("g-0"), "") << "it would only block others";
  EXPECT_EQ(NodeOf("g-1"), "");
  EXPECT_TRUE(session.HasFailure(given_.task("g-1")));
  EXPECT_FALSE(session.HasFailure(given_.task("g-0")));
}

TEST_F(PromisesTest, AGangThatRunsKeepsWhatHoldsOfItsPromises) {
  given_.Add(MakeGroup("elastic", "q", 1));
  AddNode("n2", "2");
  AddNode("n3", "2");
  given_.Add(MakeRunningPod("e-0", "elastic", {{"cpu", "2"}}, "n3"));
  for (const char* node : {"n1", "n2"}) {
    AddLeaving(std::string("leaving-") + node, "old", "2", node);
  }
  AddWaiting("e-1", "elastic");
  AddWaiting("e-2", "elastic");
  Promise("e-1", "n1");
  Promise("e-2", "n2");
  kube::Node cordoned = MakeNode("n2", {{"cpu", "2"}});
  cordoned.spec.unschedulable = true;
  given_.Add(std::move(cordoned));
  Session& session = Open();
  Statement statement(session);
  KeptPromises(session, given_.job("elastic")).KeepWhatHolds(statement);
  EXPECT_EQ(NodeOf("e-1"), "n1");
  EXPECT_EQ(NodeOf("e-2"), "");
}

}  // namespace
}  // namespace basalt::scheduler
