// Why the pods of a job wait, as their conditions say it.
#include "scheduler/framework/pod_wait.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "model/annotations.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/session.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

// A gang is ready, and valid, when it has its minimum.
class Gangs final : public Plugin, public JobReadiness, public JobValidator {
 public:
  bool IsJobReady(const Job& job) const override { return job.IsReady(); }
  Verdict ValidateJob(const Job& job) const override {
    return job.valid_tasks() < job.min_available ? Verdict::Unschedulable("NotEnoughPods")
                                                 : Verdict::Ok();
  }
};

const PluginRegistry kGangs{
    {{"gangs", []() -> std::unique_ptr<Plugin> { return std::make_unique<Gangs>(); }}}};

class PodWaitTest : public testing::Test {
 protected:
  PodWaitTest() {
    given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "8"}}));
    plugins_ = testutil::MakePlugins(testutil::OneTier({"gangs"}), kGangs);
  }
  // A gang of pods a, b, …, which ask for 1, 2, … CPUs: no two are alike.
  void AddGang(int pods, int min_member) {
    given_.Add(MakeGroup("g", "q", min_member));
    for (int i = 0; i < pods; ++i) {
      given_.Add(MakePod(std::string(1, static_cast<char>('a' + i)), "g",
                         {{"cpu", std::to_string(i + 1)}}));
    }
  }
  Session& Open() {
    if (!session_) session_.emplace(given_.cluster, *plugins_, kTestNow);
    return *session_;
  }
  void Fail(std::string_view pod, std::string why, bool nodes_would_help) {
    Open().RecordFailure(given_.task(pod),
                         {.other = std::move(why), .nodes_would_help = nodes_would_help});
  }
  // By pod: "reason: message".
  std::map<std::string, std::string> Why() {
    std::map<std::string, std::string> why;
    for (const PodWait& wait : Open().WhyPodsWait(given_.job("g"))) {
      why[wait.task->name()] = fmt::format("{}: {}", wait.reason, wait.message);
    }
    return why;
  }

  TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(PodWaitTest, NothingIsSaidOfPodsOfWhichNothingIsKnown) {
  AddGang(2, 0);
  EXPECT_THAT(Why(), IsEmpty());
}

TEST_F(PodWaitTest, WhereTheJobIsReadyEachPodHasItsOwnReason) {
  AddGang(2, 0);
  Fail("a", "no room", true);
  EXPECT_THAT(Why(), ElementsAre(Pair("a", "Unschedulable: no room")));
}

TEST_F(PodWaitTest, OfAGangThatCannotStartThoseThatWouldFitSayWhichOneDoesNot) {
  AddGang(2, 2);
  Fail("b", "no room", true);
  EXPECT_THAT(Why(),
              ElementsAre(Pair("a", "Unschedulable: the pod's group cannot start: b: no room"),
                          Pair("b", "Unschedulable: no room")));
}

TEST_F(PodWaitTest, TheFirstOfThoseThatFailedIsNamed) {
  AddGang(4, 4);
  Fail("d", "no room for d", true);
  Fail("b", "no room for b", true);
  Fail("c", "no room for c", true);
  EXPECT_EQ(Why()["a"], "Unschedulable: the pod's group cannot start: b: no room for b");
}

TEST_F(PodWaitTest, WhereTheOthersAreEnoughOneThatNodesWouldHelpIsNamedBeforeOneThatTheyWouldNot) {
  AddGang(4, 2);
  Fail("b", "its queue is full", false);
  Fail("c", "no room", true);
  EXPECT_EQ(Why()["a"], "Unschedulable: the pod's group cannot start: c: no room");
  EXPECT_EQ(Why()["b"], "WaitingForQueue: its queue is full");
  EXPECT_EQ(Why()["c"], "Unschedulable: no room");
}

TEST_F(PodWaitTest, WhereTheGangCannotStartWithoutThemThoseThatNodesWouldNotHelpAreNamed) {
  AddGang(4, 4);
  Fail("b", "no room", true);
  Fail("d", "its queue is full", false);
  Fail("c", "its queue is full too", false);
  EXPECT_EQ(Why()["a"], "WaitingForQueue: the pod's group cannot start: c: its queue is full too");
  EXPECT_EQ(Why()["b"], "WaitingForQueue: no room") << "no autoscaler is to hear of any of them";
  EXPECT_EQ(Why()["d"], "WaitingForQueue: its queue is full");
}

TEST_F(PodWaitTest, AnyThatFailedIsNamedWhereNoneIsOfTheKindThatIsLookedFor) {
  AddGang(3, 2);
  Fail("b", "its queue is full", false);
  EXPECT_EQ(Why()["a"], "Unschedulable: the pod's group cannot start: b: its queue is full");
}

TEST_F(PodWaitTest, ThoseThatRunOrArePromisedANodeCountTowardsEnough) {
  AddGang(2, 3);
  given_.Add(MakeRunningPod("r", "g", {{"cpu", "1"}}, "n1")).Add(MakePod("p", "g", {{"cpu", "3"}}));
  given_.cluster.Move(given_.task("p").id,
                      {.status = model::TaskStatus::kPipelined, .node = given_.node("n1").id});
  Fail("b", "its queue is full", false);
  EXPECT_EQ(Why()["a"], "Unschedulable: the pod's group cannot start: b: its queue is full")
      << "with a there would be three";
}

TEST_F(PodWaitTest, APodBehindAGateOfOthersIsNotAmongThoseThatAreEnough) {
  AddGang(2, 1);
  kube::Pod held = MakePod("c", "g", {{"cpu", "3"}});
  held.spec.scheduling_gates = {"example.com/x"};
  given_.Add(std::move(held));
  Fail("a", "its queue is full", false);
  Fail("b", "its queue is full", false);
  EXPECT_EQ(Why()["c"], "WaitingForQueue: the pod's group cannot start: a: its queue is full");
}

TEST_F(PodWaitTest, PodsThatAreAlikeShareOneReasonAndOnesThatTheirQueueAdmittedAreNotAlike) {
  given_.Add(MakeGroup("g", "q", 0));
  for (const char* name : {"a", "b", "c"}) given_.Add(MakePod(name, "g", {{"cpu", "1"}}));
  given_.cluster.Move(given_.task("c").id, {.queue_claim = true});
  Fail("b", "no room for b", true);
  Fail("a", "no room for a", true);
  EXPECT_THAT(Why(), ElementsAre(Pair("a", "Unschedulable: no room for a"),
                                 Pair("b", "Unschedulable: no room for a")));
}

TEST_F(PodWaitTest, WhatKeepsTheWholeJobBackIsSaidOfAllUnlessAPodHasItsOwn) {
  AddGang(2, 2);
  Open().RecordFailure(given_.job("g"), {.other = "the queue has its share"});
  Fail("b", "no room", true);
  EXPECT_THAT(Why(), ElementsAre(Pair("a", "Unschedulable: the queue has its share"),
                                 Pair("b", "Unschedulable: no room")));
  Open().RecordFailure(given_.job("g"),
                       {.other = "the queue is closed", .nodes_would_help = false});
  EXPECT_EQ(Why()["a"], "WaitingForQueue: the queue is closed");
  Open().RecordFailure(given_.job("g"), {.other = "over quota", .reason = "QuotaExceeded"});
  EXPECT_EQ(Why()["a"], "QuotaExceeded: over quota");
  Open().ForgetFailures(given_.job("g"));
  EXPECT_THAT(Why(), IsEmpty());
}

TEST_F(PodWaitTest, AGangThatHasTooFewPodsSaysSoAfterAWhile) {
  AddGang(2, 3);
  const std::vector<PodWait> waits = Open().WhyPodsWait(given_.job("g"));
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(waits[0].cause, PodWait::Cause::kInvalid);
  EXPECT_EQ(waits[0].reason, "NotEnoughPods");
  EXPECT_EQ(waits[0].message, "the group needs 3 pods and has 2");
  EXPECT_EQ(waits[0].patience, kPodsMayCome);
}

TEST_F(PodWaitTest, WhatIsNotSupportedIsSaidAtOnceWhateverElseIsWrong) {
  kube::PodGroup group = MakeGroup("g", "q", 9);
  group.network_topology.emplace().mode = kube::NetworkTopology::Mode::kHard;
  given_.Add(std::move(group)).Add(MakePod("a", "g", {{"cpu", "1"}}));
  Fail("a", "no room", true);
  const std::vector<PodWait> waits = Open().WhyPodsWait(given_.job("g"));
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_THAT(waits[0].message, testing::HasSubstr("a hard network topology"));
  EXPECT_EQ(waits[0].patience, 0s);
}

// ---- members behind gates

struct GatedRow {
  const char* name;
  int min_member;
  std::vector<std::pair<std::string, std::int32_t>> roles = {};
  // In their order: role, and its gates ("": none; "Q": the queue's alone; "O": opted in to it).
  std::vector<std::pair<std::string, std::string>> pods;
  bool gates_enabled = true;
  std::vector<std::string> held;
};

class GatedMembersTest : public testing::TestWithParam<GatedRow> {};

TEST_P(GatedMembersTest, AreThoseThatTheJobCannotStartWithout) {
  const GatedRow& row = GetParam();
  const std::string ours(model::annotations::kQueueAllocationGate);
  TestCluster given;
  given.cluster.SetGatesEnabled(row.gates_enabled);
  given.Add(MakeQueue("q"));
  kube::PodGroup group = MakeGroup("g", "q", row.min_member);
  group.min_task_member = row.roles;
  given.Add(std::move(group));
  int number = 0;
  for (const auto& [role, gates] : row.pods) {
    kube::Pod pod = MakePod("g-p-" + std::to_string(number++), "g", {{"cpu", "1"}});
    pod.meta.annotations.Set(model::annotations::kTaskSpec, role);
    if (gates == "O") pod.meta.annotations.Set(ours, "true");
    if (gates == "Q" || gates == "O") {
      pod.spec.scheduling_gates = {ours};
    } else if (!gates.empty()) {
      pod.spec.scheduling_gates = {gates};
    }
    given.Add(std::move(pod));
  }
  EXPECT_EQ(testutil::Names(GatedMembers(given.cluster, given.job("g"))), row.held);
}

INSTANTIATE_TEST_SUITE_P(
    PodWait, GatedMembersTest,
    testing::ValuesIn<GatedRow>({
        {.name = "NoneWhereNobodyIsGated", .min_member = 2, .pods = {{"", ""}, {"", ""}}},
        {.name = "OneThatIsNeeded",
         .min_member = 2,
         .pods = {{"", ""}, {"", "x"}},
         .held = {"g-p-1"}},
        {.name = "NoneThatTheJobCanDoWithout", .min_member = 1, .pods = {{"", ""}, {"", "x"}}},
        {.name = "AllOfThoseOfWhichOneIsNeededInTheirOrder",
         .min_member = 2,
         .pods = {{"", "x"}, {"", ""}, {"", "x"}},
         .held = {"g-p-0", "g-p-2"}},
        {.name = "NoneThatWaitsAtItsQueuesGate", .min_member = 2, .pods = {{"", ""}, {"", "O"}}},
        {.name = "OneBehindTheQueuesGateThatDidNotOptIn",
         .min_member = 2,
         .pods = {{"", ""}, {"", "Q"}},
         .held = {"g-p-1"}},
        {.name = "NotSoWhereTheQueuesGatesAreSwitchedOff",
         .min_member = 2,
         .pods = {{"", ""}, {"", "Q"}},
         .gates_enabled = false},
        {.name = "AGateOfOthersWhetherOrNotTheQueuesGatesAreOn",
         .min_member = 2,
         .pods = {{"", ""}, {"", "x"}},
         .gates_enabled = false,
         .held = {"g-p-1"}},
        {.name = "OneOfARoleThatLacksIt",
         .min_member = 2,
         .roles = {{"m", 1}, {"w", 1}},
         .pods = {{"w", ""}, {"w", ""}, {"m", "x"}},
         .held = {"g-p-2"}},
        {.name = "OnlyOfTheRoleThatLacksIt",
         .min_member = 2,
         .roles = {{"m", 1}, {"w", 1}},
         .pods = {{"w", ""}, {"w", "x"}, {"w", ""}, {"m", "x"}},
         .held = {"g-p-3"}},
        {.name = "NoneOfARoleThatHasJustEnoughWithoutIt",
         .min_member = 2,
         .roles = {{"m", 1}, {"w", 1}},
         .pods = {{"w", ""}, {"w", "x"}, {"m", ""}}},
        {.name = "NoRoleWhereTheirMinimaDoNotCount",
         .min_member = 2,
         .roles = {{"m", 1}, {"w", 2}},
         .pods = {{"w", ""}, {"w", ""}, {"m", "x"}}},
    }),
    [](const auto& row) { return std::string(row.param.name); });

TEST(GatesInTheWayTest, AreThoseOfOthersOrOursWhereItIsAlone) {
  const std::string ours(model::annotations::kQueueAllocationGate);
  kube::Pod pod;
  pod.spec.scheduling_gates = {ours};
  EXPECT_THAT(GatesInTheWay(pod), ElementsAre(ours));
  pod.spec.scheduling_gates = {"x", ours, "y"};
  EXPECT_THAT(GatesInTheWay(pod), ElementsAre("x", "y"));
}

TEST(GatesInTheWayTest, ThreeMembersAreNamedAndTheRestCounted) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 5));
  std::vector<const Task*> members;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "p" + std::to_string(i);
    kube::Pod pod = MakePod(name, "g", {{"cpu", "1"}});
    pod.spec.scheduling_gates = {"x"};
    if (i == 1) pod.spec.scheduling_gates = {"x", "y"};
    given.Add(std::move(pod));
    members.push_back(&given.task(name));
  }
  const std::string start =
      "the group needs 5 pods and cannot start without those behind gates: p0 is held back by "
      "scheduling gate x, p1 is held back by scheduling gates x, y, p2 is held back by scheduling "
      "gate x";
  EXPECT_EQ(DescribeGatedMembers(given.job("g"), members), start + " and 2 more");
  members.resize(3);
  EXPECT_EQ(DescribeGatedMembers(given.job("g"), members), start);
}

TEST(GatesInTheWayTest, ThreeGatesOfAMemberAreNamedAndTheRestCounted) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 1));
  kube::Pod pod = MakePod("p", "g", {{"cpu", "1"}});
  for (int i = 0; i < 300; ++i) pod.spec.scheduling_gates.push_back("x" + std::to_string(i));
  given.Add(std::move(pod));
  EXPECT_THAT(DescribeGatedMembers(given.job("g"), {&given.task("p")}),
              testing::EndsWith("p is held back by scheduling gates x0, x1, x2 and 297 more"));
}

// ---- texts about jobs

class JobTextTest : public PodWaitTest {
 protected:
  std::string Lack(model::DimensionSet lacking) {
    return NodesLack(Open(), given_.job("g"), lacking);
  }
  void AddGroup(testutil::Amounts minimum) {
    kube::PodGroup group = MakeGroup("g", "q", 1);
    group.min_resources = testutil::Resources(minimum);
    given_.Add(std::move(group));
  }
};

TEST_F(JobTextTest, AJobOfWhichNoGroupIsKnownAsksForNothingThatIsNotSupported) {
  given_.Add(MakePod("early", "missing", {}));
  EXPECT_EQ(NotSupported(given_.job("missing")), "");
}

TEST_F(JobTextTest, SubGroupsAndHardTopologiesAreNotSupportedAndSoftOnesAre) {
  kube::PodGroup group = MakeGroup("g", "q", 1);
  group.network_topology.emplace().mode = kube::NetworkTopology::Mode::kSoft;
  given_.Add(group);
  EXPECT_EQ(NotSupported(given_.job("g")), "");
  group.sub_group_policy.emplace_back();
  given_.Add(group);
  EXPECT_THAT(std::string(NotSupported(given_.job("g"))), testing::HasSubstr("sub-groups"));
  EXPECT_THAT(WhyInvalid(given_.job("g")), testing::HasSubstr("sub-groups"));
}

TEST_F(JobTextTest, TheRoleThatLacksPodsIsNamed) {
  kube::PodGroup group = MakeGroup("g", "q", 3);
  group.min_task_member = {{"m", 1}, {"w", 2}};
  given_.Add(std::move(group));
  for (const char* name : {"w-0", "w-1", "w-2"}) {
    kube::Pod pod = MakePod(name, "g", {{"cpu", "1"}});
    pod.meta.annotations.Set(model::annotations::kTaskSpec, "w");
    given_.Add(std::move(pod));
  }
  EXPECT_EQ(WhyInvalid(given_.job("g")), "the group needs 1 pods of task m and has 0");
}

TEST_F(JobTextTest, WhatNodesLackIsSaidByWhetherMoreOfThemWouldHelp) {
  AddGroup({{"cpu", "4"}});
  given_.Add(MakePod("a", "g", {{"cpu", "2"}}));
  EXPECT_EQ(Lack(model::Bit(model::kCpu)), "the nodes have not enough cpu left");
  given_.Add(MakePod("b", "g", {{"cpu", "9"}}));
  EXPECT_EQ(Lack(model::Bit(model::kCpu)), "a pod asks for more cpu than any node has");
}

TEST_F(JobTextTest, WhatAllNodesTogetherHaveNotIsSaidSo) {
  AddGroup({{"cpu", "9"}});
  given_.Add(MakePod("a", "g", {{"cpu", "2"}}));
  EXPECT_EQ(Lack(model::Bit(model::kCpu)), "all nodes together have not enough cpu");
  EXPECT_EQ(Lack(model::Bit(model::kMemory)), "the nodes have not enough memory left")
      << "of memory it does not ask for so much";
}

TEST_F(JobTextTest, WithoutNodesNothingElseIsSaid) {
  AddGroup({{"cpu", "9"}});
  given_.cluster.RemoveNode("n1");
  EXPECT_EQ(Lack(model::Bit(model::kCpu)), "the cluster has no nodes");
}

TEST_F(JobTextTest, AResourceThatNoNodeHasIsNamed) {
  AddGroup({{"example.com/dongle", "1"}});
  EXPECT_EQ(Lack(0), "no node has example.com/dongle");
}

TEST_F(JobTextTest, OfVeryManyThatNoNodeHasTheFirstAreNamedAndTheOthersCounted) {
  kube::PodGroup group = MakeGroup("g", "q", 1);
  group.min_resources.emplace();
  std::string first;
  for (int i = 10; i < 35; ++i) {
    const std::string name = "example.com/x" + std::to_string(i);
    group.min_resources->Set(name, kube::Quantity::Of(1));
    if (i < 30) first += (first.empty() ? "" : ", ") + name;
  }
  given_.Add(std::move(group));
  EXPECT_EQ(Lack(0), "no node has " + first + " and 5 more");
}

TEST_F(JobTextTest, AQueueThatLacksSomethingIsNamedWithAllOfIt) {
  const model::Shortfall shortfall{given_.queue("q").id,
                                   model::Bit(model::kCpu) | model::Bit(model::kMemory)};
  EXPECT_EQ(QueueLacks(Open(), shortfall), "queue q has not enough cpu, memory left");
}

}  // namespace
}  // namespace basalt::scheduler
