// Which jobs wait until the next session, and for what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/annotations.h"
#include "scheduler/framework/session_test_util.h"

namespace basalt::scheduler {
namespace {

using model::Happening;
using model::TaskStatus;
using model::Waits;
using testing::ElementsAre;
using testing::IsEmpty;
using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

using SessionParkingTest = SessionCycleTest;

TEST_F(SessionParkingTest, AJobThatIsStuckWaitsAndOneThatTimeMayHelpDoesNot) {
  const model::Job& stuck = AddWaiting("stuck");
  const model::Job& timed = AddWaiting("timed", "q", "2");
  const model::Job& decided = AddWaiting("decided", "q", "3");
  const model::Job& promised = AddWaiting("promised", "q", "1500m");
  given_.cluster.Move(given_.task("promised-0").id,
                      {.status = TaskStatus::kPipelined, .node = given_.node("n1").id});
  const model::Job& ungating = AddWaiting("ungating", "q", "2500m");
  given_.cluster.SetUngating(given_.task("ungating-0").id, true);
  const model::Job& nominated = AddWaiting("nominated", "q", "3500m");
  kube::Pod pod = *given_.task("nominated-0").pod;
  pod.status.nominated_node_name = "n1";
  given_.Add(std::move(pod));
  const auto session = Open();
  session->DependsOnTime(timed);
  LetIn(*session, decided);
  session->Close();
  EXPECT_TRUE(stuck.parked());
  EXPECT_FALSE(timed.parked());
  EXPECT_FALSE(decided.parked());
  EXPECT_FALSE(promised.parked());
  EXPECT_FALSE(ungating.parked());
  EXPECT_FALSE(nominated.parked());
}

TEST_F(SessionParkingTest, AJobForWhichSomethingIsDecidedWaitsNoMore) {
  const model::Job& a = AddWaiting("a");
  given_.Add(MakeRunningPod("a-1", "a", {{"cpu", "1"}}, "n1"));
  ParkFor(a, Waits::For({Happening::kVolume}));  // it runs from now on: that is news
  ParkFor(a, Waits::For({Happening::kVolume}));
  ASSERT_TRUE(a.parked());
  const auto session = Open();
  Statement statement(*session);
  statement.Evict(given_.task("a-1").id, "test");
  statement.Commit();
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionParkingTest, SoDoesOneWhosePodIsLetThroughItsGate) {
  const model::Job& a = AddWaiting("a");
  kube::Pod pod = *given_.task("a-0").pod;
  const std::string gate(model::annotations::kQueueAllocationGate);
  pod.meta.annotations.Set(gate, "true");
  pod.spec.scheduling_gates = {gate};
  given_.Add(std::move(pod));
  ParkFor(a, Waits::For({Happening::kVolume}));
  ASSERT_TRUE(a.parked());
  Ungate(*Open(), given_.task("a-0"));
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionParkingTest, WhereNobodyParksEverybodyIsLookedAt) {
  AddWaiting("a");
  const auto session = Open();
  session->SetParking(false);
  session->Close();
  EXPECT_THAT(Active(), ElementsAre("a"));
}

TEST_F(SessionParkingTest, AJobIsWokenByWhatItWaitsForAlone) {
  const model::Job& a = AddWaiting("a");
  for (const Happening helps : {Happening::kBudget, Happening::kVolume}) {
    const auto session = Open();
    session->Needs(a, Waits::For({Happening::kBudget}));
    session->Needs(a, Waits::For({Happening::kVolume}));
    session->Close();
    given_.cluster.Raise(Happening::kQuota);
    Open();
    EXPECT_TRUE(a.parked());
    given_.cluster.Raise(helps);
    Open();
    EXPECT_FALSE(a.parked());
  }
}

TEST_F(SessionParkingTest, OneThatLacksPodsWaitsForNothingButThem) {
  opinions_.invalid = {"a"};
  const model::Job& a = AddWaiting("a");
  Open()->Close();
  ASSERT_TRUE(a.parked());
  for (int kind = 0; kind < model::kHappenings; ++kind) {
    given_.cluster.Raise(static_cast<Happening>(kind));
  }
  Open();
  EXPECT_TRUE(a.parked());
  given_.Add(MakePod("a-1", "a", {{"cpu", "1"}}));
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionParkingTest, OneOfWhichNothingIsKnownWaitsForAnything) {
  const model::Job& a = AddWaiting("a");
  Open()->Close();
  ASSERT_TRUE(a.parked());
  given_.cluster.Raise(Happening::kPriority);
  Open();
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionParkingTest, WhereOthersMayBeEvictedAStarvingJobWaitsForAnything) {
  opinions_.starving = {"a"};
  const model::Job& a = AddWaiting("a");
  for (const char* action : {"preempt", "reclaim", "backfill"}) {
    UseActions({"allocate", action});
    ParkFor(a, Waits::For({Happening::kVolume}));
    ASSERT_TRUE(a.parked());
    given_.cluster.Raise(Happening::kPriority);
    Open();
    EXPECT_EQ(a.parked(), action == std::string_view("backfill")) << action;
  }
}

TEST_F(SessionParkingTest, TimeWakesAJobWhenAPolicySaysThatItMayHelp) {
  const model::Job& a = AddWaiting("a");
  opinions_.changes_at = kTestNow + 10s;
  const auto session = Open();
  session->Needs(a, Waits::For({Happening::kVolume}));
  session->Close();
  EXPECT_EQ(session->wake_at(), kTestNow + 10s);
  Open(kTestNow + 9s);
  EXPECT_TRUE(a.parked());
  Open(kTestNow + 10s);
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionParkingTest, AnotherCycleIsNeededThenWhetherTheJobIsParkedOrNot) {
  AddWaiting("a");
  opinions_.changes_at = kTestNow + 10s;
  const auto awake = Open();
  awake->SetParking(false);
  awake->Close();
  EXPECT_EQ(awake->wake_at(), kTestNow + 10s);
  Open()->Close();
  ASSERT_THAT(Active(), IsEmpty());
  const auto later = Open(kTestNow + 1s);
  later->Close();
  EXPECT_EQ(later->wake_at(), kTestNow + 10s);
}

TEST_F(SessionParkingTest, WhatIsFreedAfterwardsIsNewsAlsoWhereItWasTakenInTheCycleItself) {
  const model::Job& all = AddWaiting("all", "q", "8");
  AddWaiting("some");
  const auto session = Open();
  Place(*session, "some-0");
  session->NeedsNode(given_.task("all-0"), NodeFinder::Room::kChecked);
  session->Close();
  ASSERT_TRUE(all.parked());
  given_.cluster.RemovePod("ns", "some-0");
  Open();
  EXPECT_FALSE(all.parked());
}

TEST_F(SessionParkingTest, OneThatItsQueueRefusesWaitsForRoomThere) {
  given_.Add(MakeGroup("runs", "q", 0)).Add(MakeRunningPod("r", "runs", {{"cpu", "1"}}, "n1"));
  const model::Job& a = AddWaiting("a");
  const auto session = Open();
  session->NeedsQueue(a, {given_.queue("q").id, model::Bit(model::kCpu)});
  session->Close();
  given_.cluster.Raise(Happening::kPriority);
  Open();
  EXPECT_TRUE(a.parked());
  given_.cluster.RemovePod("ns", "r");
  Open();
  EXPECT_FALSE(a.parked());
}

struct GivenUp {
  const char* name;
  std::vector<Happening> waits;
  void (*act)(Statement& statement, const TestCluster& given);
  bool woken = true;
};

class GivenUpTest : public SessionCycleTest, public testing::WithParamInterface<GivenUp> {};

TEST_P(GivenUpTest, IsNewsToThoseThatWaitForIt) {
  given_.Add(MakeGroup("runs", "q", 0)).Add(MakeRunningPod("r", "runs", {{"cpu", "1"}}, "n1"));
  given_.Add(MakePod("promised", "runs", {{"cpu", "1"}})).Add(MakePod("w", "runs", {{"cpu", "1"}}));
  given_.cluster.Move(given_.task("promised").id,
                      {.status = TaskStatus::kPipelined, .node = given_.node("n1").id});
  given_.cluster.Move(given_.task("w").id, {.queue_claim = true});
  const model::Job& a = AddWaiting("a");
  Waits waits;
  for (const Happening one : GetParam().waits) waits.kinds |= {one};
  ParkFor(a, waits);
  ASSERT_TRUE(a.parked());
  {
    const auto session = Open();
    ASSERT_TRUE(a.parked());
    Statement statement(*session);
    GetParam().act(statement, given_);
    statement.Commit();
  }
  Open();
  EXPECT_EQ(!a.parked(), GetParam().woken);
}

INSTANTIATE_TEST_SUITE_P(
    Sessions, GivenUpTest,
    testing::ValuesIn<GivenUp>({
        {.name = "AnEvictionIsADeparture",
         .waits = {Happening::kDeparture},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.Evict(given.task("r").id, "test"); }},
        {.name = "AnEvictionChangesNoVolume",
         .waits = {Happening::kVolume},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.Evict(given.task("r").id, "test"); },
         .woken = false},
        {.name = "APromiseTakenBackIsADeparture",
         .waits = {Happening::kDeparture},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.Unallocate(given.task("promised").id); }},
        {.name = "APlaceIsNoDeparture",
         .waits = {Happening::kDeparture},
         .act =
             [](Statement& statement, const TestCluster& given) {
               statement.Allocate(given.task("w").id, given.node("n1").id);
             },
         .woken = false},
        {.name = "AClaimThatLapsesIsNewsOfAPod",
         .waits = {Happening::kPod},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.LapseQueueClaim(given.task("w").id); }},
        {.name = "AnEvictionIsNoNewsOfAPodBeforeItIsGone",
         .waits = {Happening::kPod},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.Evict(given.task("r").id, "test"); },
         .woken = false},
    }),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(SessionParkingTest, WithinACycleThoseThatGainAreWokenOnceSomethingIsGivenUp) {
  given_.Add(MakeGroup("runs", "q", 0)).Add(MakeRunningPod("r", "runs", {{"cpu", "1"}}, "n1"));
  const model::Job& a = AddWaiting("a");
  ParkFor(a, Waits::For({Happening::kDeparture}));
  const auto session = Open();
  given_.cluster.Raise(Happening::kDeparture);
  session->WakeWhoGains();
  EXPECT_TRUE(a.parked()) << "nobody has given anything up in this cycle";
  Statement statement(*session);
  statement.Evict(given_.task("r").id, "test");
  statement.Commit();
  session->WakeWhoGains();
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionParkingTest, ARehearsalWakesAndParksNobody) {
  const model::Job& a = AddWaiting("a");
  ParkFor(a, Waits::For({Happening::kBudget}));
  given_.cluster.Raise(Happening::kBudget);
  {
    Session rehearsal(given_.cluster, *plugins_, kTestNow, nullptr, nullptr,
                      Session::Purpose::kRehearsal);
    EXPECT_TRUE(a.parked());
    LetIn(rehearsal, a);
    EXPECT_TRUE(a.parked()) << "nothing was decided";
  }
  Open();
  EXPECT_FALSE(a.parked()) << "the news were kept for a cycle";
}

TEST_F(SessionParkingTest, AJobWhoseQueueDoesNotExistWaitsForQueuesAlone) {
  kube::PodGroup group = MakeGroup("lost", "nowhere", 1);
  group.meta.creation_timestamp = kTestNow - 1s;
  given_.Add(std::move(group)).Add(MakePod("lost-0", "lost", {{"cpu", "1"}}));
  const model::Job& lost = given_.job("lost");
  Open(kTestNow - 1ms)->Close();
  ASSERT_FALSE(lost.parked()) << "the queue may be on its way";
  Open()->Close();
  ASSERT_TRUE(lost.parked());
  EXPECT_THAT(Active(), IsEmpty());
  given_.cluster.Raise(Happening::kNode);
  Open();
  EXPECT_TRUE(lost.parked());
  given_.Add(MakeQueue("elsewhere"));
  Open();
  EXPECT_FALSE(lost.parked());
}

// ---- what would help a task that fits no node

struct NeedRow {
  const char* name;
  void (*make)(kube::Pod& pod);
  Happening what;
  bool woken;
};

class NeedsNodeTest : public SessionCycleTest, public testing::WithParamInterface<NeedRow> {};

TEST_P(NeedsNodeTest, IsWhatItsRulesLookAt) {
  given_.Add(MakeGroup("a", "q", 1));
  kube::Pod pod = MakePod("a-0", "a", {{"cpu", "100"}});
  GetParam().make(pod);
  given_.Add(std::move(pod));
  given_.cluster.SplitClasses();
  const auto session = Open();
  session->NeedsNode(given_.task("a-0"), NodeFinder::Room::kChecked);
  session->Close();
  ASSERT_TRUE(given_.job("a").parked());
  given_.cluster.Raise(GetParam().what);
  Open();
  EXPECT_EQ(!given_.job("a").parked(), GetParam().woken);
}

TEST_F(SessionParkingTest, NobodyIsParkedForATaskOfNoJob) {
  given_.Add(MakePod("alone", "", {{"cpu", "100"}}));
  Open()->NeedsNode(given_.task("alone"), NodeFinder::Room::kChecked);
  EXPECT_EQ(given_.cluster.parking().jobs(), 0u);
}

void WithVolume(kube::Pod& pod) {
  kube::Volume volume;
  volume.name = "v";
  volume.kind = kube::Volume::Kind::kPersistentVolumeClaim;
  volume.source = "c";
  pod.spec.volumes.push_back(std::move(volume));
}
void WithSpread(kube::Pod& pod) {
  kube::TopologySpreadConstraint spread;
  spread.topology_key = "zone";
  spread.label_selector = kube::LabelSelector::OfLabels({{"app", "web"}});
  pod.spec.topology_spread_constraints.push_back(std::move(spread));
}
template <bool anti>
void WithPodRule(kube::Pod& pod) {
  kube::PodAffinityTerm term;
  term.topology_key = "zone";
  term.label_selector = kube::LabelSelector::OfLabels({{"app", "web"}});
  kube::Affinity affinity;
  (anti ? affinity.pod_anti : affinity.pod).required.push_back(std::move(term));
  pod.spec.affinity = std::move(affinity);
}

INSTANTIATE_TEST_SUITE_P(
    Sessions, NeedsNodeTest,
    testing::ValuesIn<NeedRow>({
        {"ANodeHelpsAnyPod", [](kube::Pod&) {}, Happening::kNode, true},
        {"AnotherQueueMayUseOtherNodes", [](kube::Pod&) {}, Happening::kQueue, true},
        {"AnArrivalDoesNotHelpAPlainPod", [](kube::Pod&) {}, Happening::kArrival, false},
        {"ANamespaceDoesNotHelpAPlainPod", [](kube::Pod&) {}, Happening::kNamespace, false},
        {"AVolumeDoesNotHelpAPodWithoutOne", [](kube::Pod&) {}, Happening::kVolume, false},
        {"AVolumeHelpsAPodThatNeedsOne", WithVolume, Happening::kVolume, true},
        {"ADepartureHelpsAPodWithAVolume", WithVolume, Happening::kDeparture, true},
        {"AnArrivalHelpsAPodThatSpreads", WithSpread, Happening::kArrival, true},
        {"ADepartureHelpsAPodThatSpreads", WithSpread, Happening::kDeparture, true},
        {"AnArrivalHelpsAPodThatWantsCompany", WithPodRule<false>, Happening::kArrival, true},
        {"AnArrivalDoesNotHelpAPodThatWantsToBeAlone", WithPodRule<true>, Happening::kArrival,
         false},
        {"ADepartureHelpsAPodThatWantsToBeAlone", WithPodRule<true>, Happening::kDeparture, true},
        {"ANamespaceMayChangeWhomARuleIsAbout", WithPodRule<true>, Happening::kNamespace, true},
    }),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(SessionParkingTest, RoomHelpsOnceItIsEnoughUnlessOthersWouldBeEvictedForMore) {
  for (const auto room : {NodeFinder::Room::kChecked, NodeFinder::Room::kIgnored}) {
    given_.Add(MakeRunningPod("most", "", {{"cpu", "4"}}, "n1"));
    given_.Add(MakeRunningPod("little", "", {{"cpu", "1"}}, "n1"));
    const model::Job& a = AddWaiting("a", "q", "8");
    const auto session = Open();
    session->NeedsNode(given_.task("a-0"), room);
    session->Close();
    ASSERT_TRUE(a.parked());
    given_.cluster.RemovePod("ns", "little");
    Open();
    EXPECT_EQ(a.parked(), room == NodeFinder::Room::kChecked);
    given_.cluster.RemovePod("ns", "most");
    Open();
    EXPECT_FALSE(a.parked());
  }
}

TEST_F(SessionParkingTest, ThatThoseWhoLeaveAreGoneHelpsWhoNeedsTheirPortsOrMayEvict) {
  struct Row {
    const char* name;
    NodeFinder::Room room;
    int port;
    bool woken;
  };
  for (const Row& row : {Row{"plain", NodeFinder::Room::kChecked, 0, false},
                         Row{"port", NodeFinder::Room::kChecked, 80, true},
                         Row{"evicts", NodeFinder::Room::kIgnored, 0, true}}) {
    kube::Pod leaves = MakeRunningPod("leaves", "", {{"cpu", "4"}}, "n1");
    leaves.meta.deletion_timestamp = kTestNow;
    given_.Add(std::move(leaves));
    const model::Job& job = AddWaiting(row.name);
    kube::Pod pod = *given_.task(row.name + std::string("-0")).pod;
    pod.spec.containers[0].ports.push_back({.host_port = row.port});
    given_.Add(std::move(pod));
    const auto session = Open();
    session->NeedsNode(*given_.cluster.FindTask("ns", row.name + std::string("-0")), row.room);
    session->Close();
    ASSERT_TRUE(job.parked()) << row.name;
    given_.cluster.RemovePod("ns", "leaves");
    Open();
    EXPECT_EQ(!job.parked(), row.woken) << row.name;
    given_.cluster.RemovePod("ns", row.name + std::string("-0"));  // the next may be like it
  }
}

TEST_F(SessionParkingTest, OneThatAnyNodeWouldRefuseWaitsForItsVolumesOrForAnything) {
  for (const bool with_volume : {true, false}) {
    const std::string name = with_volume ? "volume" : "plain";
    const model::Job& job = AddWaiting(name);
    kube::Pod pod = *given_.task(name + "-0").pod;
    if (with_volume) WithVolume(pod);
    given_.Add(std::move(pod)).Add(MakePod("of-no-job", "", {{"cpu", "1"}}));
    const auto session = Open();
    session->NeedsToPassGate(given_.task(name + "-0"));
    session->NeedsToPassGate(given_.task("of-no-job"));
    session->Close();
    ASSERT_TRUE(job.parked());
    given_.cluster.Raise(Happening::kPriority);
    Open();
    EXPECT_EQ(job.parked(), with_volume);
    given_.cluster.Raise(Happening::kVolume);
    Open();
    EXPECT_FALSE(job.parked());
  }
}

}  // namespace
}  // namespace basalt::scheduler
