// Decisions of single cycles; more in allocate_test.story.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/actions/actions_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

TEST(AllocateTest, AWholeGangThatFitsIsBound) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  given.Add(MakeGroup("train", "q", 2));
  for (const char* pod : {"a", "b"}) given.Add(MakePod(pod, "train", {{"cpu", "2"}}));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).binds,
              UnorderedElementsAre(Pair("a", "n1"), Pair("b", "n1")));
}

TEST(AllocateTest, AGangThatIsOneShortBindsNothingAndHoldsNothing) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "3"}}));
  given.Add(MakeGroup("train", "q", 2));
  for (const char* pod : {"a", "b"}) given.Add(MakePod(pod, "train", {{"cpu", "2"}}));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).binds, IsEmpty());
  EXPECT_EQ(given.cluster.ledger().Idle(given.node("n1").id).milli_cpu(), 3000);
}

TEST(AllocateTest, AGatedGangThatItsQueueCannotTakeAsAWholeHoldsNothing) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "3"}});
  given.Add(queue).Add(MakeNode("n1", {{"cpu", "8"}})).Add(MakeGroup("train", "q", 4));
  for (const char* pod : {"a", "b", "c", "d"}) {
    given.Add(OptedIn(MakePod(pod, "train", {{"cpu", "1"}}), /*gated=*/true));
  }
  const std::uint64_t before = given.cluster.Hash();
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"}).binds, IsEmpty());
  EXPECT_EQ(given.job("train").queue_claims, 0);
  given.cluster.UnparkAll();
  EXPECT_EQ(given.cluster.Hash(), before);
}

TEST(AllocateTest, AGangIsAdmittedAsAWholeWhicheverOfItsPodsOptedIn) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "3"}});
  given.Add(queue).Add(MakeNode("n1", {{"cpu", "8"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeRunningPod("old", "old", {{"cpu", "1"}}, "n1"));
  for (const std::string group : {"a", "b"}) {
    given.Add(MakeGroup(group, "q", 3));
    given.Add(OptedIn(MakePod(group + "-1", group, {{"cpu", "1"}}), /*gated=*/true));
    for (const char* pod : {"-2", "-3"}) given.Add(MakePod(group + pod, group, {{"cpu", "1"}}));
  }
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"}).binds, IsEmpty());
  EXPECT_EQ(given.job("a").queue_claims, 0);
  EXPECT_EQ(given.job("b").queue_claims, 0);

  given.cluster.RemovePod("ns", "old");
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"}).binds,
              UnorderedElementsAre(Pair("a-1", "n1"), Pair("a-2", "n1"), Pair("a-3", "n1")));
  EXPECT_EQ(given.job("b").queue_claims, 0);
}

TEST(AllocateTest, AGangThatWasAdmittedKeepsTheRoomOfAllItsPods) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "3"}});
  given.Add(queue).Add(MakeNode("n1", {{"cpu", "2"}})).Add(MakeGroup("a", "q", 3));
  given.Add(OptedIn(MakePod("a-1", "a", {{"cpu", "1"}}), /*gated=*/true));
  for (const char* pod : {"a-2", "a-3"}) given.Add(MakePod(pod, "a", {{"cpu", "1"}}));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"}).binds, IsEmpty());
  EXPECT_EQ(given.job("a").queue_claims, 3);
  given.Add(MakeGroup("late", "q", 1)).Add(MakePod("late", "late", {{"cpu", "1"}}));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"}).binds, IsEmpty());
  given.Add(MakeNode("n2", {{"cpu", "2"}}));
  EXPECT_EQ(RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"}).binds.size(), 3u);
}

TEST(AllocateTest, APodWithTheGateThatDidNotOptInDoesNotCountAsAdmitted) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("train", "q", 2));
  given.Add(OptedIn(MakePod("a", "train", {{"cpu", "1"}}), /*gated=*/true));
  kube::Pod stays = MakePod("b", "train", {{"cpu", "1"}});
  stays.spec.scheduling_gates = {std::string(model::annotations::kQueueAllocationGate)};
  given.Add(std::move(stays));
  RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"});
  EXPECT_EQ(given.job("train").queue_claims, 0) << "the gang would be seen in part";
}

TEST(AllocateTest, AGangThatDoesNotFitHasItsQueueClaimsAgainAsTheyWere) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "4"}});
  given.Add(queue).Add(MakeNode("n1", {{"cpu", "2"}})).Add(MakeGroup("train", "q", 3));
  for (const char* pod : {"a", "b", "c"}) {
    given.Add(OptedIn(MakePod(pod, "train", {{"cpu", "1"}}), /*gated=*/false));
  }
  EXPECT_EQ(given.queue("q").own.claimed.value().milli_cpu(), 3000);
  const std::uint64_t before = given.cluster.Hash();
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"}).binds, IsEmpty());
  EXPECT_EQ(given.job("train").queue_claims, 3);
  EXPECT_EQ(given.queue("q").own.claimed.value().milli_cpu(), 3000);
  given.cluster.UnparkAll();
  EXPECT_EQ(given.cluster.Hash(), before);
}

TEST(AllocateTest, WhatAClaimThatLapsesHadOfItsQueueIsForOthersInTheSameCycle) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "4"}});
  given.Add(queue).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
  given.Add(OptedIn(MakePod("a", "old", {{"cpu", "4"}}), /*gated=*/false));
  given.cluster.SetClaimedSince(given.task("a").id, testutil::kTestNow - 1h);
  given.Add(OptedIn(MakePod("b", "new", {{"cpu", "2"}}), /*gated=*/true));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"},
                       {{"gateHoldTimeout", "10m"}})
                  .binds,
              ElementsAre(Pair("b", "n1")));
  EXPECT_TRUE(given.task("a").holding.lapsed);
}

TEST(AllocateTest, AClaimOfAJobThatCannotBePlacedLapsesToo) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}})).Add(MakeGroup("part", "q", 2));
  given.Add(OptedIn(MakePod("a", "part", {{"cpu", "1"}}), /*gated=*/false));
  for (const Duration age : {9min, 10min}) {
    given.cluster.SetClaimedSince(given.task("a").id, testutil::kTestNow - age);
    RunCycle(given, {"allocate"}, {"gang", "predicates"}, {{"gateHoldTimeout", "10m"}});
    EXPECT_EQ(given.task("a").holding.lapsed, age == 10min);
  }
}

TEST(AllocateTest, WithoutEnqueueAPendingGroupIsAdmittedAtOnce) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeGroup("g", "q", 1, kube::PodGroupPhase::kPending));
  given.Add(MakePod("a", "g", {{"cpu", "1"}}));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang"}).binds, ElementsAre(Pair("a", "n1")));
}

TEST(AllocateTest, AForeignGateKeepsAPodFromBeingPlaced) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeGroup("g", "q", 1));
  kube::Pod gated = MakePod("a", "g", {{"cpu", "1"}});
  gated.spec.scheduling_gates = {"example.com/wait"};
  given.Add(std::move(gated));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang"}).binds, IsEmpty());
}

TEST(AllocateTest, AJobThatWaitsForItsQueuesShareKeepsNobodyElseBack) {
  TestCluster given;
  given.Add(MakeQueue("mine")).Add(MakeQueue("theirs"));
  given.Add(MakeNode("n1", {{"cpu", "4"}, {"pods", "2"}}));
  given.Add(MakeGroup("runs", "mine", 1)).Add(MakeGroup("other", "theirs", 1));
  given.Add(MakeRunningPod("runs", "runs", {{"cpu", "2"}}, "n1"));
  given.Add(MakePod("other", "other", {{"cpu", "4"}}));
  given.Add(MakeGroup("plain", "mine", 1)).Add(MakePod("plain", "plain", {{"cpu", "1"}}));
  given.Add(MakeGroup("gated", "mine", 1));
  given.Add(OptedIn(MakePod("gated", "gated", {{"cpu", "1"}}), /*gated=*/true));
  RunCycle(given, {"allocate"}, {"gang", "predicates", "proportion"});
  EXPECT_EQ(given.task("gated").status(), TaskStatus::kBinding) << "no share keeps it back";
  EXPECT_EQ(given.task("plain").status(), TaskStatus::kPending);
}

}  // namespace
}  // namespace basalt::scheduler
