// Whom a task makes leave, on which node, and when nobody has to.
#include "scheduler/placement/make_room.h"

#include <gmock/gmock.h>

#include "scheduler/placement/placement_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using Choice = RoomRequest::Choice;

class MakeRoomTest : public PlacementTestBed {
 protected:
  MakeRoomTest()
      : PlacementTestBed({"priority", "gang", "predicates", "capacity"}, {"preempt", "backfill"}) {
    given_.Add(MakeQueue("q"));
    given_.Add(MakeGroup("low", "q", 0), 1).Add(MakeGroup("high", "q", 1), 9);
  }
  struct Running {
    const char* name;
    const char* node;
    const char* cpu = "1";
    int priority = 1;
    Duration started{0};  // so long ago
  };
  void Add(const Running& running) {
    kube::Pod pod = MakeRunningPod(running.name, "low", {{"cpu", running.cpu}}, running.node);
    pod.spec.priority = running.priority;
    pod.status.start_time = kTestNow - running.started;
    given_.Add(std::move(pod));
  }
  void AddPreemptor(const char* cpu) { given_.Add(MakePod("p", "high", {{"cpu", cpu}})); }
  struct Made {
    bool room = false;
    std::string node;
    std::vector<std::string> evicted;
    bool after_eviction = false;
  };
  Made Make(
      Choice choice, const TaskFilter& may_leave = [](const Task&) { return true; }) {
    Session& session = Open();
    Statement statement(session);
    Made made{.room = MakeRoom(session, statement, given_.task("p"),
                               {.action = "preempt", .choice = choice, .may_leave = may_leave})};
    made.node = NodeOf("p");
    made.after_eviction = given_.task("p").holding.after_eviction;
    for (const Statement::Operation& operation : statement.operations()) {
      const Task& task = given_.cluster.task(operation.task);
      if (task.status() == TaskStatus::kReleasing) made.evicted.push_back(task.name());
    }
    return made;
  }
};

TEST_F(MakeRoomTest, WhereThereIsRoomNobodyLeaves) {
  AddNode("n1", "1");
  AddNode("n2", "1");
  Add({.name = "a", .node = "n1"});
  AddPreemptor("1");
  const Made made = Make(Choice::kBestNode);
  EXPECT_TRUE(made.room);
  EXPECT_EQ(made.node, "n2");
  EXPECT_THAT(made.evicted, IsEmpty());
  EXPECT_FALSE(made.after_eviction) << "nobody's leave has to be waited for";
}

TEST_F(MakeRoomTest, AloneATaskThatFitsWouldHaveBeenPlacedWithoutAnybodysLeave) {
  AddNode("n1", "1");
  AddPreemptor("1");
  EXPECT_FALSE(Make(Choice::kLeastHarm).room);
}

TEST_F(MakeRoomTest, APromiseForWhichSomebodyLeavesSaysSo) {
  AddNode("n1", "1");
  Add({.name = "a", .node = "n1"});
  AddPreemptor("1");
  for (const Choice choice : {Choice::kBestNode, Choice::kLeastHarm}) {
    const Made made = Make(choice);
    EXPECT_THAT(made.evicted, ElementsAre("a"));
    EXPECT_TRUE(made.after_eviction);
  }
}

TEST_F(MakeRoomTest, OnlyThoseWhoMayLeaveDo) {
  AddNode("n1", "2");
  Add({.name = "a", .node = "n1"});
  Add({.name = "b", .node = "n1"});
  AddPreemptor("1");
  const auto only = [](std::string_view name) {
    return [name](const Task& task) { return task.name() == name; };
  };
  for (const Choice choice : {Choice::kBestNode, Choice::kLeastHarm}) {
    EXPECT_THAT(Make(choice, only("a")).evicted, ElementsAre("a"));
    EXPECT_THAT(Make(choice, only("b")).evicted, ElementsAre("b"));
    EXPECT_FALSE(Make(choice, only("nobody")).room);
  }
}

TEST_F(MakeRoomTest, WhereAllTogetherAreNotEnoughNobodyLeaves) {
  AddNode("n1", "2");
  Add({.name = "a", .node = "n1"});
  Add({.name = "b", .node = "n1"});
  AddPreemptor("3");
  for (const Choice choice : {Choice::kBestNode, Choice::kLeastHarm}) {
    const Made made = Make(choice);
    EXPECT_FALSE(made.room);
    EXPECT_THAT(made.evicted, IsEmpty());
  }
  EXPECT_EQ(given_.task("a").status(), TaskStatus::kRunning);
}

TEST_F(MakeRoomTest, WhoIsNotNeededAfterAllStays) {
  AddNode("n1", "4");
  Add({.name = "tiny", .node = "n1", .priority = 1});
  Add({.name = "big", .node = "n1", .cpu = "3", .priority = 2});
  AddPreemptor("3");
  for (const Choice choice : {Choice::kBestNode, Choice::kLeastHarm}) {
    EXPECT_THAT(Make(choice).evicted, ElementsAre("big")) << "the tiny one came first, in vain";
  }
}

TEST_F(MakeRoomTest, NobodyLeavesForATaskThatIsPlacedWithoutRoom) {
  AddNode("n1", "1");
  Add({.name = "a", .node = "n1"});
  given_.Add(MakePod("p", "high", {}));
  EXPECT_FALSE(Make(Choice::kBestNode).room);
}

TEST_F(MakeRoomTest, WhoIsLeavingAlreadyIsWaitedForAndNobodyElseGoes) {
  AddNode("n1", "2");
  AddLeaving("leaving", "low", "1", "n1");
  Add({.name = "stays", .node = "n1"});
  AddPreemptor("1");
  const Made made = Make(Choice::kBestNode);
  EXPECT_EQ(made.node, "n1");
  EXPECT_THAT(made.evicted, ElementsAre());
  EXPECT_EQ(given_.task("stays").status(), TaskStatus::kRunning);
}

// ---- where the least harm is done; each row has two nodes with one CPU too few

struct Victims {
  const char* name;
  std::vector<std::pair<int, Duration>> on_n1, on_n2;  // priority, and since when it runs
  const char* spared;                                  // the node on which nobody leaves
};

class LeastHarmTest : public MakeRoomTest, public testing::WithParamInterface<Victims> {};

TEST_P(LeastHarmTest, Decides) {
  const auto add = [&](const char* node, const std::vector<std::pair<int, Duration>>& victims) {
    AddNode(node, "2");
    const char* cpu = victims.size() == 1 ? "2" : "1";
    int number = 0;
    for (const auto& [priority, started] : victims) {
      const std::string name = node + std::string("-") + std::to_string(number++);
      Add({.name = name.c_str(),
           .node = node,
           .cpu = cpu,
           .priority = priority,
           .started = started});
    }
  };
  add("n1", GetParam().on_n1);
  add("n2", GetParam().on_n2);
  AddPreemptor("2");
  const Made made = Make(Choice::kLeastHarm);
  EXPECT_EQ(made.node, std::string_view(GetParam().spared) == "n1" ? "n2" : "n1");
  for (const std::string& name : made.evicted) {
    EXPECT_THAT(name, testing::Not(testing::StartsWith(GetParam().spared)));
  }
  EXPECT_THAT(made.evicted, testing::Not(IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(
    Placement, LeastHarmTest,
    testing::ValuesIn<Victims>({
        {"OneThatMattersLess", {{5, 1h}}, {{4, 1h}}, "n1"},
        {"ManyThatMatterLittleBeforeOneThatMattersMuch", {{5, 1h}}, {{4, 1h}, {4, 1h}}, "n1"},
        {"TheHighestCountsWhoeverElseGoes", {{5, 1h}, {1, 1h}}, {{4, 1h}, {4, 1h}}, "n1"},
        {"OfTheSameHighestTheSmallerSum", {{5, 1h}, {5, 1h}}, {{5, 1h}, {4, 1h}}, "n1"},
        {"FewerOfTheSame", {{5, 1h}, {5, 1h}}, {{5, 1h}}, "n1"},
        {"ANegativeOneIsOneMoreAllTheSame", {{-5, 1h}, {-5, 1h}}, {{-5, 1h}}, "n1"},
        {"TheYoungerOfTwoThatAreTheSame", {{5, 2h}}, {{5, 1h}}, "n1"},
        {"TheYoungerWhicheverNodeItIsOn", {{5, 1h}}, {{5, 2h}}, "n2"},
        {"TheOldestOfThoseThatMatterMost", {{5, 1h}, {5, 3h}}, {{5, 2h}, {5, 2h}}, "n1"},
        {"TheAgeOfOneThatMattersLessIsNothing", {{5, 2h}, {4, 1h}}, {{5, 1h}, {4, 9h}}, "n1"},
        {"TheFirstNodeWhereNothingTellsThemApart", {{5, 1h}}, {{5, 1h}}, "n2"},
    }),
    [](const auto& row) { return std::string(row.param.name); });

// ---- more than room

TEST_F(MakeRoomTest, WhatIsReservedIsNobodysVictim) {
  AddNode("n1", "2");
  AddReservation("r", "q", "2", "web", "n1");
  AddPreemptor("2");
  for (const Choice choice : {Choice::kBestNode, Choice::kLeastHarm}) {
    EXPECT_FALSE(Make(choice).room);
  }
}

TEST_F(MakeRoomTest, NobodyLeavesForATaskThatItsQueueRefusesAllTheSame) {
  AddNode("n1", "8");
  AddPreemptor("8");
  Add({.name = "a", .node = "n1", .cpu = "2"});
  AddQueue("q", "4");
  for (const Choice choice : {Choice::kBestNode, Choice::kLeastHarm}) {
    EXPECT_FALSE(Make(choice).room);
  }
  EXPECT_EQ(given_.task("a").status(), TaskStatus::kRunning);
}

TEST_F(MakeRoomTest, APodWithoutAPriorityHasNone) {
  AddPreemptor("1");
  EXPECT_EQ(PodPriority(given_.task("p")), 0);
  AddNode("n1", "1");
  Add({.name = "a", .node = "n1", .priority = -7});
  EXPECT_EQ(PodPriority(given_.task("a")), -7);
}

}  // namespace
}  // namespace basalt::scheduler
