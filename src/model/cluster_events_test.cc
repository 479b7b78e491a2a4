// What events say of pods, groups and nodes, in whatever order they come.
#include <gtest/gtest.h>

#include <string>

#include "model/annotations.h"
#include "model/builtin_queues.h"
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

TEST(ClusterPods, OneThatOptedInAndHasNoGateHoldsItsQueuesRoomWhileItWaits) {
  struct Row {
    const char* name;
    bool opts_in, gated, running, gates_enabled;
    bool claims;
  };
  for (const Row& row : {Row{"admitted", true, false, false, true, true},
                         Row{"still gated", true, true, false, true, false},
                         Row{"did not ask", false, false, false, true, false},
                         Row{"runs", true, false, true, true, false},
                         Row{"gates are off", true, false, false, false, false}}) {
    Cluster cluster;
    cluster.SetGatesEnabled(row.gates_enabled);
    kube::Pod pod = row.running ? MakeRunningPod("p", "", {}, "n") : MakePod("p", "", {});
    if (row.opts_in) pod.meta.annotations.Set(annotations::kQueueAllocationGate, "true");
    if (row.gated) pod.spec.scheduling_gates = {std::string(annotations::kQueueAllocationGate)};
    EXPECT_EQ(cluster.HoldingOf(pod).queue_claim, row.claims) << row.name;
  }
}

TEST(ClusterPods, OneWhoseGateIsBeingTakenAwayIsSoUntilItIsGone) {
  TestCluster given;
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  pod.spec.scheduling_gates = {std::string(annotations::kQueueAllocationGate)};
  given.Add(pod);
  given.cluster.SetUngating(given.task("p").id, true);
  pod.meta.labels.Set("app", "web");
  given.Add(pod);
  EXPECT_TRUE(given.task("p").ungating);
  pod.spec.scheduling_gates.clear();
  given.Add(pod);
  EXPECT_FALSE(given.task("p").ungating);
}

TEST(ClusterPods, AnotherOfTheSameNameIsAnotherTask) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 1)).Add(MakeNode("n", {{"cpu", "4"}}));
  given.Add(MakeRunningPod("p", "g", {{"cpu", "1"}}, "n"));
  kube::Pod again = MakePod("p", "g", {{"cpu", "2"}});
  again.meta.uid = "another";
  given.Add(std::move(again));
  EXPECT_EQ(given.cluster.tasks().live(), 1u);
  EXPECT_EQ(given.task("p").uid(), "another");
  EXPECT_EQ(given.task("p").status(), TaskStatus::kPending);
  EXPECT_EQ(given.cluster.ledger().idle(kCpu, given.node("n").id), 4000);
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
}

TEST(ClusterPods, ANodeThatOnlyAPodNamedIsForgottenWhenThePodIsElsewhere) {
  TestCluster given;
  given.Add(MakeNode("n", {{"cpu", "4"}}));
  given.Add(MakeRunningPod("p", "", {{"cpu", "1"}}, "gone"));
  EXPECT_EQ(given.cluster.node_slots().live(), 2u);
  given.Add(MakeRunningPod("p", "", {{"cpu", "1"}}, "n"));
  EXPECT_EQ(given.cluster.node_slots().live(), 1u);
  EXPECT_EQ(given.cluster.ledger().idle(kCpu, given.node("n").id), 3000);
  given.cluster.RemoveNode("n");
  EXPECT_EQ(given.cluster.node_slots().live(), 1u) << "the pod is there";
  given.cluster.RemovePod("ns", "p");
  EXPECT_EQ(given.cluster.node_slots().live(), 0u);
}

TEST(ClusterPods, OneThatRunsWithoutANodeHoldsNone) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 1));
  kube::Pod pod = MakePod("p", "g", {{"cpu", "1"}});
  pod.status.phase = kube::PodPhase::kUnknown;
  given.Add(std::move(pod));
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
}

TEST(ClusterPods, OneThatRestsOrIsGatedByOthersAsksForNothingOfItsJobsMinimum) {
  TestCluster given;
  given.Add(MakeQueue("q"));
  kube::PodGroup group = MakeGroup("g", "q", 1);
  group.min_resources = testutil::Resources({{"cpu", "5"}});
  given.Add(std::move(group));
  const auto in_queue = [&] {
    EXPECT_EQ(given.cluster.CheckLedgers(), "");
    return given.queue("q").own.in_queue.value().milli_cpu() / 1000;
  };
  EXPECT_EQ(in_queue(), 5);
  given.Add(MakePod("p", "g", {{"cpu", "2"}}));
  EXPECT_EQ(in_queue(), 5);
  for (const Holding& holding :
       {Holding{.resting = true}, Holding{.queue_claim = true, .lapsed = true},
        Holding{.queue_claim = true, .resting = true}, Holding{.lapsed = true}}) {
    given.cluster.Move(given.task("p").id, holding);
    EXPECT_EQ(in_queue(), 3) << holding.queue_claim << holding.lapsed << holding.resting;
    given.cluster.Move(given.task("p").id, {});
    EXPECT_EQ(in_queue(), 5);
  }
  kube::Pod gated = MakePod("p", "g", {{"cpu", "2"}});
  gated.spec.scheduling_gates = {"example.com/g"};
  given.Add(gated);
  EXPECT_EQ(in_queue(), 3);
  given.Add(MakePod("p", "g", {{"cpu", "2"}}));
  EXPECT_EQ(in_queue(), 5) << "the gate is gone";
}

TEST(ClusterPods, AShadowBeginsWhereItsPodStands) {
  struct Row {
    TaskStatus status;
    JobPhase phase;
  };
  for (const Row& row :
       {Row{TaskStatus::kPending, JobPhase::kPending},
        Row{TaskStatus::kPipelined, JobPhase::kInqueue},
        Row{TaskStatus::kBound, JobPhase::kRunning}, Row{TaskStatus::kRunning, JobPhase::kRunning},
        Row{TaskStatus::kReleasing, JobPhase::kRunning},
        Row{TaskStatus::kSucceeded, JobPhase::kCompleted},
        Row{TaskStatus::kFailed, JobPhase::kCompleted}}) {
    TestCluster given;
    given.Add(MakeQueue("q")).Add(MakeNode("n", {{"cpu", "4"}}));
    const auto pod = std::make_shared<const kube::Pod>(MakePod("p", "", {{"cpu", "1"}}));
    const bool placed = row.status != TaskStatus::kPending;
    const TaskId id = given.cluster.SetPod(
        pod, "shadow", {.status = row.status, .node = placed ? given.node("n").id : NodeId{}});
    auto like = std::make_shared<kube::PodGroup>();
    like->min_member = 1;
    given.cluster.SetShadow(id, like, "q");
    EXPECT_EQ(given.job("shadow").phase, row.phase) << ToString(row.status);
    EXPECT_TRUE(given.job("shadow").shadow);
    EXPECT_EQ(*given.job("shadow").min_resources, given.task("p").request());
    given.cluster.SetPhase(given.job("shadow").id, JobPhase::kUnknown);
    given.cluster.SetShadow(id, like, "q");
    EXPECT_EQ(given.job("shadow").phase, JobPhase::kUnknown) << "it is there already";
    given.cluster.RemovePod("ns", "p");
    EXPECT_EQ(given.cluster.FindJob("ns", "shadow"), nullptr) << "it goes with its pod";
  }
}

TEST(ClusterPods, AShadowMayTakeWhatItsPodAsksForNow) {
  TestCluster given;
  given.Add(MakeQueue("q"));
  const auto like = std::make_shared<const kube::PodGroup>();
  for (const char* cpus : {"1", "2"}) {
    given.Add(MakePod("p", "shadow", {{"cpu", cpus}}));
    given.cluster.SetShadow(given.task("p").id, like, "q");
    given.cluster.SetPhase(given.job("shadow").id, JobPhase::kInqueue);
  }
  EXPECT_EQ(given.queue("q").own.in_queue.value().milli_cpu(), 2000);
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
}

TEST(ClusterPods, WhatIsAssumedOfOneThatAsksForNothingIsCountedWhileItIsOnItsNode) {
  TestCluster given;
  given.Add(MakeNode("n", {{"cpu", "4"}})).Add(MakeRunningPod("p", "", {}, "n"));
  const NodeLedger& ledger = given.cluster.ledger();
  const std::size_t node = given.node("n").id.index();
  EXPECT_EQ(ledger.assumed(kCpu)[node], 100);
  EXPECT_EQ(ledger.assumed(kMemory)[node], 200 * 1024 * 1024);
  EXPECT_EQ(given.cluster.placed_classes_bound(), given.task("p").task_class->id + 1);
  given.cluster.RemovePod("ns", "p");
  EXPECT_EQ(ledger.assumed(kCpu)[node], 0);
  EXPECT_EQ(ledger.assumed(kMemory)[node], 0);
}

TEST(ClusterPods, AJobNamesAReservationWhileAPodOfItThatNamesOneWaits) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n", {{"cpu", "4"}})).Add(MakeGroup("g", "q", 1));
  given.Add(MakePod("plain", "g", {{"cpu", "1"}}));
  EXPECT_FALSE(given.job("g").NamesReservation());
  kube::Pod naming = MakePod("naming", "g", {{"cpu", "1"}});
  naming.meta.annotations.Set(annotations::kReservationName, "r");
  given.Add(std::move(naming));
  EXPECT_EQ(given.job("g").pending_naming, 1);
  EXPECT_TRUE(given.job("g").NamesReservation());
  given.cluster.Move(given.task("naming").id,
                     {.status = TaskStatus::kAllocated, .node = given.node("n").id});
  EXPECT_FALSE(given.job("g").NamesReservation());
}

TEST(ClusterPods, AGroupThatExistsIsNoShadow) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 3)).Add(MakePod("p", "g", {{"cpu", "1"}}));
  given.cluster.SetShadow(given.task("p").id, std::make_shared<const kube::PodGroup>(), "other");
  EXPECT_FALSE(given.job("g").shadow);
  EXPECT_EQ(given.job("g").min_available, 3);
  EXPECT_EQ(given.job("g").queue, given.queue("q").id);
}

TEST(ClusterGroups, OneThatGoesStaysInItsQueueWhilePodsOfItHoldNodes) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n", {{"cpu", "4"}})).Add(MakeGroup("g", "q", 1));
  given.Add(MakeRunningPod("runs", "g", {{"cpu", "1"}}, "n"));
  given.cluster.RemoveGroup("ns", "g");
  EXPECT_EQ(given.job("g").queue, given.queue("q").id);
  EXPECT_EQ(given.queue("q").own.allocated.value().milli_cpu(), 1000);
  EXPECT_EQ(given.cluster.groupless_jobs().size(), 0u) << "nothing of it waits";
  given.Add(MakePod("waits", "g", {{"cpu", "1"}}));
  EXPECT_EQ(given.cluster.groupless_jobs().size(), 1u);
  given.cluster.RemovePod("ns", "waits");
  given.cluster.RemovePod("ns", "runs");
  EXPECT_EQ(given.cluster.FindJob("ns", "g"), nullptr);
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
}

TEST(ClusterGroups, OneThatGoesWithPodsThatWaitLeavesItsQueue) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 1)).Add(MakePod("p", "g", {{"cpu", "1"}}));
  EXPECT_EQ(given.queue("q").own.request.value().milli_cpu(), 1000);
  given.cluster.RemoveGroup("ns", "g");
  EXPECT_FALSE(given.job("g").queue.valid());
  EXPECT_EQ(given.queue("q").own.request.value().milli_cpu(), 0);
  EXPECT_TRUE(given.queue("q").jobs.empty());
  EXPECT_EQ(given.cluster.groupless_jobs(), std::vector{given.job("g").id});
  EXPECT_TRUE(given.cluster.active_jobs().empty());
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
}

TEST(ClusterGroups, OneThatGoesTakesItsMinimumAlong) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n", {{"cpu", "4"}}));
  kube::PodGroup group = MakeGroup("g", "q", 1);
  group.min_resources = testutil::Resources({{"cpu", "1"}});
  given.Add(std::move(group)).Add(MakeRunningPod("runs", "g", {{"cpu", "3"}}, "n"));
  EXPECT_EQ(given.queue("q").own.elastic.value().milli_cpu(), 2000);
  given.cluster.RemoveGroup("ns", "g");
  EXPECT_EQ(given.queue("q").own.elastic.value().milli_cpu(), 3000);
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
}

TEST(ClusterGroups, OneThatChangesIsReadAnew) {
  TestCluster given;
  given.Add(MakeQueue("q"));
  kube::PodGroup group = MakeGroup("g", "q", 3);
  group.min_resources = testutil::Resources({{"cpu", "1"}});
  group.min_task_member = {{"master", 1}, {"worker", 3}};
  given.Add(group).Add(group);
  EXPECT_EQ(given.job("g").role_min_total, 4);
  EXPECT_FALSE(given.job("g").RolesCount()) << "together more than the group's own minimum";
  EXPECT_EQ(given.job("g").min_resources, Amounts(1000, 0));
  given.Add(MakeGroup("g", "q", 3));
  EXPECT_TRUE(given.job("g").RolesCount());
  EXPECT_FALSE(given.job("g").min_resources.has_value());
}

TEST(ClusterGroups, WhatNobodyOffersIsNamedAmongTheOthersByItsName) {
  TestCluster given;
  given.Add(MakeQueue("q"));
  kube::PodGroup group = MakeGroup("g", "q", 1);
  group.min_resources = testutil::Resources({{"cpu", "1"}, {"a.example.com/x", "1"}});
  given.Add(std::move(group));
  EXPECT_EQ(given.cluster.LackingNames(Bit(kCpu) | Bit(kMemory), given.job("g")),
            (std::vector<std::string>{"a.example.com/x", "cpu", "memory"}));
}

TEST(ClusterNodes, TheLogSaysWhichChangedSinceItWasCut) {
  TestCluster given;
  given.Add(MakeNode("a", {{"cpu", "1"}})).Add(MakeNode("b", {{"cpu", "1"}}));
  EXPECT_EQ(given.cluster.node_log(), (std::vector{given.node("a").id, given.node("b").id}));
  given.cluster.CutNodeLog();
  EXPECT_TRUE(given.cluster.node_log().empty());
  EXPECT_EQ(given.cluster.node_log_start(), 2u);
  given.Add(MakeRunningPod("p", "", {{"cpu", "1"}}, "b"));
  EXPECT_EQ(given.cluster.node_log(), std::vector{given.node("b").id});
  EXPECT_GT(given.node("b").generation, given.node("b").object_generation);
  EXPECT_EQ(given.node("a").generation, given.node("a").object_generation);
  const std::vector both = {given.node("b").id, given.node("a").id};
  given.cluster.RemoveNode("a");
  EXPECT_EQ(given.cluster.node_log(), both);
}

TEST(ClusterNodes, TheLogIsCutWhereNobodyElseDoesIt) {
  TestCluster given;
  given.Add(MakeNode("n", {{"cpu", "1"}})).Add(MakePod("p", "", {{"cpu", "1"}}));
  given.cluster.CutNodeLog();
  const std::uint64_t start = given.cluster.node_log_start();
  constexpr int kLongest = 1 << 18;
  const Holding there = {.status = TaskStatus::kAllocated, .node = given.node("n").id};
  for (int i = 0; i <= kLongest; ++i) {
    given.cluster.Move(given.task("p").id, i % 2 ? Holding{} : there);
  }
  EXPECT_EQ(given.cluster.node_log_start(), start + kLongest);
  EXPECT_EQ(given.cluster.node_log().size(), 1u);
}

TEST(ClusterNodes, LabelsAreThoseOfTheNodesAsTheyAre) {
  TestCluster given;
  for (const char* zone : {"a", "b"}) {
    kube::Node node = MakeNode("n1", {{"cpu", "1"}});
    node.meta.labels.Set("zone", zone);
    given.Add(std::move(node));
  }
  EXPECT_EQ(given.cluster.node_labels().NodesWith("zone", "a"), 0);
  EXPECT_EQ(given.cluster.node_labels().NodesWith("zone", "b"), 1);
  given.cluster.RemoveNode("n1");
  EXPECT_EQ(given.cluster.node_labels().NodesWith("zone", "b"), 0);
}

TEST(ClusterNodes, AreInTheOrderOfTheirNamesHoweverTheyCome) {
  TestCluster given;
  const auto names = [&] {
    std::string text;
    for (const NodeId id : given.cluster.nodes()) text += given.cluster.node(id).name + " ";
    return text;
  };
  const std::uint64_t at_first = given.cluster.node_set_generation();
  for (const char* name : {"c", "a", "b"}) given.Add(MakeNode(name, {{"cpu", "1"}}));
  EXPECT_EQ(names(), "a b c ");
  EXPECT_EQ(given.cluster.node_set_generation(), at_first + 3);
  given.Add(MakeNode("b", {{"cpu", "2"}}));
  EXPECT_EQ(given.cluster.node_set_generation(), at_first + 3) << "it was there";
  given.cluster.RemoveNode("a");
  given.cluster.RemoveNode("a");
  EXPECT_EQ(names(), "b c ");
  EXPECT_EQ(given.cluster.node_set_generation(), at_first + 4);
  EXPECT_EQ(given.cluster.total_allocatable().milli_cpu(), 3000);
}

TEST(ClusterNodes, OneThatComesOrGoesTakesWhatIsHeldOnItAlong) {
  TestCluster given;
  given.Add(MakeRunningPod("runs", "", {{"cpu", "1"}}, "n"));
  given.Add(MakeRunningPod("leaves", "", {{"cpu", "2"}}, "n"));
  given.cluster.Move(given.task("leaves").id,
                     {.status = TaskStatus::kReleasing, .node = given.task("leaves").node()});
  EXPECT_EQ(given.cluster.total_held().milli_cpu(), 0) << "nothing of a node that is not there";
  given.Add(MakeNode("n", {{"cpu", "4"}}));
  EXPECT_EQ(given.cluster.total_held().milli_cpu(), 1000) << "what leaves is as good as gone";
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
  given.cluster.RemoveNode("n");
  EXPECT_EQ(given.cluster.total_held().milli_cpu(), 0);
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
}

// Two clusters that differ in what one task holds have different digests, and the way there and
// back leaves none.
TEST(ClusterHash, TellsWhatATaskHolds) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 1)).Add(MakePod("p", "g", {{"cpu", "1"}}));
  for (const char* name : {"n1", "n2"}) given.Add(MakeNode(name, {{"cpu", "4"}}));
  const NodeId n1 = given.node("n1").id, n2 = given.node("n2").id;
  const std::vector<Holding> holdings = {
      {},
      {.queue_claim = true},
      {.lapsed = true},
      {.resting = true},
      {.queue_claim = true, .lapsed = true},
      {.status = TaskStatus::kPipelined, .node = n1},
      {.status = TaskStatus::kPipelined, .node = n2},
      {.status = TaskStatus::kPipelined, .node = n1, .after_eviction = true},
      {.status = TaskStatus::kPipelined, .node = n1, .restored = true},
      {.status = TaskStatus::kAllocated, .node = n1},
      {.status = TaskStatus::kBinding, .node = n1},
      {.status = TaskStatus::kBound, .node = n1},
      {.status = TaskStatus::kRunning, .node = n1},
      {.status = TaskStatus::kReleasing, .node = n1},
      {.status = TaskStatus::kReleasing, .node = n1, .overdue = true},
      {.status = TaskStatus::kSucceeded},
      {.status = TaskStatus::kFailed}};
  std::vector<std::uint64_t> hashes;
  for (const Holding& holding : holdings) {
    given.cluster.Move(given.task("p").id, holding);
    EXPECT_EQ(given.cluster.CheckLedgers(), "") << hashes.size();
    hashes.push_back(given.cluster.Hash());
  }
  for (std::size_t i = 0; i < holdings.size(); ++i) {
    given.cluster.Move(given.task("p").id, holdings[i]);
    EXPECT_EQ(given.cluster.Hash(), hashes[i]) << i;
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(hashes[i], hashes[j]) << i << " " << j;
  }
}

TEST(ClusterHash, TellsAPhaseAndAJobThatHasNews) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 1));
  const JobId job = given.job("g").id;
  const std::uint64_t before = given.cluster.Hash();
  given.cluster.Settle(job);
  const std::uint64_t settled = given.cluster.Hash();
  EXPECT_NE(settled, before);
  given.cluster.SetPhase(job, JobPhase::kRunning);
  EXPECT_NE(given.cluster.Hash(), settled);
  given.cluster.SetPhase(job, JobPhase::kInqueue);
  EXPECT_EQ(given.cluster.Hash(), settled);
}

TEST(BuiltinQueues, TheRootHasNoParentAndGivesNothingBack) {
  EXPECT_EQ(BuiltinQueueBody("root"),
            R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue",)"
            R"("metadata":{"name":"root"},"spec":{"weight":1,"reclaimable":false}})");
  EXPECT_EQ(
      BuiltinQueueBody("default"),
      R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue",)"
      R"("metadata":{"name":"default"},"spec":{"weight":1,"reclaimable":true,"parent":"root"}})");
}

}  // namespace
}  // namespace basalt::model
