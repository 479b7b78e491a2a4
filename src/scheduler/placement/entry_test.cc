// Who comes as far as looking for a place, and what keeps the others back.
#include "scheduler/placement/entry.h"

#include <gmock/gmock.h>

#include "scheduler/placement/placement_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::HasSubstr;
using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakePod;
using testutil::MakeRunningPod;

class EntryTest : public PlacementTestBed {
 protected:
  EntryTest() {
    AddQueue("q", "4");
    AddNode("n1", "8");
  }
  const model::Job& AddPending(std::string name, int min_member, const char* minimum = nullptr) {
    kube::PodGroup group = MakeGroup(name, "q", min_member, kube::PodGroupPhase::kPending);
    if (minimum) group.min_resources = testutil::Resources({{"cpu", minimum}});
    given_.Add(std::move(group));
    return given_.job(name);
  }
  // What was recorded for the job as a whole: said of each of its pods.
  std::string WhyKeptBack(Session& session, const model::Job& job) {
    const std::vector<PodWait> waits = session.WhyPodsWait(job);
    return waits.empty() ? "" : waits.front().message;
  }
};

TEST_F(EntryTest, AJobThatSaysNotWhatItNeedsEntersWithoutAVote) {
  const model::Job& job = AddPending("g", 1);
  given_.Add(MakePod("g-0", "g", {{"cpu", "100"}}));
  EXPECT_TRUE(PassesVote(Open(), job));
}

TEST_F(EntryTest, AJobThatAsksForMoreThanItsQueueMayHaveIsKeptBackAndNodesWouldNotHelp) {
  const model::Job& job = AddPending("g", 1, "5");
  given_.Add(MakePod("g-0", "g", {{"cpu", "5"}}));
  Session& session = Open();
  EXPECT_FALSE(PassesVote(session, job));
  const std::vector<PodWait> waits = session.WhyPodsWait(job);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].message, "queue q has not enough cpu left");
  EXPECT_EQ(waits[0].cause, PodWait::Cause::kJob);
  ASSERT_NE(waits[0].failure, nullptr);
  EXPECT_FALSE(waits[0].failure->nodes_would_help);
  EXPECT_EQ(waits[0].failure->step, FitFailure::Step::kVote);
  EXPECT_TRUE(waits[0].failure->shortfall.exists());
}

TEST_F(EntryTest, AJobThatTheNodesAreTooSmallForWouldBeHelpedByNodes) {
  AddQueue("wide", "100");
  kube::PodGroup group = MakeGroup("g", "wide", 1, kube::PodGroupPhase::kPending);
  group.min_resources = testutil::Resources({{"cpu", "9"}});
  given_.Add(std::move(group)).Add(MakePod("g-0", "g", {{"cpu", "9"}}));
  Session& session = Open();
  EXPECT_FALSE(PassesVote(session, given_.job("g")));
  const std::vector<PodWait> waits = session.WhyPodsWait(given_.job("g"));
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_TRUE(waits[0].failure->nodes_would_help);
}

TEST_F(EntryTest, AJobThatNeitherTheNodesNorItsQueueHaveRoomForIsToldOfItsQueue) {
  const model::Job& job = AddPending("g", 1, "9");  // n1 has 8, q may have 4
  given_.Add(MakePod("g-0", "g", {{"cpu", "9"}}));
  Session& session = Open();
  EXPECT_FALSE(PassesVote(session, job));
  const std::vector<PodWait> waits = session.WhyPodsWait(job);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].reason, reasons::kWaitsForQueue);
  EXPECT_EQ(waits[0].message, "queue q has not enough cpu left");
  EXPECT_FALSE(waits[0].failure->nodes_would_help);
  EXPECT_EQ(waits[0].failure->shortfall.queue, given_.queue("q").id);
}

TEST_F(EntryTest, AJobWhosePodsWereAdmittedBeforeARestartNeedsNoVote) {
  const model::Job& job = AddPending("g", 1, "5");
  AddAtGate("g-0", "g", "5", /*gated=*/false);
  ASSERT_EQ(job.queue_claims, 1);
  EXPECT_TRUE(PassesVote(Open(), job));
}

TEST_F(EntryTest, WhatCannotBeScheduledTakesUpNoRoomInItsQueue) {
  kube::PodGroup group = MakeGroup("g", "q", 1, kube::PodGroupPhase::kPending);
  group.network_topology.emplace().mode = kube::NetworkTopology::Mode::kHard;
  given_.Add(std::move(group)).Add(MakePod("g-0", "g", {{"cpu", "1"}}));
  EXPECT_FALSE(PassesVote(Open(), given_.job("g")));
}

TEST_F(EntryTest, AJobThatIsNotInItsQueueIsNotPlacedWhereAnActionEnqueues) {
  const model::Job& job = AddPending("g", 1);
  given_.Add(MakePod("g-0", "g", {{"cpu", "1"}}));
  EXPECT_FALSE(MayBePlaced(Open(), job));
  EXPECT_TRUE(job.IsPending());
}

TEST_F(EntryTest, AJobWithTooFewPodsIsNotPlaced) {
  given_.Add(MakeGroup("g", "q", 2)).Add(MakePod("g-0", "g", {{"cpu", "1"}}));
  EXPECT_FALSE(MayBePlaced(Open(), given_.job("g")));
  given_.Add(MakePod("g-1", "g", {{"cpu", "1"}}));
  EXPECT_TRUE(MayBePlaced(Open(), given_.job("g")));
}

class EntryWithoutEnqueueTest : public PlacementTestBed {
 protected:
  EntryWithoutEnqueueTest() : PlacementTestBed({"gang", "predicates"}, {"allocate"}) {
    AddQueue("q", "4");
  }
  void EnterAll() {
    Session& session = Open();
    Statement entry(session);
    EnterUnasked(session, entry);
    entry.Commit();
  }
};

TEST_F(EntryWithoutEnqueueTest, AJobIsInItsQueueFromNowOn) {
  given_.Add(MakeGroup("g", "q", 1, kube::PodGroupPhase::kPending));
  given_.Add(MakePod("g-0", "g", {{"cpu", "1"}}));
  EXPECT_FALSE(MayBePlaced(Open(), given_.job("g")));
  EnterAll();
  EXPECT_TRUE(MayBePlaced(Open(), given_.job("g")));
  EXPECT_EQ(given_.job("g").phase, model::JobPhase::kInqueue);
}

TEST_F(EntryWithoutEnqueueTest, AJobThatIsIncompleteIsInItsQueueAndNotPlaced) {
  given_.Add(MakeGroup("g", "q", 2, kube::PodGroupPhase::kPending));
  given_.Add(MakePod("g-0", "g", {{"cpu", "1"}}));
  EnterAll();
  EXPECT_FALSE(MayBePlaced(Open(), given_.job("g")));
  EXPECT_EQ(given_.job("g").phase, model::JobPhase::kInqueue);
}

// ---- the queue's share

class EntryByShareTest : public PlacementTestBed {
 protected:
  EntryByShareTest() : PlacementTestBed({"gang", "predicates", "proportion"}) {
    given_.Add(testutil::MakeNode("n1", {{"cpu", "4"}, {"pods", "2"}}));
    given_.Add(testutil::MakeQueue("mine")).Add(testutil::MakeQueue("theirs"));
    given_.Add(MakeGroup("old", "mine", 1)).Add(MakeGroup("other", "theirs", 1));
    given_.Add(MakePod("other-0", "other", {{"cpu", "4"}}));
    given_.Add(MakeRunningPod("old-0", "old", {{"cpu", "2"}}, "n1"));
    given_.Add(MakeGroup("new", "mine", 1)).Add(MakePod("new-1", "new", {{"cpu", "2"}}));
  }
};

TEST_F(EntryByShareTest, AJobOfAQueueThatHasItsShareWaitsForMore) {
  Session& session = Open();
  EXPECT_TRUE(WaitsForShare(session, given_.job("new")));
  EXPECT_FALSE(WaitsForShare(session, given_.job("other")));
}

TEST_F(EntryByShareTest, AJobWithPodsAtTheGateDoesNotWaitForNodesThatMayStillCome) {
  AddAtGate("new-2", "new", "1");
  EXPECT_FALSE(WaitsForShare(Open(), given_.job("new")));
}

TEST_F(EntryByShareTest, WhoIsKeptBackForTheShareIsToldSoOnceForTheJob) {
  given_.Add(MakePod("new-0", "new", {{"cpu", "1"}}));
  Session& session = Open();
  KeepBackForShare(session, given_.job("new"));
  const std::vector<PodWait> waits = session.WhyPodsWait(given_.job("new"));
  ASSERT_EQ(waits.size(), 2u);
  for (const PodWait& wait : waits) {
    EXPECT_EQ(wait.cause, PodWait::Cause::kJob);
    EXPECT_EQ(wait.message, "queue mine has all that it deserves");
  }
}

TEST_F(EntryByShareTest, NothingIsToldOfAJobThatNobodyWaitsOf) {
  Session& session = Open();
  KeepBackForShare(session, given_.job("old"));
  EXPECT_TRUE(session.WhyPodsWait(given_.job("old")).empty());
}

// ---- at the gate

TEST_F(EntryTest, ATaskNeedsAClaimWhereItOptedInOrItsGangHasNotStarted) {
  given_.Add(MakeGroup("g", "q", 2));
  AddAtGate("opted", "g", "1");
  given_.Add(MakePod("plain", "g", {{"cpu", "1"}}));
  const model::Job& job = given_.job("g");
  EXPECT_TRUE(NeedsClaim(job, given_.task("opted")));
  EXPECT_TRUE(NeedsClaim(job, given_.task("plain"))) << "the gang is admitted as a whole";
  given_.Add(MakeRunningPod("r1", "g", {{"cpu", "1"}}, "n1"));
  EXPECT_TRUE(NeedsClaim(job, given_.task("plain"))) << "one short";
  given_.Add(MakeRunningPod("r2", "g", {{"cpu", "1"}}, "n1"));
  EXPECT_TRUE(NeedsClaim(job, given_.task("opted")));
  EXPECT_FALSE(NeedsClaim(job, given_.task("plain"))) << "it has started without";
}

TEST_F(EntryTest, ATaskIsAdmittedByItsClaimAndByOneThatLapsed) {
  given_.Add(MakeGroup("g", "q", 1));
  AddAtGate("g-0", "g", "1");
  const model::Task& task = given_.task("g-0");
  EXPECT_FALSE(IsAdmitted(given_.job("g"), task));
  given_.cluster.Move(task.id, {.queue_claim = true});
  EXPECT_TRUE(IsAdmitted(given_.job("g"), task));
  given_.cluster.Move(task.id, {.lapsed = true});
  EXPECT_TRUE(IsAdmitted(given_.job("g"), task));
}

TEST_F(EntryTest, ClaimsAreForAsManyAsTheJobNeedsAndThenForOneMoreAtATime) {
  given_.Add(MakeGroup("g", "q", 2));
  for (const char* name : {"g-0", "g-1", "g-2", "g-3"}) AddAtGate(name, "g", "1");
  Session& session = Open();
  Statement claims(session);
  EXPECT_TRUE(AdmitAtGate(session, given_.job("g"), claims).whole);
  EXPECT_EQ(given_.job("g").queue_claims, 2);
  Statement more(session);
  EXPECT_TRUE(AdmitAtGate(session, given_.job("g"), more).whole);
  EXPECT_EQ(given_.job("g").queue_claims, 3);
}

TEST_F(EntryTest, ClaimsAreForAllThatAreNeededOrNone) {
  given_.Add(MakeGroup("g", "q", 3));
  for (const char* name : {"a", "b", "c"}) AddAtGate(name, "g", "2");
  Session& session = Open();
  Statement claims(session);
  const auto [whole, tasks] = AdmitAtGate(session, given_.job("g"), claims);
  EXPECT_FALSE(whole);
  EXPECT_EQ(tasks, 2) << "what the queue could take";
  EXPECT_TRUE(claims.empty());
}

TEST_F(EntryTest, AQueueThatIsFullForALargePodMayTakeASmallerOneOfTheSameJob) {
  given_.Add(MakeGroup("g", "q", 1));
  AddAtGate("large-0", "g", "5");
  AddAtGate("large-1", "g", "5");
  AddAtGate("small", "g", "1");
  Session& session = Open();
  Statement claims(session);
  EXPECT_TRUE(AdmitAtGate(session, given_.job("g"), claims).whole);
  EXPECT_TRUE(given_.task("small").holding.queue_claim);
  EXPECT_FALSE(given_.task("large-0").holding.queue_claim);
  EXPECT_TRUE(session.HasFailure(given_.task("large-0")));
  EXPECT_FALSE(session.HasFailure(given_.task("large-1"))) << "one like it was refused already";
}

TEST_F(EntryTest, ThoseThatNobodyAdmitsAreNotAskedAbout) {
  given_.Add(MakeGroup("g", "q", 1));
  AddAtGate("g-0", "g", "1");
  AddBehindGateOfOthers("held", "g");
  given_.Add(MakePod("free", "g", {}));
  Session& session = Open();
  Statement claims(session);
  EXPECT_TRUE(AdmitAtGate(session, given_.job("g"), claims).whole);
  EXPECT_TRUE(given_.task("g-0").holding.queue_claim);
  EXPECT_FALSE(given_.task("held").holding.queue_claim) << "its gate is not ours";
  EXPECT_FALSE(given_.task("free").holding.queue_claim) << "it needs no room";
}

TEST_F(EntryTest, AJobWithoutPodsAtTheGateNeedsNoClaims) {
  given_.Add(MakeGroup("g", "q", 1)).Add(MakePod("g-0", "g", {{"cpu", "100"}}));
  Session& session = Open();
  Statement claims(session);
  EXPECT_TRUE(AdmitAtGate(session, given_.job("g"), claims).whole);
  EXPECT_TRUE(claims.empty());
}

struct AdmissionCase {
  const char* name;
  int min_member = 2;
  std::vector<std::pair<std::string, int>> roles = {};
  // By pod: its role, and what it is.
  enum class Is { kRunning, kPromised, kClaimed, kAtGate, kBestEffort, kForeign, kGateAlone };
  std::vector<std::pair<std::string, Is>> pods;
  bool enough = true;
};

class EnoughAdmittedTest : public PlacementTestBed,
                           public testing::WithParamInterface<AdmissionCase> {};

TEST_P(EnoughAdmittedTest, CountsThoseThatArePlacedOrMayBe) {
  using Is = AdmissionCase::Is;
  AddQueue("q", "100");
  AddNode("n1", "100");
  kube::PodGroup group = MakeGroup("g", "q", GetParam().min_member);
  group.min_task_member = GetParam().roles;
  given_.Add(std::move(group));
  int number = 0;
  for (const auto& [role, is] : GetParam().pods) {
    const std::string name = "p" + std::to_string(number++);
    kube::Pod pod = is == Is::kRunning ? MakeRunningPod(name, "g", {{"cpu", "1"}}, "n1")
                                       : MakePod(name, "g", {{"cpu", "1"}});
    if (is == Is::kBestEffort) pod = MakePod(name, "g", {});
    pod.meta.annotations.Set(model::annotations::kTaskSpec, role);
    const std::string gate(model::annotations::kQueueAllocationGate);
    if (is == Is::kAtGate || is == Is::kClaimed) pod.meta.annotations.Set(gate, "true");
    if (is == Is::kAtGate || is == Is::kGateAlone) pod.spec.scheduling_gates = {gate};
    if (is == Is::kForeign) pod.spec.scheduling_gates = {"example.com/x"};
    given_.Add(std::move(pod));
    if (is == Is::kPromised) Promise(name, "n1");
  }
  EXPECT_EQ(EnoughAdmitted(given_.cluster, given_.job("g")), GetParam().enough);
}

using Is = AdmissionCase::Is;
INSTANTIATE_TEST_SUITE_P(
    Entry, EnoughAdmittedTest,
    testing::ValuesIn<AdmissionCase>({
        {.name = "TwoThatRun", .pods = {{"", Is::kRunning}, {"", Is::kRunning}}},
        {.name = "OneThatRunsAndOneThatIsPromised",
         .pods = {{"", Is::kRunning}, {"", Is::kPromised}}},
        {.name = "OneThatRunsAndOneWithAClaim", .pods = {{"", Is::kRunning}, {"", Is::kClaimed}}},
        {.name = "OneThatWaitsAtTheGateIsNotAdmitted",
         .pods = {{"", Is::kRunning}, {"", Is::kAtGate}},
         .enough = false},
        {.name = "ABestEffortPodNeedsNoRoom", .pods = {{"", Is::kRunning}, {"", Is::kBestEffort}}},
        {.name = "OneBehindAGateOfOthersDoesNotCount",
         .pods = {{"", Is::kRunning}, {"", Is::kForeign}},
         .enough = false},
        {.name = "OneBehindOurGateThatDidNotOptInDoesNotCount",
         .pods = {{"", Is::kRunning}, {"", Is::kGateAlone}},
         .enough = false},
        {.name = "EnoughOfEachRole",
         .roles = {{"m", 1}, {"w", 1}},
         .pods = {{"m", Is::kRunning}, {"w", Is::kClaimed}}},
        {.name = "EnoughInAllAndTooFewOfARole",
         .roles = {{"m", 1}, {"w", 1}},
         .pods = {{"m", Is::kRunning}, {"m", Is::kClaimed}},
         .enough = false},
        {.name = "RolesThatNeedMoreThanTheGroupDoNotCount",
         .roles = {{"m", 1}, {"w", 2}},
         .pods = {{"m", Is::kRunning}, {"m", Is::kClaimed}}},
    }),
    [](const auto& row) { return std::string(row.param.name); });

// ---- claims that find no node

TEST_F(EntryTest, AClaimCountsFromWhenItWasGivenElseFromWhenItsPodWasSaidToFitNowhere) {
  given_.Add(MakeGroup("g", "q", 1));
  AddAtGate("g-0", "g", "1", /*gated=*/false);
  EXPECT_EQ(ClaimedSince(given_.task("g-0")), std::nullopt) << "nothing is known";
  const auto say = [&](std::string reason) {
    kube::Pod pod = *given_.task("g-0").pod;
    pod.status.conditions = {{.type = "PodScheduled",
                              .status = kube::ConditionStatus::kFalse,
                              .last_transition_time = kTestNow - 5min,
                              .reason = std::move(reason)}};
    given_.Add(std::move(pod));
  };
  say("SchedulingGated");
  EXPECT_EQ(ClaimedSince(given_.task("g-0")), std::nullopt) << "that was before it had its claim";
  say("Unschedulable");
  EXPECT_EQ(ClaimedSince(given_.task("g-0")), kTestNow - 5min);
  given_.cluster.SetClaimedSince(given_.task("g-0").id, kTestNow - 1min);
  EXPECT_EQ(ClaimedSince(given_.task("g-0")), kTestNow - 1min);
}

TEST_F(EntryTest, ClaimsLapseWhenTheyAreAsOldAsTheyMayBeAndOthersAreDated) {
  given_.Add(MakeGroup("g", "q", 1));
  for (const char* name : {"new", "old", "unknown"}) AddAtGate(name, "g", "1", /*gated=*/false);
  given_.cluster.SetClaimedSince(given_.task("new").id, kTestNow - 10min + 1s);
  given_.cluster.SetClaimedSince(given_.task("old").id, kTestNow - 10min);
  AddAtGate("waits", "g", "1");
  Session& session = Open();
  Statement statement(session);
  LapseOldClaims(session, given_.job("g"), 10min, statement);
  EXPECT_TRUE(given_.task("old").holding.lapsed);
  EXPECT_FALSE(given_.task("new").holding.lapsed);
  EXPECT_FALSE(given_.task("unknown").holding.lapsed);
  EXPECT_EQ(given_.task("unknown").claimed_since, kTestNow) << "it is as if it began now";
  EXPECT_EQ(given_.task("new").claimed_since, kTestNow - 10min + 1s);
  EXPECT_EQ(given_.task("waits").claimed_since, Time{}) << "it has no claim";
  statement.Discard();
  EXPECT_FALSE(given_.task("old").holding.lapsed);
  EXPECT_EQ(given_.task("unknown").claimed_since, Time{});
}

TEST(GateHoldTimeoutTest, IsADurationThatIsMoreThanNothing) {
  const auto of = [](boost::json::object arguments) {
    return GateHoldTimeout(Arguments(std::move(arguments)));
  };
  EXPECT_EQ(of({}).value(), std::nullopt) << "claims are kept for ever";
  EXPECT_EQ(of({{"gateHoldTimeout", "10m"}}).value(), 10min);
  struct Case {
    boost::json::value value;
    const char* want;
  };
  for (const Case& c :
       {Case{"0s", "must be more than nothing"}, Case{"-1m", "must be more than nothing"},
        Case{"soon", "gateHoldTimeout"}, Case{600, "argument gateHoldTimeout: 600 is no string"}}) {
    const auto got = of({{"gateHoldTimeout", c.value}});
    ASSERT_FALSE(got.has_value()) << c.want;
    EXPECT_THAT(got.error().message, HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace basalt::scheduler
