// What becomes of promises over several cycles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/actions/actions_test_util.h"
#include "scheduler/actions/registry.h"

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

TEST(AllocatePromisesTest, APromiseIsKeptAcrossCyclesAndBecomesABind) {
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

TEST(AllocatePromisesTest, ATaskStartsWithinWhatItsQueueHasNowAndIsPromisedWhatItWillHave) {
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

TEST(AllocatePromisesTest, NobodyCountsOnWhatAnOverduePodHasOfItsQueue) {
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

TEST(AllocatePromisesTest, APromisedTaskThatFitsElsewhereNowGoesThere) {
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

TEST(AllocatePromisesTest, AGangWhosePromisesNoLongerHoldLosesAllOfThem) {
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

TEST(AllocatePromisesTest, AGangThatWaitsForThePromisedRoomOfOneBindsNone) {
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

TEST(AllocatePromisesTest, APromiseEndsInTimeAndIsNotMadeAgain) {
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

TEST(AllocatePromisesTest, PromisesAreNotLookedAtWhileNothingHappensAndAtOnceWhenOneEnds) {
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
  given.cluster.RemovePod("ns", "leaving");
  EXPECT_FALSE(run(true, 0s)) << "no event says that there is room";
  EXPECT_TRUE(run(false, 0s));
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

TEST(AllocatePromisesTest, OfTwoPromisesThatANodeCannotKeepTheLastInOrderGoes) {
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

TEST(AllocatePromisesTest, APromiseOfAJobThatNobodyLooksAfterIsTakenBack) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  given.Add(MakePod("p", "missing", {{"cpu", "2"}}));
  given.cluster.Move(given.task("p").id,
                     {.status = TaskStatus::kPipelined, .node = given.node("n1").id});
  EXPECT_THAT(RunCycle(given, {"allocate"}, {"gang", "predicates"}).nominated,
              ElementsAre(Pair("p", "")));
  EXPECT_EQ(given.cluster.ledger().Promised(given.node("n1").id).milli_cpu(), 0);
}

TEST(AllocatePromisesTest, AClaimForAPortThatIsGivenUpHolds) {
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

}  // namespace
}  // namespace basalt::scheduler
