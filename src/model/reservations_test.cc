// Reservations in the state: what is held, taken over, given back and ended, also after a restart.
#include "model/reservations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/reservations_test_util.h"

namespace basalt::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeRunningPod;
using Phase = kube::ReservationPhase;

TEST_F(ReservationsTest, EndsAtItsTimeOrAfterItsTimeToLiveWhicheverComesFirst) {
  struct Row {
    std::optional<int> expires, ttl;
    std::optional<int> end;
  };
  for (const Row& row : {Row{{}, {}, {}}, Row{50, {}, 50}, Row{{}, 30, 130}, Row{{}, 0, {}},
                         Row{{}, -5, {}}, Row{150, 30, 130}, Row{120, 30, 120}, Row{120, 0, 120}}) {
    kube::Reservation object;
    object.meta.creation_timestamp = Time{} + 100s;
    if (row.expires) object.expires = Time{} + std::chrono::seconds(*row.expires);
    if (row.ttl) object.ttl = std::chrono::seconds(*row.ttl);
    std::optional<Time> end;
    if (row.end) end = Time{} + std::chrono::seconds(*row.end);
    EXPECT_EQ(EndOf(object), end) << row.expires.value_or(-1) << " " << row.ttl.value_or(-1);
  }
  kube::Reservation for_ever;
  for_ever.meta.creation_timestamp = Time{} + 1s;
  for_ever.ttl = Duration::max();
  EXPECT_EQ(EndOf(for_ever), Time::max()) << "not in the past";
}

TEST_F(ReservationsTest, SlotsThatAreHeldAreFreeUntilSomebodyTakesThemAndInTheirOrder) {
  Add(Object("r", 3));
  EXPECT_THAT(FreeSlots("r"), IsEmpty());
  for (std::size_t slot : {0, 1, 2}) Hold("r", slot, "n1");
  EXPECT_THAT(FreeSlots("r"), ElementsAre(0, 1, 2));
  AddWebPod("a", "a");
  TakeOver("a", "r", 0);
  EXPECT_THAT(FreeSlots("r"), ElementsAre(1, 2));
  // What was given back is the first again.
  Move("a", {});
  all().SettleTakes();
  EXPECT_THAT(FreeSlots("r"), ElementsAre(0, 1, 2));
  EXPECT_EQ(HeldIn("q"), 3000);
}

TEST_F(ReservationsTest, ATakeIsSettledByWhereItsTakerStands) {
  struct Row {
    const char* name;
    TaskStatus status;
    const char* node;  // "": none
    const char* slot;
    bool settled;
  };
  for (const Row& row :
       {Row{"its bind is decided", TaskStatus::kAllocated, "n1", "Available", false},
        Row{"its bind is under way", TaskStatus::kBinding, "n1", "Available", false},
        Row{"it is promised the place", TaskStatus::kPipelined, "n1", "Available", false},
        Row{"it is bound", TaskStatus::kBound, "n1", "Succeeded", true},
        Row{"it runs", TaskStatus::kRunning, "n1", "Succeeded", true},
        Row{"it is on its way out", TaskStatus::kReleasing, "n1", "Succeeded", true},
        Row{"nobody hears of it", TaskStatus::kUnknown, "n1", "Succeeded", true},
        Row{"it has ended", TaskStatus::kSucceeded, "", "Succeeded", true},
        Row{"it went elsewhere", TaskStatus::kBinding, "n2", "Available", true},
        Row{"it waits again", TaskStatus::kPending, "", "Available", true}}) {
    Add(Object("r"));
    Hold("r", 0, "n1");
    AddWebPod("a", "a");
    TakeOver("a", "r", 0);
    Move("a", {.status = row.status, .node = *row.node ? node(row.node) : NodeId{}});
    all().SettleTakes();
    EXPECT_EQ(PhaseOf("r", 0), row.slot) << row.name;
    const bool taken_for_good = PhaseOf("r", 0) == std::string("Succeeded");
    EXPECT_EQ(record("r").slots[0].taker.valid(), !row.settled) << row.name;
    EXPECT_EQ(record("r").slots[0].owner.has_value(), taken_for_good) << row.name;
    all().Remove("ns", "r");
    given_.cluster.RemovePod("ns", "a");
    EXPECT_EQ(given_.cluster.CheckLedgers(), "") << row.name;
  }
}

TEST_F(ReservationsTest, WhoTookASlotIsAGroupOrAPodWithoutOne) {
  Add(Object("r", 3));
  for (std::size_t slot : {0, 1, 2}) Hold("r", slot, "n1");
  given_.Add(MakeGroup("gang", "q", 1));
  AddWebPod("of-gang", "gang");
  AddWebPod("of-none", "that-is-not-there");
  AddWebPod("alone", "shadow-of-alone");
  given_.cluster.SetShadow(given_.task("alone").id, std::make_shared<const kube::PodGroup>(), "q");
  TakeOver("of-gang", "r", 0, TaskStatus::kBound);
  TakeOver("of-none", "r", 1, TaskStatus::kBound);
  TakeOver("alone", "r", 2, TaskStatus::kBound);
  all().SettleTakes();
  EXPECT_EQ(record("r").slots[0].owner->kind, "PodGroup");
  EXPECT_EQ(record("r").slots[0].owner->name, "gang");
  EXPECT_EQ(record("r").slots[1].owner->kind, "Pod");
  EXPECT_EQ(record("r").slots[1].owner->name, "of-none");
  EXPECT_EQ(record("r").slots[2].owner->kind, "Pod");
  EXPECT_EQ(record("r").slots[2].owner->name, "alone");
  EXPECT_THAT(Changed(), ElementsAre("r: Succeeded"));
  EXPECT_EQ(record("r").status.current_owner->name, "alone") << "the last";
}

TEST_F(ReservationsTest, WhatIsGivenBackIsHeldAgainWhereItFitsAndPlacedAnewWhereNot) {
  Add(Object("r"));
  Hold("r", 0, "n1");
  AddWebPod("a", "a");
  TakeOver("a", "r", 0);
  // Somebody else filled the node meanwhile.
  Move("a", {});
  given_.Add(MakeRunningPod("filler", "", {{"cpu", "4"}}, "n1"));
  all().SettleTakes();
  EXPECT_EQ(PhaseOf("r", 0), "Pending");
  EXPECT_FALSE(given_.cluster.task(record("r").slots[0].id).node().valid());
  EXPECT_EQ(given_.cluster.CheckLedgers(), "");
}

TEST_F(ReservationsTest, ASlotWhoseTakerIsGoneIsHeldAgain) {
  Add(Object("r"));
  Hold("r", 0, "n1");
  AddWebPod("a", "a");
  TakeOver("a", "r", 0);
  EXPECT_EQ(all().PhaseOf(record("r")), Phase::kAvailable) << "its last slot is not taken yet";
  const TaskId taker = given_.task("a").id;
  given_.cluster.RemovePod("ns", "a");
  all().SettleTakes();
  EXPECT_THAT(FreeSlots("r"), ElementsAre(0));
  // Another pod under the number of the one that is gone has taken nothing.
  AddWebPod("b", "b");
  TakeOver("b", "r", 0);
  given_.cluster.RemovePod("ns", "b");
  given_.Add(MakeRunningPod("c", "", {{"cpu", "1"}}, "n1"));
  ASSERT_EQ(given_.task("c").id, taker);
  all().SettleTakes();
  EXPECT_THAT(FreeSlots("r"), ElementsAre(0));
}

TEST_F(ReservationsTest, AtItsEndWhatNobodyTookIsFreeAndWhatIsBeingTakenStays) {
  Add(Object("r", 3, 0, R"(,"expires":"1970-01-01T00:01:00Z")"));
  for (std::size_t slot : {0, 1}) Hold("r", slot, "n1");
  AddWebPod("a", "a");
  TakeOver("a", "r", 0);
  Changed();
  EXPECT_EQ(all().next_end(), Time{} + 60s);
  all().EndDue(Time{} + 59s);
  EXPECT_EQ(PhaseOf("r", 1), "Available");
  all().EndDue(Time{} + 60s);
  EXPECT_EQ(all().next_end(), std::nullopt);
  EXPECT_EQ(PhaseOf("r", 0), "Available") << "its taker is under way";
  EXPECT_EQ(PhaseOf("r", 1), "Failed");
  EXPECT_EQ(PhaseOf("r", 2), "Failed");
  EXPECT_THAT(Changed(), ElementsAre("r: Failed"));
  EXPECT_EQ(record("r").status.succeeded, 1) << "it is as good as taken";
  // The taker gives up: there is nothing to give back to.
  Move("a", {});
  all().SettleTakes();
  EXPECT_EQ(PhaseOf("r", 0), "Failed");
  EXPECT_EQ(HeldIn("q"), 0);
}

TEST_F(ReservationsTest, OneThatIsTakenToTheLastEndsOnlyIfSomethingIsGivenBack) {
  Add(Object("r", 1, 0, R"(,"expires":"1970-01-01T00:01:00Z")"));
  Hold("r", 0, "n1");
  AddWebPod("a", "a");
  TakeOver("a", "r", 0);
  all().EndDue(Time{} + 60s);
  EXPECT_EQ(PhaseOf("r", 0), "Available");
  EXPECT_FALSE(record("r").ended);
  EXPECT_EQ(all().next_end(), std::nullopt);
  Move("a", {});
  all().SettleTakes();
  EXPECT_EQ(all().next_end(), Time{} + 60s) << "it is looked at again";
  all().EndDue(Time{} + 61s);
  EXPECT_EQ(PhaseOf("r", 0), "Failed");
}

TEST_F(ReservationsTest, ALaterVersionMayEndAtAnotherTime) {
  Add(Object("r", 1, 0, R"(,"expires":"1970-01-01T00:01:00Z")"));
  EXPECT_TRUE(all().Refresh(Object("r", 1, 0, R"(,"expires":"1970-01-01T00:02:00Z")")));
  EXPECT_EQ(all().next_end(), Time{} + 120s);
  all().EndDue(Time{} + 119s);
  EXPECT_FALSE(record("r").ended) << "the old end counts no more";
  EXPECT_TRUE(all().Refresh(Object("r")));
  EXPECT_EQ(all().next_end(), std::nullopt);
}

TEST_F(ReservationsTest, HeldTasksOnNodesThatChangedAreDoubtful) {
  Add(Object("r", 2));
  Hold("r", 0, "n1");
  Hold("r", 1, "n2");
  given_.Add(MakeRunningPod("pod", "g", {{"cpu", "1"}}, "n1"));
  for (const char* group : {"g", ""}) {
    kube::Pod bound = MakePod(std::string("bound") + group, group, {{"cpu", "1m"}});
    bound.spec.node_name = "n1";
    given_.Add(std::move(bound));
  }
  all().TakeDoubtful();
  EXPECT_THAT(all().TakeDoubtful(), IsEmpty()) << "nothing has changed since";
  given_.Add(MakeNode("n1", {{"cpu", "3"}}));
  EXPECT_THAT(all().TakeDoubtful(), ElementsAre(record("r").slots[0].id));
  given_.Add(MakeNode("n2", {{"cpu", "3"}}));
  given_.Add(MakeNode("n2", {{"cpu", "2"}}));
  EXPECT_THAT(all().TakeDoubtful(), ElementsAre(record("r").slots[1].id)) << "once";
  // Where a part of the log is gone, everything is.
  given_.Add(MakeNode("n2", {{"cpu", "3"}}));
  given_.cluster.CutNodeLog();
  EXPECT_THAT(all().TakeDoubtful(), SizeIs(2));
  given_.Add(MakeNode("n2", {{"cpu", "4"}}));
  EXPECT_THAT(all().TakeDoubtful(), ElementsAre(record("r").slots[1].id)) << "all of it is there";
  given_.cluster.RemoveNode("n1");
  given_.Add(MakeNode("n1", {{"cpu", "4"}}));
  all().Remove("ns", "r");
  EXPECT_THAT(all().TakeDoubtful(), IsEmpty());
}

TEST_F(ReservationsTest, OneThatIsDeletedNeverEnds) {
  Add(Object("r", 1, 0, R"(,"expires":"1970-01-01T00:01:00Z")"));
  all().Remove("ns", "r");
  EXPECT_EQ(all().next_end(), std::nullopt);
  all().Remove("ns", "r");
  EXPECT_TRUE(all().empty());
}

TEST_F(ReservationsTest, TheMostImportantOfItsTasksSaysHowImportantItIsWhereverItStands) {
  for (const auto& [name, value] :
       {std::pair{"high", 100}, std::pair{"also-high", 100}, std::pair{"low", 1}}) {
    kube::PriorityClass one;
    one.meta.name = name;
    one.value = value;
    given_.cluster.mutable_objects().priority_classes.Set(
        std::make_shared<const kube::PriorityClass>(one));
  }
  for (const std::vector<std::string>& order :
       std::vector<std::vector<std::string>>{{"high", "low", ""},
                                             {"low", "high", ""},
                                             {"", "low", "high"},
                                             {"", "high", "low"},
                                             {"high", "also-high", ""}}) {
    kube::Reservation object = *Object("r");
    for (const std::string& of_class : order) {
      kube::Reservation::Task task = object.tasks[0];
      task.name = "t" + of_class;
      task.pod_template.spec.priority_class_name = of_class;
      object.tasks.push_back(std::move(task));
    }
    object.tasks.erase(object.tasks.begin());
    Add(std::make_shared<const kube::Reservation>(std::move(object)));
    EXPECT_EQ(given_.cluster.job(record("r").job).group->priority_class_name, "high");
    all().Remove("ns", "r");
  }
}

// ---- after a restart

// A reservation whose status says that its first slot is held on n1.
class RestoredReservationTest : public ReservationsTest {
 protected:
  static std::shared_ptr<const kube::Reservation> Said(
      const std::string& name, int second, std::vector<kube::Reservation::Placement> placements,
      Phase phase = Phase::kAvailable) {
    kube::Reservation object = *Object(name, 2, second);
    object.status.phase = phase;
    object.status.placements = std::move(placements);
    return std::make_shared<const kube::Reservation>(std::move(object));
  }
  static kube::Reservation::Placement At(int index, const std::string& node,
                                         Phase phase = Phase::kAvailable) {
    return {.task = "t", .index = index, .node = node, .phase = phase};
  }
  std::string NodeOf(const std::string& name, std::size_t slot) {
    const NodeId at = given_.cluster.task(record(name).slots[slot].id).node();
    return at.valid() ? given_.cluster.node(at).name : "";
  }
};

TEST_F(RestoredReservationTest, HoldsWhatItsStatusSaysAsFarAsThatCanBeTrue) {
  Add(Said("r", 5, {At(0, "n1"), At(1, "n2", Phase::kWaiting)}));
  Add(Said("held", 5, {At(0, "n1")}));
  Add(Said("waits", 5, {At(0, "n2", Phase::kWaiting)}));
  Add(Said("gone-node", 6, {At(0, "n9"), At(7, "n1"), {.task = "other", .node = "n1"}}));
  given_.Add(MakeRunningPod("full", "", {{"cpu", "4"}}, "n2"));
  Add(Said("full-node", 7, {At(0, "n2")}));
  all().Restore();
  EXPECT_EQ(NodeOf("r", 0), "n1");
  EXPECT_EQ(PhaseOf("r", 0), "Available");
  EXPECT_EQ(NodeOf("r", 1), "n2");
  EXPECT_EQ(PhaseOf("r", 1), "Waiting");
  EXPECT_TRUE(given_.cluster.task(record("r").slots[1].id).holding.restored);
  for (const char* name : {"r", "held", "waits"}) {
    EXPECT_EQ(given_.cluster.job(record(name).job).phase, JobPhase::kInqueue) << "it was admitted";
  }
  for (const char* name : {"gone-node", "full-node"}) {
    EXPECT_EQ(given_.cluster.job(record(name).job).phase, JobPhase::kPending) << name;
    EXPECT_EQ(PhaseOf(name, 0), "Pending") << name;
    EXPECT_EQ(NodeOf(name, 0), "") << name;
  }
  EXPECT_EQ(given_.cluster.CheckLedgers(), "");
}

TEST_F(RestoredReservationTest, OfTwoForTheSameRoomTheOlderHasIt) {
  given_.Add(MakeRunningPod("leaves-one", "", {{"cpu", "3"}}, "n1"));
  Add(Said("a-young", 9, {At(0, "n1")}));
  Add(Said("b-old", 5, {At(0, "n1")}));
  all().Restore();
  EXPECT_EQ(NodeOf("b-old", 0), "n1");
  EXPECT_EQ(NodeOf("a-young", 0), "");
}

TEST_F(RestoredReservationTest, ASlotThatIsNamedTwiceIsWhereItWasNamedFirst) {
  Add(Said("r", 5, {At(0, "n1"), At(0, "n2")}));
  all().Restore();
  EXPECT_EQ(NodeOf("r", 0), "n1");
}

TEST_F(RestoredReservationTest, OneThatHasEndedHoldsNothing) {
  kube::Reservation object =
      *Said("r", 5, {At(0, "n1", Phase::kSucceeded), At(1, "n2", Phase::kFailed)}, Phase::kFailed);
  object.expires = Time{} + 60s;
  Add(std::make_shared<const kube::Reservation>(std::move(object)));
  all().Restore();
  EXPECT_EQ(all().next_end(), std::nullopt);
  EXPECT_TRUE(record("r").ended);
  EXPECT_EQ(PhaseOf("r", 0), "Succeeded");
  EXPECT_EQ(PhaseOf("r", 1), "Failed");
  EXPECT_EQ(record("r").slots[1].node, "n2") << "where it was is still said";
  EXPECT_EQ(HeldIn("q"), 0);
}

// A pod on the slot's node that may use it and came after the reservation has taken it: the
// scheduler died before it could say so.
TEST_F(RestoredReservationTest, APodThatCameAfterItAndMayUseItHasTakenTheSlot) {
  struct Row {
    const char* name;
    void (*make)(kube::Pod& pod);
    bool taken;
  };
  const auto bound_at = [](kube::Pod& pod, int second, kube::ConditionStatus status) {
    pod.status.conditions.push_back(
        {.type = "PodScheduled",
         .status = status,
         .last_transition_time = Time{} + std::chrono::seconds(second)});
  };
  static const auto bound = bound_at;
  for (const Row& row : std::vector<Row>{
           {"made later", [](kube::Pod& pod) { pod.meta.creation_timestamp = Time{} + 20s; }, true},
           {"made at the same time",
            [](kube::Pod& pod) { pod.meta.creation_timestamp = Time{} + 10s; }, true},
           {"made before", [](kube::Pod& pod) { pod.meta.creation_timestamp = Time{} + 5s; },
            false},
           {"made before and bound later",
            [](kube::Pod& pod) { bound(pod, 20, kube::ConditionStatus::kTrue); }, true},
           {"made before and refused later",
            [](kube::Pod& pod) { bound(pod, 20, kube::ConditionStatus::kFalse); }, false},
           {"of others",
            [](kube::Pod& pod) {
              pod.meta.creation_timestamp = Time{} + 20s;
              pod.meta.labels.Set("app", "db");
            },
            false},
           {"of another template",
            [](kube::Pod& pod) {
              pod.meta.creation_timestamp = Time{} + 20s;
              pod.spec.containers[0].image = "another";
            },
            false},
           {"of another namespace",
            [](kube::Pod& pod) {
              pod.meta.creation_timestamp = Time{} + 20s;
              pod.meta.ns = "elsewhere";
            },
            false},
           {"on another node",
            [](kube::Pod& pod) {
              pod.meta.creation_timestamp = Time{} + 20s;
              pod.spec.node_name = "n2";
            },
            false}}) {
    kube::Pod pod = WebPod("p", "g");
    pod.spec.node_name = "n1";
    pod.status.phase = kube::PodPhase::kRunning;
    row.make(pod);
    given_.Add(pod);
    Add(Said("r", 10, {At(0, "n1")}));
    all().Restore();
    EXPECT_EQ(PhaseOf("r", 0), row.taken ? "Succeeded" : "Available") << row.name;
    all().Remove("ns", "r");
    given_.cluster.RemovePod(pod.meta.ns, "p");
  }
}

TEST_F(RestoredReservationTest, APodHasTakenOneSlotAndNoOther) {
  kube::Pod pod = WebPod("p", "g");
  pod.spec.node_name = "n1";
  pod.status.phase = kube::PodPhase::kRunning;
  pod.meta.creation_timestamp = Time{} + 20s;
  given_.Add(std::move(pod));
  // Whether one slot was said to be taken, which was by this pod, or none.
  for (const Phase said : {Phase::kSucceeded, Phase::kAvailable}) {
    Add(Said("r", 10, {At(0, "n1", said), At(1, "n1")}));
    all().Restore();
    EXPECT_EQ(PhaseOf("r", 0), "Succeeded");
    EXPECT_EQ(PhaseOf("r", 1), "Available");
    all().Remove("ns", "r");
  }
}

}  // namespace
}  // namespace basalt::model
