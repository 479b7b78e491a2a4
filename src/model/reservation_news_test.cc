// What is said of reservations as they change: their statuses, and who is woken.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/annotations.h"
#include "model/reservation_use.h"
#include "model/reservations.h"
#include "model/reservations_test_util.h"

namespace basalt::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeGroup;
using testutil::MakePod;
using Phase = kube::ReservationPhase;
using ReservationNewsTest = ReservationsTest;

TEST_F(ReservationNewsTest, AStatusIsWrittenOnceAndAgainWhenSomebodyElseChangedIt) {
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

TEST_F(ReservationNewsTest, AnOlderStatusOfOursThatComesBackIsNobodyElses) {
  Add(Object("r", 2));
  all().SayWaiting(given_.cluster.task(record("r").slots[0].id), "Unschedulable", "full");
  EXPECT_THAT(Changed(), ElementsAre("r: Pending"));
  kube::Reservation first = *Object("r", 2);
  first.status = record("r").status;
  for (std::size_t slot : {0, 1}) Hold("r", slot, "n1");
  EXPECT_THAT(Changed(), ElementsAre("r: Available"));
  EXPECT_FALSE(all().Refresh(std::make_shared<const kube::Reservation>(first)));
  all().NotePlaced(given_.cluster.task(record("r").slots[0].id));
  EXPECT_THAT(Changed(), IsEmpty()) << "the newer one is under way";
  // The same once more is not ours: that has come back already.
  EXPECT_TRUE(all().Refresh(std::make_shared<const kube::Reservation>(first)));
}

TEST_F(ReservationNewsTest, WhoeverComesWithAnOlderStatusOfOursIsNews) {
  Add(Object("r"));
  all().SayWaiting(given_.cluster.task(record("r").slots[0].id), "Unschedulable", "full");
  Changed();
  kube::Reservation other = *Object("r");
  other.owners.clear();
  other.status = record("r").status;
  Hold("r", 0, "n1");
  Changed();
  EXPECT_TRUE(all().Refresh(std::make_shared<const kube::Reservation>(other)));
}

TEST_F(ReservationNewsTest, AStatusFollowsWhateverIsLearntOfItsTasks) {
  Add(Object("r"));
  EXPECT_THAT(Changed(), IsEmpty());
  const TaskId id = record("r").slots[0].id;
  all().SayWaiting(given_.cluster.task(id), "Unschedulable", "full");
  EXPECT_THAT(Changed(), ElementsAre("r: Pending"));
  given_.cluster.Move(id, {.status = TaskStatus::kBound, .node = node("n1")});
  EXPECT_THAT(Changed(), ElementsAre("r: Available"));
  all().NotePlaced(given_.cluster.task(id));
  EXPECT_THAT(Changed(), ElementsAre("r: Available still")) << "now it says where";
  given_.cluster.Move(id, {.status = TaskStatus::kSucceeded});
  EXPECT_THAT(Changed(), ElementsAre("r: Succeeded"));
  all().NoteTaker(id, AddWebPod("a", "a").id);
  EXPECT_THAT(Changed(), ElementsAre("r: Available")) << "nothing is taken for good";
}

TEST_F(ReservationNewsTest, OneThatReservesNothingHasAllThatItWants) {
  Add(Object("r", 0));
  EXPECT_THAT(Changed(), ElementsAre("r: Succeeded"));
}

TEST_F(ReservationNewsTest, WhatIsAllocatedIsWhatTheTasksAskForThatAreHeld) {
  kube::Reservation object = *Object("r");
  object.tasks.insert(object.tasks.begin(), {.name = "unwanted", .replicas = 0});
  Add(std::make_shared<const kube::Reservation>(std::move(object)));
  Hold("r", 0, "n1");
  Changed();
  EXPECT_EQ(record("r").status.allocatable.Get("cpu").ToString(), "1");
}

TEST_F(ReservationNewsTest, TheCurrentOwnerIsWhoTookLastWhicheverSlot) {
  kube::Reservation object = *Object("r", 4);
  object.status.placements = {{.task = "t", .index = 3, .node = "n1", .phase = Phase::kSucceeded}};
  Add(std::make_shared<const kube::Reservation>(std::move(object)));
  all().Restore();  // who took the last one is not known any more
  for (std::size_t slot : {0, 1, 2}) Hold("r", slot, "n1");
  const auto taken = [&](const std::string& pod, std::size_t slot) {
    AddWebPod(pod, pod);
    TakeOver(pod, "r", slot, TaskStatus::kBound);
    all().SettleTakes();
    Changed();
    return record("r").status.current_owner->name;
  };
  EXPECT_EQ(taken("a", 1), "a");
  EXPECT_EQ(taken("b", 0), "b");
  EXPECT_EQ(taken("c", 2), "c");
}

TEST_F(ReservationNewsTest, OneThatIsDeletedIsNotSpokenOfAnyMore) {
  for (const char* name : {"gone", "kept"}) {
    Add(Object(name));
    Hold(name, 0, "n1");
  }
  all().Remove("ns", "gone");
  EXPECT_FALSE(all().FreshIndex().empty());
  AddWebPod("p", "g");
  EXPECT_THAT(ReservationUser(given_.cluster, given_.job("g"), given_.task("p")).Slots(9),
              ElementsAre(&record("kept").slots[0]));
  EXPECT_THAT(Changed(), ElementsAre("kept: Available"));
}

TEST_F(ReservationNewsTest, WhereNobodyDecidesThereAreNone) {
  Add(Object("a", 1, 0, R"(,"expires":"1970-01-01T00:01:00Z")"));
  Add(Object("b"));
  Hold("b", 0, "n1");
  all().RemoveAll();
  EXPECT_TRUE(all().empty());
  EXPECT_FALSE(all().has_news());
  EXPECT_EQ(all().next_end(), std::nullopt);
  EXPECT_EQ(HeldIn("q"), 0);
}

TEST_F(ReservationNewsTest, TheIndexHasThoseWithAFreeSlotAndNoOthers) {
  Add(Object("r"));
  const TaskId id = record("r").slots[0].id;
  EXPECT_TRUE(all().FreshIndex().empty());
  given_.cluster.Move(id, {.status = TaskStatus::kBound, .node = node("n1")});
  EXPECT_FALSE(all().FreshIndex().empty());
  given_.cluster.Move(id, {});
  EXPECT_TRUE(all().FreshIndex().empty());
}

TEST_F(ReservationNewsTest, AWriteThatFailedIsMadeAgainForTheSameObject) {
  Add(Object("r"));
  Hold("r", 0, "n1");
  EXPECT_THAT(Changed(), ElementsAre("r: Available"));
  all().WriteFailed("ns", "r", "another");
  all().WriteFailed("ns", "gone", "u-r");
  EXPECT_THAT(Changed(), IsEmpty());
  all().WriteFailed("ns", "r", "u-r");
  EXPECT_THAT(Changed(), ElementsAre("r: Available still"));
}

TEST_F(ReservationNewsTest, TheFirstTaskWithoutAPlaceSaysWhyItHasNone) {
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

// ---- who is woken

TEST_F(ReservationNewsTest, NewsOfAReservationWakeThoseWhoNameItOrMayUseIt) {
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

TEST_F(ReservationNewsTest, WhatIsGivenBackIsNewsToThoseWhoMayUseIt) {
  Add(Object("r"));
  Hold("r", 0, "n1");
  AddWebPod("a", "a");
  TakeOver("a", "r", 0);
  all().WakeThoseServed();
  Move("a", {});
  all().SettleTakes();
  EXPECT_TRUE(all().has_news());
}

// Which is the order in which a cycle looks at them, the same in every run.
TEST_F(ReservationNewsTest, JobsAreWokenInTheOrderOfTheirNumbers) {
  std::vector<JobId> jobs;
  for (int i = 0; i < 20; ++i) {
    const std::string name = fmt::format("g{}", i);
    given_.Add(MakeGroup(name, "q", 1));
    AddWebPod(name, name);
    jobs.push_back(given_.job(name).id);
    given_.cluster.Settle(jobs.back());
    given_.cluster.Park(jobs.back(), name, {});
  }
  ASSERT_THAT(given_.cluster.active_jobs(), IsEmpty());
  const JobId reserved = Add(Object("r")).job;
  all().WakeThoseServed();
  jobs.insert(jobs.begin(), reserved);
  EXPECT_EQ(given_.cluster.active_jobs(), jobs);
}

TEST_F(ReservationNewsTest, OtherOwnersAreNewsToThoseWhomTheyAre) {
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

}  // namespace
}  // namespace basalt::model
