// What wakes jobs that wait: what has happened since they were refused, and nothing else.
#include <gtest/gtest.h>

#include <string>

#include "model/annotations.h"
#include "model/cluster.h"
#include "testing/model/test_cluster.h"

namespace basalt::model {
namespace {

using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

// Queue q with 8 CPUs on node n1, of which "runs" has 2; "waits" is refused.
class ClusterParkingTest : public testing::Test {
 protected:
  ClusterParkingTest() {
    given_.Add(MakeQueue("root")).Add(MakeQueue("q"));
    given_.Add(MakeNode("n1", {{"cpu", "8"}, {"memory", "1Gi"}}));
    given_.Add(MakeGroup("g", "q", 1)).Add(MakeRunningPod("runs", "g", {{"cpu", "2"}}, "n1"));
    given_.Add(MakeGroup("w", "q", 1)).Add(MakePod("waits", "w", {{"cpu", "7"}}));
    Settle();
  }
  // All that has happened is known.
  void Settle() {
    given_.cluster.WakeParked({});
    given_.cluster.EndOfLook();
  }
  void Park(const Waits& waits, const std::string& job = "w") {
    given_.cluster.Settle(given_.job(job).id);
    given_.cluster.Park(given_.job(job).id, "like " + job, waits);
  }
  bool IsActive(const std::string& job = "w") const {
    return given_.job(job).list == Job::List::kActive;
  }
  bool WakesFor(Happening kind) const { return given_.cluster.WouldWake(Waits::For({kind})); }
  // Room on a node for so many CPUs.
  static Waits ForCpus(double cpus, bool leaving = false) {
    Waits waits;
    waits.room = true;
    waits.least = Amounts(cpus * 1000, 0);
    waits.leaving = leaving;
    return waits;
  }
  Waits ForQueue(const std::string& queue) const {
    Waits waits;
    waits.queue = given_.queue(queue).id;
    return waits;
  }

  TestCluster given_;
};

TEST_F(ClusterParkingTest, NothingThatHappenedWakesNobody) {
  for (int kind = 0; kind < kHappenings; ++kind) {
    EXPECT_FALSE(WakesFor(static_cast<Happening>(kind))) << kind;
  }
  EXPECT_FALSE(given_.cluster.WouldWake(ForCpus(1)));
  EXPECT_FALSE(given_.cluster.WouldWake(ForCpus(1, /*leaving=*/true)));
  EXPECT_FALSE(given_.cluster.WouldWake(ForQueue("q")));
  EXPECT_FALSE(given_.cluster.WouldWake({}));
}

// What an event is, as those who wait for a kind of events see it.
TEST_F(ClusterParkingTest, EventsAreOfTheirKinds) {
  struct Row {
    const char* name;
    void (*make)(TestCluster& given);
    Happenings kinds;
  };
  using enum Happening;
  for (const Row& row : std::vector<Row>{
           {"a pod comes",
            [](TestCluster& given) {
              given.Add(MakePod("new", "", {{"cpu", "1"}}));
            },
            {kPod}},
           {"a pod comes on a node",
            [](TestCluster& given) {
              given.Add(MakeRunningPod("new", "", {{"cpu", "1"}}, "n1"));
            },
            {kPod, kArrival}},
           {"a pod goes",
            [](TestCluster& given) { given.cluster.RemovePod("ns", "runs"); },
            {kPod, kDeparture}},
           {"a pod that waits goes",
            [](TestCluster& given) { given.cluster.RemovePod("ns", "waits"); },
            {kPod}},
           {"a bind was refused",
            [](TestCluster& given) { given.cluster.Correct(given.task("runs").id, {}); },
            {kDeparture}},
           {"a pod was found on a node",
            [](TestCluster& given) {
              given.cluster.Correct(given.task("waits").id,
                                    {.status = TaskStatus::kBound, .node = given.node("n1").id});
            },
            {kArrival}},
           {"a move of a cycle is none",
            [](TestCluster& given) { given.cluster.Move(given.task("runs").id, {}); },
            {}},
           {"a group comes",
            [](TestCluster& given) { given.Add(MakeGroup("new", "q", 1)); },
            {kPod}},
           {"a pod of no group gets its shadow",
            [](TestCluster& given) {
              given.Add(MakePod("lone", "shadow", {{"cpu", "1"}}));
              given.cluster.WakeParked({});
              given.cluster.SetShadow(given.task("lone").id,
                                      std::make_shared<const kube::PodGroup>(), "q");
            },
            {kPod}},
           {"a group goes",
            [](TestCluster& given) { given.cluster.RemoveGroup("ns", "w"); },
            {kPod}},
           {"a queue comes", [](TestCluster& given) { given.Add(MakeQueue("r")); }, {kQueue}},
           {"a queue changes", [](TestCluster& given) { given.Add(MakeQueue("q", 5)); }, {kQueue}},
           {"a queue is told again", [](TestCluster& given) { given.Add(MakeQueue("q")); }, {}},
           {"a node comes",
            [](TestCluster& given) {
              given.Add(MakeNode("n2", {{"cpu", "1"}}));
            },
            {kNode}},
           {"a node goes", [](TestCluster& given) { given.cluster.RemoveNode("n1"); }, {kNode}},
           {"a job becomes more important",
            [](TestCluster& given) { given.cluster.SetJobPriority(given.job("w").id, 7); },
            {kPriority}},
           {"a job stays as important as it was",
            [](TestCluster& given) { given.cluster.SetJobPriority(given.job("w").id, 0); },
            {}}}) {
    TestCluster given;
    given.Add(MakeQueue("root")).Add(MakeQueue("q"));
    given.Add(MakeNode("n1", {{"cpu", "8"}, {"memory", "1Gi"}}));
    given.Add(MakeGroup("g", "q", 1)).Add(MakeRunningPod("runs", "g", {{"cpu", "2"}}, "n1"));
    kube::PodGroup waits = MakeGroup("w", "q", 1);
    waits.min_resources = testutil::Resources({{"cpu", "7"}});
    given.Add(std::move(waits)).Add(MakePod("waits", "w", {{"cpu", "7"}}));
    given.cluster.WakeParked({});
    given.cluster.EndOfLook();
    row.make(given);
    for (int kind = 0; kind < kHappenings; ++kind) {
      const auto happening = static_cast<Happening>(kind);
      if (happening == kTotal) continue;  // a matter of amounts, not of events
      EXPECT_EQ(given.cluster.WouldWake(Waits::For({happening})), row.kinds.Has(happening))
          << row.name << ": " << kind;
    }
  }
}

TEST_F(ClusterParkingTest, ObjectsThatAreOnlyLookedUpCountOnceTheyChange) {
  Park(Waits::For({Happening::kVolume}));
  EXPECT_FALSE(given_.cluster.MayWake());
  kube::StorageClass storage;
  storage.meta.name = "fast";
  given_.cluster.mutable_objects().storage_classes.Set(
      std::make_shared<const kube::StorageClass>(storage));
  EXPECT_TRUE(given_.cluster.MayWake());
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive());
  Park(Waits::For({Happening::kVolume}));
  EXPECT_FALSE(given_.cluster.MayWake()) << "it is known";
  given_.cluster.WakeParked({});
  EXPECT_FALSE(IsActive());
}

TEST_F(ClusterParkingTest, WhatHappensMayWakeSomebodyOnlyWhereSomebodyWaits) {
  given_.cluster.Raise(Happening::kPriority);
  EXPECT_FALSE(given_.cluster.MayWake());
  Settle();
  Park({});
  EXPECT_FALSE(given_.cluster.MayWake());
  given_.cluster.Raise(Happening::kPriority);
  EXPECT_TRUE(given_.cluster.MayWake());
}

TEST_F(ClusterParkingTest, AJobWaitsInOnePlace) {
  Park(ForCpus(7));
  given_.cluster.Park(given_.job("w").id, "like another", ForCpus(7));
  EXPECT_EQ(given_.cluster.parking().buckets(), 1u);
  EXPECT_EQ(given_.cluster.parking().jobs(), 1u);
}

// A pod that is placed may be one that they want to stand beside.
TEST_F(ClusterParkingTest, WhoWaitsForAnArrivalIsLookedAtBesideThoseWhoMayArrive) {
  given_.cluster.Settle(given_.job("g").id);
  Park(Waits::For({Happening::kArrival}));
  given_.cluster.WakeParked({});
  EXPECT_FALSE(IsActive()) << "nobody else is";
  given_.Add(MakeGroup("x", "q", 1)).Add(MakePod("x-0", "x", {{"cpu", "1"}}));
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive());
}

// The first of them may be tried before the pod is placed, and the next after it.
TEST_F(ClusterParkingTest, OfThoseWhoWaitForAnArrivalAllAreLookedAtWhereTheyAreFew) {
  for (const int others : {64, 65}) {
    for (const bool woken : {false, true}) {
      SCOPED_TRACE(testing::Message() << others << (woken ? " woken by a node" : " asleep"));
      TestCluster given;
      given.Add(MakeQueue("root")).Add(MakeQueue("q"));
      for (int i = 0; i <= others; ++i) {
        const std::string name = "w" + std::to_string(i);
        given.Add(MakeGroup(name, "q", 1)).Add(MakePod(name, name, {{"cpu", "1"}}));
        given.cluster.Settle(given.job(name).id);
      }
      given.cluster.WakeParked({});
      for (int i = 0; i <= others; ++i) {
        given.cluster.Park(given.job("w" + std::to_string(i)).id, "alike",
                           Waits::For({Happening::kArrival, Happening::kNode}));
      }
      if (woken) given.cluster.Raise(Happening::kNode);
      given.Add(MakeGroup("x", "q", 1)).Add(MakePod("x", "x", {{"cpu", "1"}}));
      given.cluster.WakeParked({});
      EXPECT_EQ(given.cluster.parking().jobs(), others == 64 ? 0u : 65u);
    }
  }
}

TEST_F(ClusterParkingTest, ANodeThatCameIsRoomForThoseWhomItCouldHold) {
  given_.Add(MakeNode("n2", {{"cpu", "4"}}));
  EXPECT_TRUE(given_.cluster.WouldWake(ForCpus(4)));
  given_.cluster.EndOfLook();
  EXPECT_TRUE(given_.cluster.WouldWake(ForCpus(4))) << "nobody was refused there";
  EXPECT_FALSE(given_.cluster.WouldWake(ForCpus(5)));
}

TEST_F(ClusterParkingTest, RoomHelpsWhereThereIsMoreOfItAndEnough) {
  Park(ForCpus(7));
  given_.cluster.Move(given_.task("runs").id,
                      {.status = TaskStatus::kReleasing, .node = given_.node("n1").id});
  EXPECT_FALSE(given_.cluster.WouldWake(ForCpus(9)));
  EXPECT_TRUE(given_.cluster.WouldWake(ForCpus(8))) << "once it is gone";
  EXPECT_TRUE(given_.cluster.MayWake());
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive());
  EXPECT_FALSE(given_.cluster.MayWake()) << "nobody waits any more";
}

TEST_F(ClusterParkingTest, PodsThatWereLeavingAndAreGoneHelpThoseWhoWaitForThat) {
  given_.cluster.Move(given_.task("runs").id,
                      {.status = TaskStatus::kReleasing, .node = given_.node("n1").id});
  Settle();
  given_.cluster.RemovePod("ns", "runs");
  EXPECT_FALSE(given_.cluster.WouldWake(ForCpus(7))) << "its room was counted on before";
  EXPECT_TRUE(given_.cluster.WouldWake(ForCpus(7, /*leaving=*/true)));
  EXPECT_FALSE(given_.cluster.WouldWake(ForCpus(9, /*leaving=*/true)));
}

TEST_F(ClusterParkingTest, WhatIsOnlySupposedHasNotHappenedAndWhatWasBeforeStays) {
  Park(Waits::ForAnything());
  given_.cluster.WakeParked({});
  ASSERT_FALSE(given_.cluster.MayWake());
  const auto suppose = [&] {
    const Cluster::Supposition supposed(given_.cluster);
    given_.Add(MakeNode("n2", {{"cpu", "4"}}));
    EXPECT_TRUE(given_.cluster.MayWake());
    given_.cluster.RemoveNode("n2");
  };
  suppose();
  EXPECT_FALSE(given_.cluster.MayWake());
  given_.cluster.WakeParked({});
  EXPECT_FALSE(IsActive());
  given_.Add(MakeNode("n3", {{"cpu", "1"}}));
  suppose();
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive());
}

TEST_F(ClusterParkingTest, WhatACycleTriesAndTakesBackHasNotHappened) {
  Park(ForCpus(7));
  given_.cluster.WakeParked({});
  ASSERT_FALSE(IsActive());
  const Holding there = given_.task("runs").holding;
  given_.cluster.Move(given_.task("runs").id, {});
  given_.cluster.Move(given_.task("runs").id, there);
  given_.cluster.WakeParked({});
  EXPECT_FALSE(IsActive());
  EXPECT_FALSE(given_.cluster.MayWake());
}

// The least room that there was while somebody was refused is what counts.
TEST_F(ClusterParkingTest, RoomThatWasTakenAndGivenBackAfterALookIsNews) {
  given_.Add(MakePod("takes", "", {{"cpu", "6"}}));
  given_.cluster.WakeParked({});
  given_.cluster.Move(given_.task("takes").id,
                      {.status = TaskStatus::kAllocated, .node = given_.node("n1").id});
  given_.cluster.EndOfLook();
  Park(ForCpus(6));
  given_.cluster.Move(given_.task("takes").id, {});
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive());
}

TEST_F(ClusterParkingTest, AQueueHelpsWhenItIsLessFullThanWhenItRefused) {
  const auto refuse = [&] {
    given_.cluster.NoteRefusal(given_.queue("q").id);
    Park(ForQueue("q"));
    given_.cluster.WakeParked({});
    return !IsActive();
  };
  ASSERT_TRUE(refuse());
  given_.Add(MakeRunningPod("more", "g", {{"cpu", "1"}}, "n1"));
  given_.cluster.WakeParked({});
  EXPECT_FALSE(IsActive()) << "it is fuller";
  given_.cluster.Correct(given_.task("runs").id, {});
  EXPECT_TRUE(given_.cluster.WouldWake(ForQueue("q")));
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive());
  ASSERT_TRUE(refuse()) << "from here on it is compared with what it is now";
}

// What its own jobs have and what all below it have are two books.
TEST_F(ClusterParkingTest, AQueuesOwnJobsThatLeaveHelpThoughOthersBelowItCame) {
  kube::Queue below = MakeQueue("below");
  below.parent = "q";
  given_.Add(std::move(below)).Add(MakeGroup("b", "below", 1));
  Settle();
  given_.cluster.NoteRefusal(given_.queue("q").id);
  Park(ForQueue("q"));
  given_.Add(MakeRunningPod("other", "b", {{"cpu", "2"}}, "n1"));
  given_.cluster.RemovePod("ns", "runs");
  EXPECT_TRUE(given_.cluster.WouldWake(ForQueue("q")));
}

TEST_F(ClusterParkingTest, PodsThatLeaveAQueueHelpThoseWhoWaitForOneAboveIt) {
  kube::Queue below = MakeQueue("below");
  below.parent = "q";
  given_.Add(std::move(below)).Add(MakeGroup("b", "below", 1));
  given_.Add(MakeRunningPod("other", "b", {{"cpu", "2"}}, "n1"));
  given_.cluster.NoteRefusal(given_.queue("q").id);
  EXPECT_FALSE(given_.cluster.WouldWake(ForQueue("q")));
  given_.cluster.RemovePod("ns", "other");
  EXPECT_TRUE(given_.cluster.WouldWake(ForQueue("q")));
}

TEST_F(ClusterParkingTest, LessThatIsWantedOfAllHelpsThoseWhoWaitForThat) {
  EXPECT_FALSE(WakesFor(Happening::kTotal));
  given_.Add(MakeRunningPod("more", "g", {{"cpu", "1"}}, "n1"));
  EXPECT_FALSE(WakesFor(Happening::kTotal)) << "more is wanted";
  Settle();
  given_.cluster.RemovePod("ns", "more");
  EXPECT_TRUE(WakesFor(Happening::kTotal));
  Settle();
  EXPECT_FALSE(WakesFor(Happening::kTotal));
  given_.Add(MakeNode("n1", {{"cpu", "9"}, {"memory", "1Gi"}}));
  EXPECT_TRUE(WakesFor(Happening::kTotal)) << "there is more of all";
  Settle();
  Park(Waits::For({Happening::kTotal}));
  given_.cluster.WakeParked({});
  EXPECT_FALSE(IsActive());
  given_.cluster.RemovePod("ns", "runs");
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive());
}

TEST_F(ClusterParkingTest, ACheckLooksAtTheFirstOfEachBucketWhateverHasHappened) {
  Park(ForCpus(100));
  given_.cluster.WakeParked({});
  ASSERT_FALSE(IsActive());
  given_.cluster.WakeAllAsCheck();
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive());
  EXPECT_TRUE(given_.job("w").checked) << "if it can go on now, something was missed";
  given_.cluster.EndCheck(given_.job("w").id);
  EXPECT_FALSE(given_.job("w").checked);
  Park(ForCpus(100));
  given_.cluster.WakeParked({});
  EXPECT_FALSE(IsActive()) << "once";
}

TEST_F(ClusterParkingTest, TimeWakesWhomItMayHelp) {
  Waits waits;
  waits.until = Time{} + 60s;
  Park(waits);
  given_.cluster.WakeParked(Time{} + 59s);
  EXPECT_FALSE(IsActive());
  given_.cluster.WakeParked(Time{} + 60s);
  EXPECT_TRUE(IsActive());
  EXPECT_FALSE(given_.job("w").checked);
}

TEST_F(ClusterParkingTest, OfThoseThatAreAlikeTheNextFollowsWhenTheFirstGoesOn) {
  given_.Add(MakeGroup("x", "q", 1)).Add(MakePod("x-0", "x", {{"cpu", "7"}}));
  for (const char* job : {"w", "x"}) {
    given_.cluster.Settle(given_.job(job).id);
    given_.cluster.Park(given_.job(job).id, "alike", ForCpus(7));
  }
  given_.cluster.RemovePod("ns", "runs");
  given_.cluster.WakeWhoGains();
  EXPECT_TRUE(IsActive("w"));
  EXPECT_FALSE(IsActive("x"));
  EXPECT_EQ(given_.cluster.WakeNextAfter(given_.job("w").id), given_.job("x").id);
  EXPECT_TRUE(IsActive("x"));
  EXPECT_FALSE(given_.cluster.WakeNextAfter(given_.job("w").id).valid()) << "once";
  EXPECT_FALSE(given_.cluster.WakeNextAfter(given_.job("x").id).valid()) << "it is the last";
}

TEST_F(ClusterParkingTest, OfThoseThatAreAlikeTheFirstAloneIsWokenHoweverOftenOthersAre) {
  given_.Add(MakeGroup("x", "q", 1)).Add(MakePod("x-0", "x", {{"cpu", "7"}}));
  for (const char* job : {"w", "x"}) {
    given_.cluster.Settle(given_.job(job).id);
    given_.cluster.Park(given_.job(job).id, "alike", Waits::For({Happening::kVolume}));
  }
  given_.cluster.Raise(Happening::kVolume);
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive("w"));
  EXPECT_FALSE(IsActive("x"));
  given_.cluster.WakeWhoGains();
  EXPECT_FALSE(IsActive("x"));
}

// Jobs that are alike, each of which gives a reason.
class TellingOthersTest : public ClusterParkingTest {
 protected:
  static kube::Pod ThatSays(const std::string& job, const std::string& reason) {
    kube::Pod pod = MakePod(job + "-0", job, {{"cpu", "7"}});
    pod.status.conditions.push_back(
        {.type = "PodScheduled", .status = kube::ConditionStatus::kFalse, .reason = reason});
    return pod;
  }
  // The job is news, and active again.
  void Say(const std::string& job, const std::string& reason) { given_.Add(ThatSays(job, reason)); }
  // What we wrote comes back, and is no news.
  void Hear(const std::string& job, const std::string& reason) {
    const Task& task = *given_.cluster.FindTask("ns", job + "-0");
    kube::Pod pod = ThatSays(job, reason);
    pod.meta.uid = task.uid();
    given_.cluster.RefreshPod(task.id, std::make_shared<const kube::Pod>(std::move(pod)));
  }
  void AddThatSays(const std::string& job, const std::string& reason) {
    given_.Add(MakeGroup(job, "q", 1));
    Say(job, reason);
    ParkAt(job, 0s);
  }
  void ParkAt(const std::string& job, Duration at) {
    given_.cluster.Settle(given_.job(job).id);
    given_.cluster.Park(given_.job(job).id, "alike", ForCpus(7), Time{} + at);
  }
  int Active() const {
    int active = 0;
    for (const JobId id : given_.cluster.active_jobs()) {
      active += !given_.cluster.job(id).pending.empty() && given_.cluster.job(id).name != "w";
    }
    return active;
  }
};

TEST_F(TellingOthersTest, WhereOneIsToldAnotherReasonThoseLikeItAreLookedAtToo) {
  for (const char* job : {"a", "b", "c"}) AddThatSays(job, "WaitingForQueue");
  EXPECT_EQ(Active(), 0);
  Say("b", "Unschedulable");
  Say("a", "Unschedulable");
  ParkAt("b", 1s);
  ParkAt("a", 1s);
  EXPECT_FALSE(IsActive("a"));
  EXPECT_FALSE(IsActive("b"));
  EXPECT_TRUE(IsActive("c")) << "it says WaitingForQueue still";
  Say("c", "Unschedulable");
  ParkAt("c", 2s);
  ParkAt("a", 60s);
  EXPECT_EQ(Active(), 0) << "all say the same";
  EXPECT_EQ(given_.cluster.CheckLedgers(), "");
}

TEST_F(TellingOthersTest, AReasonThatComesAndGoesIsToldNowAndThenOnly) {
  for (const char* job : {"a", "b"}) AddThatSays(job, "WaitingForQueue");
  Say("a", "Unschedulable");
  ParkAt("a", 1s);
  EXPECT_TRUE(IsActive("b"));
  Say("b", "Unschedulable");
  ParkAt("b", 1s);
  Say("a", "WaitingForQueue");
  ParkAt("a", 12s);
  EXPECT_FALSE(IsActive("b")) << "so soon";
  ParkAt("a", 61s);
  EXPECT_TRUE(IsActive("b")) << "it has not been forgotten";
}

TEST_F(TellingOthersTest, WhereAllSaidTheSameBeforeNothingHasBeenTold) {
  for (const char* job : {"a", "b"}) AddThatSays(job, "");
  for (const char* job : {"a", "b"}) Hear(job, "WaitingForQueue");
  ParkAt("a", 1s);
  EXPECT_FALSE(IsActive("b")) << "it says the same";
  Say("a", "Unschedulable");
  ParkAt("a", 2s);
  EXPECT_TRUE(IsActive("b"));
}

TEST_F(TellingOthersTest, OfVeryManySomeAreToldAtATime) {
  AddThatSays("first", "WaitingForQueue");
  for (int i = 0; i < 1500; ++i) AddThatSays("j" + std::to_string(i), "WaitingForQueue");
  Say("first", "Unschedulable");
  ParkAt("first", 1s);
  EXPECT_EQ(Active(), 1000);
  for (int i = 0; i < 1500; ++i) {
    const std::string job = "j" + std::to_string(i);
    if (!IsActive(job)) continue;
    Say(job, "Unschedulable");
    ParkAt(job, 2s);
  }
  EXPECT_EQ(Active(), 0);
  ParkAt("first", 61s);
  EXPECT_EQ(Active(), 500);
}

TEST_F(ClusterParkingTest, NewsAboutAJobBringItBackAndOnlyThat) {
  const auto parked = [&] { return given_.job("w").parked(); };
  Park({});
  given_.Add(MakePod("other", "g", {{"cpu", "1"}}));
  EXPECT_TRUE(parked());
  given_.Add(MakePod("waits-too", "w", {{"cpu", "1"}}));
  EXPECT_FALSE(parked());
  Park({});
  given_.cluster.SetJobPriority(given_.job("w").id, 3);
  EXPECT_FALSE(parked());
  Park({});
  given_.cluster.Correct(given_.task("waits").id, {.resting = true});
  EXPECT_FALSE(parked());
  Park({});
  given_.cluster.SetUngating(given_.task("waits").id, true);
  given_.cluster.UngateRefused(given_.task("waits").id);
  EXPECT_FALSE(parked());
  EXPECT_FALSE(given_.task("waits").ungating) << "it may be tried again";
  Park({});
  given_.cluster.UnparkAll();
  EXPECT_FALSE(parked());
  EXPECT_EQ(given_.cluster.parking().jobs(), 0u);
  Park({});
  given_.cluster.PutInQueue(given_.job("w").id, "other");
  EXPECT_FALSE(parked());
  Park({});
  given_.cluster.RemoveGroup("ns", "w");
  EXPECT_FALSE(parked()) << "there is no group that could be looked at";
}

TEST_F(ClusterParkingTest, WhoIsParkedIsKnownByNamespace) {
  EXPECT_EQ(given_.cluster.ParkedIn("ns"), nullptr);
  Park({});
  ASSERT_NE(given_.cluster.ParkedIn("ns"), nullptr);
  EXPECT_TRUE(given_.cluster.ParkedIn("ns")->contains(given_.job("w").id));
  EXPECT_EQ(given_.cluster.ParkedIn("other"), nullptr);
  given_.cluster.Unpark(given_.job("w").id);
  EXPECT_EQ(given_.cluster.ParkedIn("ns"), nullptr);
  EXPECT_EQ(given_.cluster.CheckLedgers(), "");
}

TEST_F(ClusterParkingTest, AQueueThatIsDroppedWakesThoseWhoWaitedForIt) {
  given_.Add(MakeQueue("short-lived"));
  Settle();
  Park(ForQueue("short-lived"));
  given_.cluster.WakeParked({});
  given_.cluster.RemoveQueue("short-lived");
  EXPECT_TRUE(given_.cluster.MayWake());
  given_.cluster.WakeParked({});
  EXPECT_TRUE(IsActive());
}

TEST_F(ClusterParkingTest, AJobWhosePodsAreOfAnotherClassIsLookedAtAgain) {
  kube::Pod pod = MakePod("waits", "w", {{"cpu", "7"}});
  pod.meta.labels.Set("app", "web");
  given_.Add(std::move(pod));
  Park({});
  kube::Pod rule = MakePod("rule", "", {{"cpu", "1"}});
  rule.spec.affinity.emplace().pod_anti.required.emplace_back().label_selector =
      kube::LabelSelector::Parse("app=web").value();
  given_.Add(std::move(rule));
  EXPECT_TRUE(given_.job("w").parked());
  given_.cluster.SplitClasses();
  EXPECT_FALSE(given_.job("w").parked()) << "what refused it may not be what it is now";
}

TEST_F(ClusterParkingTest, ANodeThatIsAsFullAfterALookAsBeforeItIsNoNews) {
  const Holding there = given_.task("runs").holding;
  given_.cluster.Move(given_.task("runs").id, {});
  given_.cluster.Move(given_.task("runs").id, there);
  given_.cluster.EndOfLook();
  EXPECT_FALSE(given_.cluster.WouldWake(ForCpus(1)));
  EXPECT_FALSE(given_.cluster.WouldWake(ForCpus(1, /*leaving=*/true)));
}

}  // namespace
}  // namespace basalt::model
