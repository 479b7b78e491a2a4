// Decisions of single actions, by small clusters. Volcano's own tables are in tests/conformance.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "model/annotations.h"
#include "scheduler/actions/registry.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using model::JobPhase;
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

struct Decisions {
  std::map<std::string, std::string> binds;
  std::vector<std::string> evicted;
  std::map<std::string, std::string> nominated;
};

Decisions RunCycle(TestCluster& given, std::vector<std::string> actions,
                   std::initializer_list<std::string_view> plugin_names,
                   boost::json::object arguments = {}) {
  Config config = testutil::OneTier(plugin_names);
  config.actions = actions;
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  for (const std::string& name : actions) {
    auto action = (*BuiltinActions().Find(name))(Arguments(arguments));
    EXPECT_TRUE(action.has_value());
    (*action)->Run(session);
  }
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
  Decisions decisions;
  for (const model::Intent& intent : session.intents()) {
    if (const auto* bind = std::get_if<model::Bind>(&intent)) {
      decisions.binds[bind->pod->meta.name] = bind->node;
    } else if (const auto* promise = std::get_if<model::Promise>(&intent)) {
      decisions.nominated[promise->pod->meta.name] = promise->node;
    }
    model::ForEachEviction(intent, [&](const model::Evict& evict) {
      decisions.evicted.push_back(evict.pod->meta.name);
    });
  }
  // What was promised and is not any more.
  session.intents().clear();
  session.Close();
  for (const model::Intent& intent : session.intents()) {
    const auto* promise = std::get_if<model::Promise>(&intent);
    if (promise && promise->node.empty()) decisions.nominated[promise->pod->meta.name] = "";
  }
  return decisions;
}

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

kube::Pod OptedIn(kube::Pod pod, bool gated) {
  const std::string gate(model::annotations::kQueueAllocationGate);
  pod.meta.annotations.Set(gate, "true");
  if (gated) pod.spec.scheduling_gates = {gate};
  return pod;
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

TEST(AllocateTest, APromiseIsKeptAcrossCyclesAndBecomesABind) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1)).Add(MakeGroup("late", "q", 1));
  kube::Pod leaving = MakeRunningPod("leaving", "old", {{"cpu", "2"}}, "n1");
  leaving.meta.deletion_timestamp = testutil::kTestNow;
  given.Add(std::move(leaving)).Add(MakePod("waits", "new", {{"cpu", "2"}}));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).nominated,
              ElementsAre(Pair("waits", "n1")));
  // Nothing changed: nothing is said again, and a later job does not get the room.
  given.Add(MakePod("later", "late", {{"cpu", "2"}}));
  const Decisions second = RunCycle(given, {"allocate"}, {"gang", "predicates"});
  EXPECT_THAT(second.nominated, IsEmpty());
  EXPECT_THAT(second.binds, IsEmpty());
  given.cluster.RemovePod("ns", "leaving");
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).binds,
              ElementsAre(Pair("waits", "n1")));
}

// A queue that may have two CPUs, both with a pod that leaves, and a node that is free.
TestCluster& AddFullQueue(TestCluster& given, Time until) {
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "2"}});
  given.Add(std::move(queue));
  for (const char* node : {"n1", "n2"}) given.Add(MakeNode(node, {{"cpu", "2"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
  kube::Pod leaving = MakeRunningPod("leaving", "old", {{"cpu", "2"}}, "n1");
  leaving.meta.deletion_timestamp = until;
  return given.Add(std::move(leaving));
}

TEST(AllocateTest, ATaskStartsWithinWhatItsQueueHasNowAndIsPromisedWhatItWillHave) {
  TestCluster given;
  AddFullQueue(given, testutil::kTestNow + 30s).Add(MakePod("waits", "new", {{"cpu", "2"}}));
  for (const char* plugin : {"capacity", "proportion"}) {
    const Decisions first = RunCycle(given, {"allocate"}, {"gang", "predicates", plugin});
    EXPECT_THAT(first.binds, IsEmpty()) << plugin;
  }
  EXPECT_EQ(given.task("waits").status(), TaskStatus::kPipelined);
  EXPECT_EQ(given.task("waits").node(), given.node("n2").id);
  given.cluster.RemovePod("ns", "leaving");
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates", "capacity"}).binds,
              ElementsAre(Pair("waits", "n2")));
}

TEST(AllocateTest, NobodyCountsOnWhatAnOverduePodHasOfItsQueue) {
  for (const char* plugin : {"capacity", "proportion"}) {
    TestCluster given;
    AddFullQueue(given, testutil::kTestNow + 30s).Add(MakePod("waits", "new", {{"cpu", "2"}}));
    EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates", plugin}).nominated,
                ElementsAre(Pair("waits", "n2")));
    kube::Pod stuck = *given.task("leaving").pod;
    stuck.meta.deletion_timestamp = testutil::kTestNow - 2min;
    given.Add(std::move(stuck));
    const Decisions second = RunCycle(given, {"allocate"}, {"gang", "predicates", plugin});
    EXPECT_THAT(second.binds, IsEmpty()) << plugin;
    EXPECT_EQ(given.task("waits").status(), TaskStatus::kPending) << plugin;
    EXPECT_THAT(second.nominated, ElementsAre(Pair("waits", ""))) << plugin;
  }
}

TEST(AllocateTest, APromisedTaskThatFitsElsewhereNowGoesThere) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
  kube::Pod leaving = MakeRunningPod("leaving", "old", {{"cpu", "2"}}, "n1");
  leaving.meta.deletion_timestamp = testutil::kTestNow;
  given.Add(std::move(leaving)).Add(MakePod("waits", "new", {{"cpu", "2"}}));
  RunCycle(given, {"allocate"}, {"gang", "predicates"});
  given.Add(MakeNode("n2", {{"cpu", "2"}}));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).binds,
              ElementsAre(Pair("waits", "n2")));
  EXPECT_EQ(given.cluster.ledger().Promised(given.node("n1").id).milli_cpu(), 0);
}

TEST(AllocateTest, AGangWhosePromisesNoLongerHoldLosesAllOfThem) {
  TestCluster given;
  given.Add(MakeQueue("q"));
  for (const char* node : {"n1", "n2"}) given.Add(MakeNode(node, {{"cpu", "2"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 2));
  for (const char* node : {"n1", "n2"}) {
    kube::Pod leaving = MakeRunningPod(std::string("leaving-") + node, "old", {{"cpu", "2"}}, node);
    leaving.meta.deletion_timestamp = testutil::kTestNow;
    given.Add(std::move(leaving));
  }
  for (const char* pod : {"a", "b"}) given.Add(MakePod(pod, "new", {{"cpu", "2"}}));
  EXPECT_EQ(RunCycle(given, {"allocate"}, {"gang", "predicates"}).nominated.size(), 2u);
  kube::Node cordoned = MakeNode("n2", {{"cpu", "2"}});
  cordoned.spec.unschedulable = true;
  given.Add(std::move(cordoned));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).nominated,
              UnorderedElementsAre(Pair("a", ""), Pair("b", "")));
  EXPECT_EQ(given.job("new").waiting_tasks(), 0);
}

TEST(AllocateTest, AGangThatWaitsForThePromisedRoomOfOneBindsNone) {
  TestCluster given;
  given.Add(MakeQueue("q"));
  for (const char* node : {"n1", "n2"}) given.Add(MakeNode(node, {{"cpu", "2"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 2));
  kube::Pod leaving = MakeRunningPod("leaving", "old", {{"cpu", "2"}}, "n2");
  leaving.meta.deletion_timestamp = testutil::kTestNow;
  given.Add(std::move(leaving));
  for (const char* pod : {"a", "b"}) given.Add(MakePod(pod, "new", {{"cpu", "2"}}));
  const Decisions first = RunCycle(given, {"allocate"}, {"gang", "predicates"});
  EXPECT_THAT(first.binds, IsEmpty());
  EXPECT_THAT(first.nominated, UnorderedElementsAre(Pair("a", "n1"), Pair("b", "n2")));
  const Decisions second = RunCycle(given, {"allocate"}, {"gang", "predicates"});
  EXPECT_THAT(second.binds, IsEmpty());
  EXPECT_THAT(second.nominated, IsEmpty());
  given.cluster.RemovePod("ns", "leaving");
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).binds,
              UnorderedElementsAre(Pair("a", "n1"), Pair("b", "n2")));
}

TEST(AllocateTest, APromiseEndsInTimeAndIsNotMadeAgain) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
  const auto leaving = [](Duration ago) {
    kube::Pod pod = MakeRunningPod("leaving", "old", {{"cpu", "2"}}, "n1");
    pod.meta.deletion_timestamp = testutil::kTestNow - ago;
    return pod;
  };
  given.Add(leaving(119s)).Add(MakePod("waits", "new", {{"cpu", "2"}}));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).nominated,
              ElementsAre(Pair("waits", "n1")));
  given.Add(leaving(120s));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).nominated,
              ElementsAre(Pair("waits", "")));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).nominated, IsEmpty());
  EXPECT_EQ(given.task("waits").status(), TaskStatus::kPending);
}

TEST(AllocateTest, PromisesThatNothingHappenedToAreLookedAtNowAndThenAndAtOnceWhenOneEnds) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
  kube::Pod leaving = MakeRunningPod("leaving", "old", {{"cpu", "2"}}, "n1");
  leaving.meta.deletion_timestamp = testutil::kTestNow;
  given.Add(leaving).Add(MakePod("waits", "new", {{"cpu", "2"}}));
  Config config = testutil::OneTier({"gang", "predicates"});
  config.actions = {"allocate"};
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  const auto allocate = std::move(*(*BuiltinActions().Find("allocate"))(Arguments()));
  const auto run = [&](bool quiet, Duration later) {
    Session session(given.cluster, *plugins, testutil::kTestNow + later);
    if (quiet) session.MarkQuiet();
    allocate->Run(session);
    session.Close();
    return session.decided();
  };
  EXPECT_TRUE(run(false, 0s));
  EXPECT_EQ(given.task("waits").status(), TaskStatus::kPipelined);
  EXPECT_FALSE(run(false, 0s));
  // Should something have happened that nobody was told of, it is found after a while.
  given.cluster.RemovePod("ns", "leaving");
  int quiet_cycles = 0;
  while (quiet_cycles < 20 && !run(true, 0s)) ++quiet_cycles;
  EXPECT_EQ(quiet_cycles, 10);
  EXPECT_EQ(given.task("waits").status(), TaskStatus::kBinding);

  given.Add(MakeGroup("next", "q", 1)).Add(MakePod("next-0", "next", {{"cpu", "2"}}));
  kube::Pod bound = MakeRunningPod("waits", "new", {{"cpu", "2"}}, "n1");
  bound.meta.deletion_timestamp = testutil::kTestNow;
  given.Add(std::move(bound));
  EXPECT_TRUE(run(false, 0s));
  EXPECT_EQ(given.task("next-0").status(), TaskStatus::kPipelined);
  EXPECT_FALSE(run(true, 1min));
  EXPECT_TRUE(run(true, 3min)) << "its lease has ended";
  EXPECT_EQ(given.task("next-0").status(), TaskStatus::kPending);
}

TEST(AllocateTest, OfTwoPromisesThatANodeCannotKeepTheLastInOrderGoes) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  given.Add(MakeGroup("old", "q", 1));
  given.Add(MakeGroup("high", "q", 1), 9).Add(MakeGroup("low", "q", 1), 1);
  kube::Pod leaving = MakeRunningPod("leaving", "old", {{"cpu", "4"}}, "n1");
  leaving.meta.deletion_timestamp = testutil::kTestNow;
  given.Add(std::move(leaving));
  given.Add(MakePod("a", "low", {{"cpu", "2"}})).Add(MakePod("b", "high", {{"cpu", "2"}}));
  EXPECT_EQ(RunCycle(given, {"allocate"}, {"priority", "gang", "predicates"}).nominated.size(), 2u);
  given.Add(MakeNode("n1", {{"cpu", "3"}}));
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"priority", "gang", "predicates"}).nominated,
              ElementsAre(Pair("a", "")));
}

TEST(AllocateTest, APromiseOfAJobThatNobodyLooksAfterIsTakenBack) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  given.Add(MakePod("p", "missing", {{"cpu", "2"}}));
  given.cluster.Move(given.task("p").id,
                     {.status = TaskStatus::kPipelined, .node = given.node("n1").id});
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).nominated,
              ElementsAre(Pair("p", "")));
  EXPECT_EQ(given.cluster.ledger().Promised(given.node("n1").id).milli_cpu(), 0);
}

TEST(AllocateTest, AClaimForAPortThatIsGivenUpHolds) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  given.Add(MakeGroup("low", "q", 0), 1).Add(MakeGroup("high", "q", 1), 9);
  const auto with_port = [](kube::Pod pod) {
    kube::Container container = pod.spec.containers.front();
    container.ports.push_back({.container_port = 80, .host_port = 80});
    pod.spec.containers = {};
    pod.spec.containers.push_back(std::move(container));
    return pod;
  };
  given.Add(with_port(MakeRunningPod("old", "low", {{"cpu", "1"}}, "n1")));
  given.Add(with_port(MakePod("new", "high", {{"cpu", "4"}})));
  const Decisions first =
      RunCycle(given, {"allocate", "preempt"}, {"priority", "gang", "predicates"});
  EXPECT_THAT(first.evicted, ElementsAre("old"));
  const Decisions second =
      RunCycle(given, {"allocate", "preempt"}, {"priority", "gang", "predicates"});
  EXPECT_THAT(second.nominated, IsEmpty());
  EXPECT_EQ(given.task("new").status(), TaskStatus::kPipelined);
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

TEST(BackfillTest, BestEffortTasksNeedNoRoom) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "1"}}));
  given.Add(MakeGroup("g", "q", 1)).Add(MakeGroup("full", "q", 1));
  given.Add(MakeRunningPod("x", "full", {{"cpu", "1"}}, "n1"));
  given.Add(MakePod("a", "g", {}));
  EXPECT_THAT(RunCycle(given, {"allocate", "backfill"}, {"gang", "predicates"}).binds,
              ElementsAre(Pair("a", "n1")));
}

TEST(BackfillTest, AGangOfBestEffortTasksThatIsOneShortBindsNothing) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}, {"pods", "2"}}));
  given.Add(MakeGroup("g", "q", 3));
  for (const char* pod : {"a", "b", "c"}) given.Add(MakePod(pod, "g", {}));
  EXPECT_THAT(RunCycle(given, {"backfill"}, {"gang", "predicates"}).binds, IsEmpty());
  given.Add(MakeNode("n2", {{"cpu", "2"}, {"pods", "2"}}));
  EXPECT_EQ(RunCycle(given, {"backfill"}, {"gang", "predicates"}).binds.size(), 3u);
}

TEST(BackfillTest, AJobThatIsNotInItsQueueOrIncompleteIsLeftAlone) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "1"}}));
  given.Add(MakeGroup("out", "q", 1, kube::PodGroupPhase::kPending)).Add(MakePod("a", "out", {}));
  given.Add(MakeGroup("part", "q", 2)).Add(MakePod("b", "part", {}));
  EXPECT_THAT(RunCycle(given, {"backfill"}, {"gang", "predicates"}).binds, IsEmpty());
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

TEST(ReserveTest, OfANodeThatHasBecomeTooSmallTheYoungestReservationGivesUp) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  for (const auto& [name, age] : {std::pair{"old", 2h}, std::pair{"young", 1h}}) {
    kube::Reservation object;
    object.meta.ns = "ns";
    object.meta.name = object.meta.uid = name;
    object.meta.creation_timestamp = testutil::kTestNow - age;
    object.tasks.push_back({.name = "t"});
    object.tasks[0].pod_template.spec = MakePod("t", "", {{"cpu", "2"}}).spec;
    model::Reservations& all = given.cluster.mutable_reservations();
    all.Add(std::make_shared<const kube::Reservation>(std::move(object)), "q");
    const model::Task& task = given.cluster.task(all.Find("ns", name)->slots[0].id);
    given.cluster.Move(task.id, {.status = TaskStatus::kBound, .node = given.node("n1").id});
    all.NotePlaced(task);
  }
  given.Add(MakeNode("n1", {{"cpu", "3"}}));
  RunCycle(given, {"reserve"}, {"gang", "predicates", "reservation"});
  const auto status = [&](const char* name) {
    return given.cluster.task(given.cluster.reservations().Find("ns", name)->slots[0].id).status();
  };
  EXPECT_EQ(status("old"), TaskStatus::kBound);
  EXPECT_EQ(status("young"), TaskStatus::kPending);
}

TEST(ReclaimTest, NobodyLeavesForABestEffortTaskThatHasAPlace) {
  TestCluster given;
  given.Add(MakeQueue("q1")).Add(MakeQueue("q2"));
  given.Add(MakeNode("n1", {{"cpu", "1"}, {"pods", "1"}}));
  given.Add(MakeNode("n2", {{"cpu", "1"}, {"pods", "5"}}));
  given.Add(MakeGroup("old", "q1", 1)).Add(MakeGroup("new", "q2", 1));
  kube::Pod running = MakeRunningPod("running", "old", {{"cpu", "1"}}, "n1");
  running.meta.annotations.Set("volcano.sh/preemptable", "true");
  given.Add(std::move(running)).Add(MakePod("a", "new", {}));
  const Decisions decisions =
      RunCycle(given, {"reclaim", "backfill"}, {"gang", "predicates", "proportion"});
  EXPECT_THAT(decisions.evicted, IsEmpty());
  EXPECT_THAT(decisions.binds, ElementsAre(Pair("a", "n2")));
}

TEST(EvictionTest, NobodyLeavesForAJobThatIsNotInItsQueueOrIncomplete) {
  for (const std::string action : {"preempt", "reclaim"}) {
    TestCluster given;
    given.Add(MakeQueue("p")).Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "1"}}));
    given.Add(MakeGroup("low", action == "preempt" ? "q" : "p", 0), 1);
    given.Add(MakeRunningPod("low", "low", {{"cpu", "1"}}, "n1"));
    given.Add(MakeGroup("out", "q", 1, kube::PodGroupPhase::kPending), 9);
    given.Add(MakePod("out", "out", {{"cpu", "1"}}));
    given.Add(MakeGroup("part", "q", 2), 9).Add(MakePod("part", "part", {{"cpu", "1"}}));
    EXPECT_THAT(RunCycle(given, {action}, {"gang"}).evicted, IsEmpty()) << action;
    given.Add(MakeGroup("in", "q", 1), 9).Add(MakePod("in", "in", {{"cpu", "1"}}));
    EXPECT_THAT(RunCycle(given, {action}, {"gang"}).evicted, ElementsAre("low")) << action;
  }
}

TEST(ReclaimTest, NeitherOnesOwnQueueNorAPodOfNoGroupGivesAnythingBack) {
  TestCluster given;
  given.Add(MakeQueue("p")).Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "3"}}));
  for (const char* queue : {"p", "q"}) {
    given.Add(MakeGroup(std::string("of-") + queue, queue, 0));
    given.Add(MakeRunningPod(queue, std::string("of-") + queue, {{"cpu", "1"}}, "n1"));
  }
  given.Add(MakeRunningPod("of-none", "missing", {{"cpu", "1"}}, "n1"));
  given.Add(MakeGroup("new", "q", 1)).Add(MakePod("new", "new", {{"cpu", "1"}}));
  EXPECT_THAT(RunCycle(given, {"reclaim"}, {"gang"}).evicted, ElementsAre("p"));
}

// The queue never lets the preemptor in, whoever leaves: then nobody does.
TEST(PreemptTest, NobodyLeavesForATaskThatItsQueueRefusesAllTheSame) {
  for (const bool topology_aware : {false, true}) {
    TestCluster given;
    kube::Queue queue = MakeQueue("q");
    queue.capability = testutil::Resources({{"cpu", "1"}});
    given.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "8"}, {"memory", "1Gi"}}));
    given.Add(MakeGroup("low", "q", 1)).Add(MakeGroup("fixed", "q", 1));
    given.Add(MakeGroup("high", "q", 1), 100);
    for (const char* pod : {"low-1", "low-2", "low-3"}) {
      given.Add(MakeRunningPod(pod, "low", {{"cpu", "1"}}, "n1"));
    }
    kube::Pod fixed = MakeRunningPod("fixed-1", "fixed", {{"cpu", "5"}}, "n1");
    fixed.meta.annotations.Set("volcano.sh/preemptable", "false");
    given.Add(std::move(fixed)).Add(MakePod("high-1", "high", {{"cpu", "1"}}));
    const Decisions decisions =
        RunCycle(given, {"preempt"}, {"priority", "gang", "predicates", "capacity"},
                 {{"enableTopologyAwarePreemption", topology_aware}});
    EXPECT_THAT(decisions.evicted, IsEmpty()) << "topology-aware: " << topology_aware;
    EXPECT_THAT(decisions.nominated, IsEmpty());
  }
}

// There is room enough, but somebody's port, or a rule about who may be where, is in the way.
TEST(PreemptTest, WhoIsInTheWayOfARuleGoesAndNobodyElse) {
  const auto with_port = [](kube::Pod pod) {
    pod.spec.containers[0].ports.push_back({.host_port = 8080});
    return pod;
  };
  const auto alone = [](kube::Pod pod) {
    pod.meta.labels.Set("app", "alone");
    kube::PodAffinityTerm term;
    term.label_selector = kube::LabelSelector::OfLabels({{"app", "alone"}});
    term.topology_key = "kubernetes.io/hostname";
    pod.spec.affinity.emplace().pod_anti.required.push_back(std::move(term));
    return pod;
  };
  for (const bool topology_aware : {false, true}) {
    for (const bool port : {false, true}) {
      SCOPED_TRACE(testing::Message() << "topology-aware " << topology_aware << ", port " << port);
      TestCluster given;
      kube::Node node = MakeNode("n1", {{"cpu", "16"}});
      node.meta.labels.Set("kubernetes.io/hostname", "n1");
      given.Add(MakeQueue("q")).Add(std::move(node));
      given.Add(MakeGroup("low", "q", 0), 1).Add(MakeGroup("high", "q", 1), 9);
      given.Add(MakeRunningPod("other-1", "low", {{"cpu", "1"}}, "n1"));
      kube::Pod in_the_way = MakeRunningPod("in-the-way", "low", {{"cpu", "1"}}, "n1");
      given.Add(port ? with_port(std::move(in_the_way)) : alone(std::move(in_the_way)));
      given.Add(MakeRunningPod("other-2", "low", {{"cpu", "1"}}, "n1"));
      kube::Pod pod = MakePod("p", "high", {{"cpu", "1"}});
      given.Add(port ? with_port(std::move(pod)) : alone(std::move(pod)));
      const Decisions decisions = RunCycle(given, {"preempt"}, {"priority", "gang", "predicates"},
                                           {{"enableTopologyAwarePreemption", topology_aware}});
      EXPECT_THAT(decisions.evicted, ElementsAre("in-the-way"));
      EXPECT_THAT(decisions.nominated, ElementsAre(Pair("p", "n1")));
    }
  }
}

// Its other members count as ready without a place, so it would start in part.
TEST(PreemptTest, NobodyLeavesForABestEffortMemberOfAGang) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}, {"pods", "1"}}));
  given.Add(MakeGroup("low", "q", 0), 1).Add(MakeGroup("high", "q", 4), 9);
  given.Add(MakeRunningPod("in-the-way", "low", {}, "n1"));
  for (const char* pod : {"high-0", "high-1", "high-2", "high-3"}) {
    given.Add(MakePod(pod, "high", {}));
  }
  const Decisions decisions = RunCycle(given, {"preempt"}, {"priority", "predicates"});
  EXPECT_THAT(decisions.evicted, IsEmpty());
  EXPECT_THAT(decisions.nominated, IsEmpty());
}

TEST(PreemptTest, TheFewestVictimsGoAndTheLeastValuableFirst) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  given.Add(MakeGroup("low", "q", 1), 1).Add(MakeGroup("high", "q", 1), 9);
  const auto running = [](const char* name, const char* cpu, int priority) {
    kube::Pod pod = MakeRunningPod(name, "low", {{"cpu", cpu}}, "n1");
    pod.spec.priority = priority;
    return pod;
  };
  // The cheapest is too small; the next alone is enough, so the cheapest is given back.
  given.Add(running("tiny", "500m", 1))
      .Add(running("big", "2", 2))
      .Add(running("dear", "1500m", 3));
  given.Add(MakePod("p", "high", {{"cpu", "2"}}));
  const Decisions decisions = RunCycle(given, {"preempt"}, {"priority", "gang"});
  EXPECT_THAT(decisions.evicted, ElementsAre("big"));
  EXPECT_THAT(decisions.nominated, ElementsAre(Pair("p", "n1")));
}

// A node full of pods that a budget guards, and a pod with priority that needs two of them gone.
struct Guarded {
  Guarded(int allowed, std::string_view condition = "") {
    given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
    given.Add(MakeGroup("old", "q", 1), 1).Add(MakeGroup("urgent", "q", 1), 9);
    for (const char* name : {"a", "b", "c", "d"}) {
      kube::Pod pod = MakeRunningPod(name, "old", {{"cpu", "1"}}, "n1");
      pod.meta.labels.Set("app", "web");
      if (!condition.empty()) {
        pod.status.conditions.push_back(
            {.type = std::string(condition), .status = kube::ConditionStatus::kTrue});
      }
      given.Add(std::move(pod));
    }
    kube::PodDisruptionBudget budget;
    budget.meta.ns = "ns";
    budget.meta.name = "web";
    budget.selector = kube::LabelSelector::OfLabels({{"app", "web"}});
    budget.disruptions_allowed = allowed;
    budget.current_healthy = budget.desired_healthy = 4;
    given.cluster.mutable_objects().disruption_budgets.Set(
        std::make_shared<const kube::PodDisruptionBudget>(budget));
    given.Add(MakePod("urgent", "urgent", {{"cpu", "2"}}));
  }
  Decisions Run(boost::json::object arguments = {}) {
    return RunCycle(given, {"preempt"}, {"priority", "gang"}, std::move(arguments));
  }
  TestCluster given;
};

TEST(PreemptTest, WhomABudgetDoesNotLetGoIsNoVictimAndNobodyIsPromisedHisRoom) {
  for (const bool least_harm : {false, true}) {
    const boost::json::object arguments{{"enableTopologyAwarePreemption", least_harm}};
    for (const int allowed : {0, 1}) {
      const Decisions decisions = Guarded(allowed, "Ready").Run(arguments);
      EXPECT_THAT(decisions.evicted, IsEmpty()) << allowed << " allowed, two needed";
      EXPECT_THAT(decisions.nominated, IsEmpty());
    }
    const Decisions decisions = Guarded(2, "Ready").Run(arguments);
    EXPECT_EQ(decisions.evicted.size(), 2u);
    EXPECT_THAT(decisions.nominated, ElementsAre(Pair("urgent", "n1")));
  }
}

TEST(PreemptTest, ABudgetThatHasEnoughHealthyPodsLetsTheOthersGo) {
  EXPECT_EQ(Guarded(0).Run().evicted.size(), 2u) << "they are not ready";
}

TEST(PreemptTest, EvictionsThatTheBudgetHasNotCountedYetCount) {
  Guarded guarded(2, "Ready");
  const model::Task& leaving = guarded.given.task("a");
  guarded.given.cluster.Move(leaving.id,
                             {.status = TaskStatus::kReleasing, .node = leaving.node()});
  // Its room is there in future: one more is needed, and one more may go.
  EXPECT_EQ(guarded.Run().evicted.size(), 1u);
  Guarded full(1, "Ready");
  full.given.cluster.Move(full.given.task("a").id,
                          {.status = TaskStatus::kReleasing, .node = full.given.task("a").node()});
  EXPECT_THAT(full.Run().evicted, IsEmpty());
}

// A pod whose nomination was lost by this scheduler, and is still read in its status.
TEST(PreemptTest, WhoWasPromisedANodeWaitsWhileSomebodyLessImportantLeavesIt) {
  struct Row {
    const char* when;
    const char*
        promised;  // "tainted" never takes it, "taken" has somebody beside whom it may not be
    std::optional<int> leaving;  // the priority of a pod that leaves that node
    bool preempts;
  };
  for (const Row& row :
       std::initializer_list<Row>{{"no promise", "", {}, true},
                                  {"the node is gone", "gone", {}, false},
                                  {"the node takes it, whoever leaves", "n1", {}, false},
                                  {"the node does not take it any more", "tainted", 1, true},
                                  {"the node could take it and nobody leaves", "taken", {}, true},
                                  {"somebody less important leaves", "taken", 1, false},
                                  {"somebody as important leaves", "taken", 9, true}}) {
    TestCluster given;
    given.Add(MakeQueue("q")).Add(MakeGroup("low", "q", 0), 1).Add(MakeGroup("high", "q", 1), 9);
    for (const char* name : {"n1", "taken", "tainted"}) {
      kube::Node node = MakeNode(name, {{"cpu", "1"}});
      node.meta.labels.Set("name", name);
      if (name == std::string_view("tainted")) {
        node.spec.taints.push_back({.key = "t", .effect = kube::TaintEffect::kNoSchedule});
      }
      given.Add(std::move(node));
      if (name == std::string_view("tainted")) continue;
      kube::Pod low = MakeRunningPod(std::string("on-") + name, "low", {{"cpu", "1"}}, name);
      low.spec.priority = 1;
      low.meta.labels.Set("on", name);
      given.Add(std::move(low));
    }
    if (row.leaving) {
      kube::Pod leaving = MakeRunningPod("leaving", "low", {}, row.promised);
      leaving.spec.priority = *row.leaving;
      leaving.meta.deletion_timestamp = testutil::kTestNow;
      given.Add(std::move(leaving));
    }
    kube::Pod high = MakePod("p", "high", {{"cpu", "1"}});
    high.spec.priority = 9;
    high.status.nominated_node_name = row.promised;
    high.spec.affinity.emplace().pod_anti.required.push_back(
        {.label_selector = kube::LabelSelector::OfLabels({{"on", "taken"}}),
         .topology_key = "name"});
    given.Add(std::move(high));
    const Decisions decisions = RunCycle(given, {"preempt"}, {"priority", "gang", "predicates"});
    EXPECT_EQ(decisions.evicted.size(), row.preempts ? 1u : 0u) << row.when;
  }
}

// Without a gang every pod that waits makes its job starve, and stands for itself.
TEST(PreemptTest, WithinAJobTheLessImportantLeaveUntilOneMustNotPreempt) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 1)).Add(MakeNode("n1", {{"cpu", "3"}}));
  const auto with = [](kube::Pod pod, int priority) {
    pod.spec.priority = priority;
    return pod;
  };
  for (const char* pod : {"low-1", "low-2", "low-3"}) {
    given.Add(with(MakeRunningPod(pod, "g", {{"cpu", "1"}}, "n1"), 1));
  }
  given.Add(with(MakePod("first", "g", {{"cpu", "1"}}), 9));
  kube::Pod polite = with(MakePod("second", "g", {{"cpu", "1"}}), 8);
  polite.spec.preemption_policy = kube::PreemptionPolicy::kNever;
  given.Add(std::move(polite)).Add(with(MakePod("third", "g", {{"cpu", "1"}}), 7));
  const Decisions decisions = RunCycle(given, {"preempt"}, {"priority", "predicates"});
  EXPECT_EQ(decisions.evicted.size(), 1u);
  EXPECT_THAT(decisions.nominated, ElementsAre(Pair("first", "n1")));
}

TEST(PreemptTest, NothingIsEvictedForAGangThatWouldNotStart) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeGroup("low", "q", 0), 1).Add(MakeGroup("high", "q", 2), 9);
  given.Add(MakeRunningPod("x", "low", {{"cpu", "2"}}, "n1"));
  for (const char* pod : {"a", "b"}) given.Add(MakePod(pod, "high", {{"cpu", "2"}}));
  EXPECT_THAT(RunCycle(given, {"preempt"}, {"priority", "gang"}).evicted, IsEmpty());
  EXPECT_EQ(given.task("x").status(), TaskStatus::kRunning);
}

TEST(EnqueueTest, AGroupWithoutMinimumEntersAndOthersByVote) {
  TestCluster given;
  given.Add(MakeQueue("q"));
  given.Add(MakeGroup("g", "q", 1, kube::PodGroupPhase::kPending));
  RunCycle(given, {"enqueue"}, {"gang"});
  EXPECT_EQ(given.job("g").phase, JobPhase::kInqueue);
  EXPECT_EQ(given.job("g").schedule_start, testutil::kTestNow) << "a cycle has seen it";
}

TEST(EnqueueTest, AJobWithPodsThatItsQueueAdmittedBeforeARestartEntersWithoutAVote) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "2"}});
  given.Add(queue);
  for (const char* job : {"admitted", "new"}) {
    kube::PodGroup group = MakeGroup(job, "q", 1, kube::PodGroupPhase::kPending);
    group.min_resources = testutil::Resources({{"cpu", "4"}});
    given.Add(std::move(group));
    given.Add(OptedIn(MakePod(job, job, {{"cpu", "4"}}), job == std::string_view("new")));
  }
  RunCycle(given, {"enqueue"}, {"gang", "capacity"});
  EXPECT_EQ(given.job("admitted").phase, JobPhase::kInqueue);
  EXPECT_EQ(given.job("new").phase, JobPhase::kPending);
}

}  // namespace
}  // namespace basalt::scheduler
