// Reservations in the state: what is held, taken over, given back and ended, and what is said of
// it.
#include "model/reservations.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/types/codec.h"
#include "model/annotations.h"
#include "model/cluster.h"
#include "model/reservation_use.h"
#include "testing/model/test_cluster.h"

namespace basalt::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;
using Phase = kube::ReservationPhase;

// Nodes n1 and n2 of 4 CPUs; reservations are of tasks "t" of 1 CPU each and serve pods of app=web.
class ReservationsTest : public testing::Test {
 protected:
  ReservationsTest() {
    given_.Add(MakeQueue("root")).Add(MakeQueue("q")).Add(MakeQueue("other"));
    for (const char* name : {"n1", "n2"}) given_.Add(MakeNode(name, {{"cpu", "4"}}));
  }
  // `second` is when it was created; `more` are further fields of its spec, with a comma in front.
  static std::shared_ptr<const kube::Reservation> Object(const std::string& name, int replicas = 1,
                                                         int second = 0,
                                                         const std::string& more = "") {
    auto read = kube::Decode<kube::Reservation>(fmt::format(
        R"({{"metadata":{{"name":"{0}","namespace":"ns","uid":"u-{0}"}},"spec":{{
            "owners":[{{"labelSelector":{{"matchLabels":{{"app":"web"}}}}}}],
            "tasks":[{{"name":"t","replicas":{1},"template":{{"spec":{{"containers":[
                {{"name":"main","resources":{{"requests":{{"cpu":"1"}}}}}}]}}}}}}]{2}}}}})",
        name, replicas, more));
    EXPECT_TRUE(read) << read.error().message;
    kube::Reservation object = read.value_or(kube::Reservation{});
    object.meta.creation_timestamp = Time{} + std::chrono::seconds(second);
    return std::make_shared<const kube::Reservation>(std::move(object));
  }
  const ReservationRecord& Add(std::shared_ptr<const kube::Reservation> object,
                               const std::string& queue = "q") {
    const std::string name = object->meta.name;
    all().Add(std::move(object), queue);
    return record(name);
  }
  // The slot is held on the node.
  void Hold(const std::string& name, std::size_t slot, const std::string& node) {
    const TaskId id = record(name).slots[slot].id;
    given_.cluster.Move(id, {.status = TaskStatus::kBound, .node = given_.node(node).id});
    all().NotePlaced(given_.cluster.task(id));
  }
  // A pod that the reservations serve.
  static kube::Pod WebPod(const std::string& name, const std::string& group = "") {
    kube::Pod pod = MakePod(name, group, {{"cpu", "1"}});
    pod.meta.labels.Set("app", "web");
    return pod;
  }
  const Task& AddWebPod(const std::string& name, const std::string& group) {
    given_.Add(WebPod(name, group));
    return given_.task(name);
  }
  // The pod stands where the slot stood, and takes it over.
  void TakeOver(const std::string& pod, const std::string& name, std::size_t slot,
                TaskStatus as = TaskStatus::kAllocated) {
    const TaskId reserved = record(name).slots[slot].id;
    const NodeId node = given_.cluster.task(reserved).node();
    given_.cluster.Move(reserved, {.status = TaskStatus::kSucceeded});
    given_.cluster.Move(given_.task(pod).id, {.status = as, .node = node});
    all().NoteTaker(reserved, given_.task(pod).id);
  }
  void Move(const std::string& pod, const Holding& to) {
    given_.cluster.Move(given_.task(pod).id, to);
  }
  std::string PhaseOf(const std::string& name, std::size_t slot) {
    return std::string(ToString(all().PhaseOf(record(name).slots[slot])));
  }
  // "name: phase" of each status that is to be written.
  std::vector<std::string> Changed() {
    std::vector<std::string> changed;
    for (const Reservations::Changed& one : all().TakeChanged(now_)) {
      changed.push_back(fmt::format("{}: {}{}", one.record->name(),
                                    ToString(one.record->status.phase),
                                    one.phase_changed ? "" : " still"));
    }
    return changed;
  }
  std::vector<std::uint32_t> FreeSlots(const std::string& name) {
    std::vector<std::uint32_t> slots;
    all().ForEachFreeSlot(record(name), [&](const ReservedSlot& slot) {
      slots.push_back(static_cast<std::uint32_t>(slot.index));
      return true;
    });
    return slots;
  }
  double HeldIn(const std::string& queue) {
    EXPECT_EQ(given_.cluster.CheckLedgers(), "");
    return given_.queue(queue).own.allocated.value().milli_cpu();
  }

  Reservations& all() { return given_.cluster.mutable_reservations(); }
  const ReservationRecord& record(const std::string& name) { return *all().Find("ns", name); }
  NodeId node(const std::string& name) { return given_.node(name).id; }

  TestCluster given_;
  Time now_{};
};

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
  Add(Object("r", 2));
  for (std::size_t slot : {0, 1}) Hold("r", slot, "n1");
  given_.Add(MakeGroup("gang", "q", 1));
  AddWebPod("of-gang", "gang");
  AddWebPod("alone", "shadow-of-alone");
  given_.cluster.SetShadow(given_.task("alone").id, std::make_shared<const kube::PodGroup>(), "q");
  TakeOver("of-gang", "r", 0, TaskStatus::kBound);
  TakeOver("alone", "r", 1, TaskStatus::kBound);
  all().SettleTakes();
  EXPECT_EQ(record("r").slots[0].owner->kind, "PodGroup");
  EXPECT_EQ(record("r").slots[0].owner->name, "gang");
  EXPECT_EQ(record("r").slots[1].owner->kind, "Pod");
  EXPECT_EQ(record("r").slots[1].owner->name, "alone");
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

TEST_F(ReservationsTest, AStatusIsWrittenOnceAndAgainWhenSomebodyElseChangedIt) {
  Add(Object("r"));
  EXPECT_THAT(Changed(), IsEmpty()) << "no cycle has looked at it";
  Hold("r", 0, "n1");
  EXPECT_THAT(Changed(), ElementsAre("r: Available"));
  EXPECT_THAT(Changed(), IsEmpty());
  // What was written comes back in the watch.
  kube::Reservation echo = *Object("r");
  echo.status = record("r").status;
  EXPECT_FALSE(all().Refresh(std::make_shared<const kube::Reservation>(echo)));
  EXPECT_THAT(Changed(), IsEmpty());
  kube::Reservation spoilt = echo;
  spoilt.status.phase = Phase::kFailed;
  EXPECT_TRUE(all().Refresh(std::make_shared<const kube::Reservation>(spoilt)));
  EXPECT_THAT(Changed(), ElementsAre("r: Available still"));
}

TEST_F(ReservationsTest, AnOlderStatusOfOursThatComesBackIsNobodyElses) {
  Add(Object("r", 2));
  all().SayWaiting(given_.cluster.task(record("r").slots[0].id), "Unschedulable", "full");
  EXPECT_THAT(Changed(), ElementsAre("r: Pending"));
  kube::Reservation first = *Object("r", 2);
  first.status = record("r").status;
  for (std::size_t slot : {0, 1}) Hold("r", slot, "n1");
  EXPECT_THAT(Changed(), ElementsAre("r: Available"));
  EXPECT_FALSE(all().Refresh(std::make_shared<const kube::Reservation>(first)));
  EXPECT_THAT(Changed(), IsEmpty()) << "the newer one is under way";
  // The same once more is not ours: that has come back already.
  EXPECT_TRUE(all().Refresh(std::make_shared<const kube::Reservation>(first)));
}

TEST_F(ReservationsTest, AWriteThatFailedIsMadeAgainForTheSameObject) {
  Add(Object("r"));
  Hold("r", 0, "n1");
  EXPECT_THAT(Changed(), ElementsAre("r: Available"));
  all().WriteFailed("ns", "r", "another");
  all().WriteFailed("ns", "gone", "u-r");
  EXPECT_THAT(Changed(), IsEmpty());
  all().WriteFailed("ns", "r", "u-r");
  EXPECT_THAT(Changed(), ElementsAre("r: Available still"));
}

TEST_F(ReservationsTest, TheFirstTaskWithoutAPlaceSaysWhyItHasNone) {
  Add(Object("r", 3));
  const auto say = [&](std::size_t slot, const char* message) {
    all().SayWaiting(given_.cluster.task(record("r").slots[slot].id), "Unschedulable", message);
    return record("r").waiting_message;
  };
  EXPECT_EQ(say(1, "of the second"), "of the second");
  EXPECT_EQ(say(2, "of the third"), "of the second");
  EXPECT_EQ(say(0, "of the first"), "of the first");
  EXPECT_EQ(say(0, "of the first again"), "of the first again");
  Hold("r", 0, "n1");
  EXPECT_EQ(say(2, "of the third"), "of the third") << "the first has its place";
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
  given_.cluster.RemoveNode("n1");
  given_.Add(MakeNode("n1", {{"cpu", "4"}}));
  all().Remove("ns", "r");
  EXPECT_THAT(all().TakeDoubtful(), IsEmpty());
}

// ---- who is woken

TEST_F(ReservationsTest, NewsOfAReservationWakeThoseWhoNameItOrMayUseIt) {
  const auto add = [&](const std::string& name, const std::string& names, bool web) {
    given_.Add(MakeGroup(name, "q", 1));
    kube::Pod pod = MakePod(name, name, {{"cpu", "1"}});
    if (web) pod.meta.labels.Set("app", "web");
    if (!names.empty()) pod.meta.annotations.Set(annotations::kReservationName, names);
    given_.Add(std::move(pod));
  };
  add("names-it", "r", false);
  add("names-another", "s", true);
  add("may-use-it", "", true);
  add("stranger", "", false);
  const auto woken = [&](auto happen) {
    for (const char* job : {"names-it", "names-another", "may-use-it", "stranger"}) {
      given_.cluster.Settle(given_.job(job).id);
      given_.cluster.Park(given_.job(job).id, job, {});
    }
    happen();
    EXPECT_TRUE(all().has_news());
    all().WakeThoseServed();
    EXPECT_FALSE(all().has_news());
    std::vector<std::string> awake;
    for (const char* job : {"names-it", "names-another", "may-use-it", "stranger"}) {
      if (!given_.job(job).parked()) awake.push_back(job);
    }
    return awake;
  };
  EXPECT_THAT(woken([&] { Add(Object("r")); }), ElementsAre("names-it", "may-use-it"));
  EXPECT_THAT(woken([&] { Hold("r", 0, "n1"); }), ElementsAre("names-it", "may-use-it"));
  EXPECT_THAT(woken([&] { all().NoteGivenUp(given_.cluster.task(record("r").slots[0].id)); }),
              ElementsAre("names-it", "may-use-it"));
  EXPECT_THAT(woken([&] { all().Remove("ns", "r"); }), ElementsAre("names-it"))
      << "who may use it is not concerned by its end";
  EXPECT_THAT(woken([&] { Add(Object("s")); }), ElementsAre("names-another", "may-use-it"));
  Add(Object("r", 1, 0, R"(,"expires":"1970-01-01T00:01:00Z")"));
  all().WakeThoseServed();
  EXPECT_THAT(woken([&] { all().EndDue(Time{} + 1min); }), ElementsAre("names-it", "may-use-it"));
}

TEST_F(ReservationsTest, OtherOwnersAreNewsToThoseWhomTheyAre) {
  Add(Object("r"));
  Hold("r", 0, "n1");
  given_.Add(MakeGroup("g", "q", 1));
  kube::Pod pod = MakePod("p", "g", {{"cpu", "1"}});
  pod.meta.labels.Set("app", "db");
  given_.Add(std::move(pod));
  all().WakeThoseServed();
  const auto slots = [&] {
    return ReservationUser(given_.cluster, given_.job("g"), given_.task("p")).Slots(9).size();
  };
  EXPECT_EQ(slots(), 0u);
  given_.cluster.Settle(given_.job("g").id);
  given_.cluster.Park(given_.job("g").id, "like", {});
  kube::Reservation changed = *Object("r");
  changed.owners[0].label_selector = kube::LabelSelector::Parse("app=db").value();
  EXPECT_TRUE(all().Refresh(std::make_shared<const kube::Reservation>(changed)));
  all().WakeThoseServed();
  EXPECT_FALSE(given_.job("g").parked());
  EXPECT_EQ(slots(), 1u) << "it stands under its new owners";
  AddWebPod("web", "g");
  all().Remove("ns", "r");
  EXPECT_THAT(ReservationUser(given_.cluster, given_.job("g"), given_.task("web")).Slots(9),
              IsEmpty())
      << "and under its old ones no more";
}

TEST_F(ReservationsTest, OneThatIsDeletedNeverEnds) {
  Add(Object("r", 1, 0, R"(,"expires":"1970-01-01T00:01:00Z")"));
  all().Remove("ns", "r");
  EXPECT_EQ(all().next_end(), std::nullopt);
  all().Remove("ns", "r");
  EXPECT_TRUE(all().empty());
}

TEST_F(ReservationsTest, TheMostImportantOfItsTasksSaysHowImportantItIsWhereverItStands) {
  for (const auto& [name, value] : {std::pair{"high", 100}, std::pair{"low", 1}}) {
    kube::PriorityClass one;
    one.meta.name = name;
    one.value = value;
    given_.cluster.mutable_objects().priority_classes.Set(
        std::make_shared<const kube::PriorityClass>(one));
  }
  for (const std::vector<std::string>& order : std::vector<std::vector<std::string>>{
           {"high", "low", ""}, {"low", "high", ""}, {"", "low", "high"}, {"", "high", "low"}}) {
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
  Add(Said("gone-node", 6, {At(0, "n9"), At(7, "n1"), {.task = "other", .node = "n1"}}));
  given_.Add(MakeRunningPod("full", "", {{"cpu", "4"}}, "n2"));
  Add(Said("full-node", 7, {At(0, "n2")}));
  all().Restore();
  EXPECT_EQ(NodeOf("r", 0), "n1");
  EXPECT_EQ(PhaseOf("r", 0), "Available");
  EXPECT_EQ(NodeOf("r", 1), "n2");
  EXPECT_EQ(PhaseOf("r", 1), "Waiting");
  EXPECT_TRUE(given_.cluster.task(record("r").slots[1].id).holding.restored);
  EXPECT_EQ(given_.cluster.job(record("r").job).phase, JobPhase::kInqueue) << "it was admitted";
  for (const char* name : {"gone-node", "full-node"}) {
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
  Add(Said("r", 5, {At(0, "n1", Phase::kSucceeded), At(1, "n2", Phase::kFailed)}, Phase::kFailed));
  all().Restore();
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
  // One slot was said to be taken: that was this pod.
  Add(Said("r", 10, {At(0, "n1", Phase::kSucceeded), At(1, "n1")}));
  all().Restore();
  EXPECT_EQ(PhaseOf("r", 0), "Succeeded");
  EXPECT_EQ(PhaseOf("r", 1), "Available");
}

// ---- moves

TEST_F(ReservationsTest, AMoveCountsOnceWhileThePodHoldsItsNodeInTheSameQueueAndAsksForNoMore) {
  given_.Add(MakeGroup("g", "q", 1)).Add(MakeRunningPod("moved", "g", {{"cpu", "1"}}, "n1"));
  const auto moving = [](const std::string& name, int replicas, int second) {
    kube::Reservation object = *Object(name, replicas, second);
    object.meta.labels.Set(annotations::kMigratingPod, "moved");
    return std::make_shared<const kube::Reservation>(std::move(object));
  };
  Add(moving("r", 1, 5));
  Hold("r", 0, "n2");
  EXPECT_EQ(HeldIn("q"), 1000) << "as one";
  Add(moving("twice", 2, 1));
  for (std::size_t slot : {0, 1}) Hold("twice", slot, "n2");
  EXPECT_EQ(HeldIn("q"), 4000) << "the oldest is the move, and asks for too much";
  all().Remove("ns", "twice");
  EXPECT_EQ(HeldIn("q"), 1000) << "the next takes its place";
  Add(moving("second", 1, 6));
  Hold("second", 0, "n2");
  EXPECT_EQ(HeldIn("q"), 2000) << "another is growth";
  all().Remove("ns", "second");
  all().WakeThoseServed();
  // In another queue it is not the same share.
  given_.cluster.PutInQueue(given_.job("g").id, "other");
  EXPECT_EQ(HeldIn("q"), 1000);
  EXPECT_TRUE(all().has_news()) << "a pod that may use it is told";
  given_.cluster.PutInQueue(given_.job("g").id, "q");
  EXPECT_EQ(HeldIn("q"), 1000);
  Move("moved", {.status = TaskStatus::kReleasing, .node = node("n1")});
  EXPECT_EQ(HeldIn("q"), 1000) << "now the reservation's";
  given_.cluster.RemovePod("ns", "moved");
  EXPECT_EQ(HeldIn("q"), 1000);
  all().Remove("ns", "r");
  EXPECT_EQ(HeldIn("q"), 0);
  EXPECT_TRUE(all().moves().empty());
}

TEST_F(ReservationsTest, AMoveIsOneAlsoWhereItsPodIsSeenAfterIt) {
  kube::Reservation object = *Object("r");
  object.meta.labels.Set(annotations::kMigratingPod, "late");
  Add(std::make_shared<const kube::Reservation>(std::move(object)));
  Hold("r", 0, "n2");
  EXPECT_EQ(HeldIn("q"), 1000);
  given_.Add(MakeGroup("g", "q", 1)).Add(MakeRunningPod("late", "g", {{"cpu", "1"}}, "n1"));
  EXPECT_EQ(HeldIn("q"), 1000) << "as one";
}

TEST_F(ReservationsTest, AMoveThatEndsLeavesOthersAsTheyAre) {
  for (const char* pod : {"a", "b"}) {
    given_.Add(MakeGroup(pod, "q", 1)).Add(MakeRunningPod(pod, pod, {{"cpu", "1"}}, "n1"));
    kube::Reservation object = *Object(std::string("r-") + pod);
    object.meta.labels.Set(annotations::kMigratingPod, pod);
    Add(std::make_shared<const kube::Reservation>(std::move(object)));
    Hold(std::string("r-") + pod, 0, "n2");
  }
  EXPECT_EQ(HeldIn("q"), 2000);
  all().Remove("ns", "r-a");
  given_.Add(MakeGroup("c", "other", 1));  // a job finds its queue: all moves are looked at
  EXPECT_EQ(HeldIn("q"), 2000);
  EXPECT_FALSE(all().moves().empty());
}

// ---- pods that name one

class ReservationRefusalTest : public ReservationsTest {
 protected:
  std::string Refusal(const std::string& job = "g") {
    const ReservationRefusal refusal = RefusalOf(given_.cluster, given_.job(job));
    return refusal.reason.empty() ? "none" : fmt::format("{}: {}", refusal.reason, refusal.message);
  }
  void AddNaming(const std::string& name, const std::string& reservation, bool web = true) {
    kube::Pod pod = WebPod(name, "g");
    if (!web) pod.meta.labels.Set("app", "db");
    if (!reservation.empty()) pod.meta.annotations.Set(annotations::kReservationName, reservation);
    given_.Add(std::move(pod));
  }
};

TEST_F(ReservationRefusalTest, IsOfTheFirstReasonThatHolds) {
  given_.Add(MakeGroup("g", "q", 1));
  AddNaming("plain", "");
  EXPECT_EQ(Refusal(), "none");
  AddNaming("g-a-1", "r");
  EXPECT_EQ(Refusal(), "InvalidReservation: there is no reservation r in namespace ns");
  Add(Object("r"));
  EXPECT_EQ(Refusal(), "InvalidReservation: reservation r is not Available but Pending");
  Hold("r", 0, "n1");
  EXPECT_EQ(Refusal(), "none");
  AddNaming("g-a-2", "r", /*web=*/false);
  AddNaming("g-a-0", "r", /*web=*/false);
  EXPECT_EQ(Refusal(),
            "ReservationOwnerNotMatch: reservation r is for others: pod g-a-0 matches none of its "
            "owners")
      << "the first in the order of the job's pods";
}

TEST_F(ReservationRefusalTest, AGangNeedsAPlaceForEachThatItNeedsToStart) {
  given_.Add(MakeGroup("g", "q", 3));
  for (const char* name : {"a", "b", "c"}) AddNaming(name, "r");
  Add(Object("r", 2));
  for (std::size_t slot : {0, 1}) Hold("r", slot, "n1");
  EXPECT_EQ(
      Refusal(),
      "ReservationSpecNotMatch: reservation r has room for 2 of the 3 pods that are needed to "
      "start: their template differs, or they are more than it has left");
  AddNaming("d", "");
  EXPECT_EQ(Refusal(), "none") << "one that names none finds its own place";
}

TEST_F(ReservationRefusalTest, AGroupNamesItForAllItsPodsAndAPodForItself) {
  kube::PodGroup group = MakeGroup("g", "q", 1);
  group.meta.annotations.Set(annotations::kReservationName, "of-group");
  given_.Add(std::move(group));
  AddNaming("by-group", "");
  AddNaming("by-itself", "r");
  const auto named = [&](const char* pod) {
    return std::string(ReservationUser(given_.cluster, given_.job("g"), given_.task(pod)).named());
  };
  EXPECT_EQ(named("by-group"), "of-group");
  EXPECT_EQ(named("by-itself"), "r") << "its own word comes first";
  given_.Add(MakeGroup("h", "q", 1));
  kube::Pod pod = WebPod("alone", "h");
  pod.meta.annotations.Set(annotations::kReservationName, "r");
  given_.Add(std::move(pod));
  EXPECT_EQ(ReservationUser(given_.cluster, given_.job("h"), given_.task("alone")).named(), "r");
  EXPECT_EQ(NamedReservation(*given_.task("alone").pod, nullptr), "r");
  EXPECT_EQ(NamedReservation(*given_.task("by-group").pod, nullptr), "");
}

TEST_F(ReservationsTest, APodIsOfferedFreeSlotsOfTheOldestThatServesIt) {
  Add(Object("young", 2, 9));
  Add(Object("old", 2, 5));
  for (std::size_t slot : {0, 1}) {
    Hold("young", slot, "n1");
    Hold("old", slot, "n2");
  }
  given_.Add(MakeGroup("g", "q", 1));
  AddWebPod("p", "g");
  const auto offered = [&](std::size_t most) {
    std::vector<std::string> names;
    for (const ReservedSlot* slot :
         ReservationUser(given_.cluster, given_.job("g"), given_.task("p")).Slots(most)) {
      names.push_back(given_.cluster.task(slot->id).name());
    }
    return names;
  };
  EXPECT_THAT(offered(3),
              ElementsAre("reservation:old:t:0", "reservation:old:t:1", "reservation:young:t:0"));
  EXPECT_THAT(offered(1), ElementsAre("reservation:old:t:0"));
  all().Remove("ns", "old");
  EXPECT_THAT(offered(9), ElementsAre("reservation:young:t:0", "reservation:young:t:1"));
}

}  // namespace
}  // namespace basalt::model
