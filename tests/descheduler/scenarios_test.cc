// deps: basalt_testing_scheduling basalt_descheduler_service
// The descheduler from end to end, on virtual time: an embedded cluster whose nodes run pods, the
// controllers that replace them, the scheduler that keeps their places.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "kube/types/time.h"
#include "tests/descheduler/descheduler_cluster.h"

namespace basalt::systemtest {
namespace {

namespace resources = kube::resources;
using descheduler::MoveState;
using descheduler::PlanState;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testutil::TextAt;

std::vector<std::string> Outcomes(const Plan& plan) {
  std::vector<std::string> out;
  for (const auto& move : plan.moves) {
    out.push_back(
        fmt::format("{}{}{}", ToString(move.state), move.reason.empty() ? "" : " ", move.reason));
  }
  return out;
}

std::string NodeName(int i) { return fmt::format("n{:02}", i); }

TEST(DeschedulerScenarioTest, FiftyNodesWithScatteredPodsMakeRoomForAGangThatFitsNowhere) {
  DeschedulerCluster c;
  for (int i = 1; i <= 50; ++i) c.AddNode(NodeName(i));
  for (int app = 0; app < 10; ++app) {
    std::vector<std::string> nodes;
    for (int i = 0; i < 10; ++i) nodes.push_back(NodeName(1 + (app * 7 + i * 5) % 50));
    const std::string name = fmt::format("app{}", app);
    c.AddPods(name, "1", nodes);
    c.AddBudget(name, 8);
    c.watch().Guard(name, 8);
  }
  c.AddGang("gang", 20, "8");
  c.Start();
  EXPECT_EQ(c.Running("gang"), 0) << "it fits nowhere";
  const Plan plan = c.RunPlan();
  EXPECT_EQ(plan.state, PlanState::kSucceeded) << testing::PrintToString(Outcomes(plan));
  EXPECT_GE(plan.freed_nodes.size(), 20u);
  std::cout << fmt::format("{} moves free {} nodes\n", plan.moves.size(), plan.freed_nodes.size());
  c.Run(30s);
  EXPECT_EQ(c.watch().violations(), "");
  EXPECT_EQ(c.watch().evictions(), static_cast<int>(plan.moves.size()));
  EXPECT_EQ(c.Running("gang"), 20);
  for (int app = 0; app < 10; ++app) EXPECT_EQ(c.Running(fmt::format("app{}", app)), 10);
  EXPECT_EQ(c.Leftovers(), "");
  // Every replacement is where its place was held: no app has a pod on a node that was emptied.
  std::map<std::string, std::map<std::string, int>> expected, found;
  for (const auto& move : plan.moves) ++expected[move.to][move.pod.substr(0, move.pod.rfind('-'))];
  for (const json::value& pod : c.cluster().List(resources::kPods, "default")) {
    const std::string app = TextAt(pod, "metadata.labels.app");
    const std::string name = TextAt(pod, "metadata.name");
    const bool original =
        name.size() <= app.size() + 2;  // "app0-3"; replacements have five letters
    if (app != "gang" && !original) ++found[TextAt(pod, "spec.nodeName")][app];
  }
  EXPECT_EQ(found, expected);
  // And a second run has nothing to do.
  const Plan again = c.RunPlan();
  EXPECT_THAT(again.moves, IsEmpty());
  EXPECT_EQ(again.state, PlanState::kSucceeded);
}

class DeschedulerTest : public testing::Test {
 protected:
  // Two nodes of which one can be emptied: `pods` of an app on n1, and one of the other on n2.
  void TwoNodes(DeschedulerCluster& c, int pods,
                const std::function<void(testutil::PodBuilder&)>& change = {}) {
    c.AddNode("n1", "10");
    c.AddNode("n2", "10");
    c.AddPods("web", "1", std::vector<std::string>(pods, "n1"), change);
    c.AddPods("base", "5", {"n2"});
  }
};

TEST_F(DeschedulerTest, AFullQueueDoesNotStopAMove) {
  // Also where what a queue deserves is no more than its pods ask for, as Volcano divides it.
  std::string by_weight(scheduler::DefaultConfigYaml());
  by_weight.replace(by_weight.find("capacity"), std::string_view("capacity").size(), "proportion");
  for (const std::string& config : {std::string(scheduler::DefaultConfigYaml()), by_weight}) {
    DeschedulerCluster::Options options;
    options.scheduler_config = config;
    DeschedulerCluster c(options);
    c.cluster().Create(
        testutil::MakeQueue("full").Set("spec.capability", json::object{{"cpu", "2"}}));
    TwoNodes(c, 2, [](testutil::PodBuilder& pod) {
      pod.Annotation("scheduling.volcano.sh/queue-name", "full");
    });
    c.Start();
    const Plan plan = c.RunPlan();
    EXPECT_EQ(plan.state, PlanState::kSucceeded) << testing::PrintToString(Outcomes(plan));
    EXPECT_THAT(plan.moves, SizeIs(2));
    EXPECT_EQ(c.NodesOf("web")["n2"], 2);
    EXPECT_EQ(c.watch().violations(), "");
    EXPECT_EQ(c.Leftovers(), "");
  }
}

TEST_F(DeschedulerTest, AGangAtItsMinimumIsLeftAlone) {
  DeschedulerCluster c;
  c.cluster().Create(testutil::MakePodGroup("g", 3));
  TwoNodes(c, 3, [](testutil::PodBuilder& pod) { pod.Group("g"); });
  c.Start();
  const Plan plan = c.RunPlan();
  EXPECT_EQ(plan.state, PlanState::kSucceeded) << testing::PrintToString(Outcomes(plan));
  EXPECT_THAT(plan.moves, IsEmpty());
  ASSERT_THAT(plan.blocked, SizeIs(1));
  EXPECT_EQ(plan.blocked[0].reason, "GangMinimum");
  EXPECT_EQ(c.watch().evictions(), 0);
  EXPECT_EQ(c.Leftovers(), "");
}

TEST_F(DeschedulerTest, AGangAboveItsMinimumMovesAndItsMinimumRunsAtEveryMoment) {
  for (const int min_member : {1, 2}) {
    DeschedulerCluster c;
    c.cluster().Create(testutil::MakePodGroup("g", min_member));
    TwoNodes(c, 3, [](testutil::PodBuilder& pod) { pod.Group("g"); });
    c.watch().Guard("web", min_member);
    c.Start();
    const Plan plan = c.RunPlan();
    EXPECT_EQ(plan.state, PlanState::kSucceeded) << testing::PrintToString(Outcomes(plan));
    EXPECT_THAT(plan.moves, SizeIs(3));
    c.Run(5s);
    EXPECT_EQ(c.watch().violations(), "");
    EXPECT_EQ(c.watch().evictions(), 3);
    EXPECT_EQ(c.NodesOf("web"), (std::map<std::string, int>{{"n2", 3}}));
    EXPECT_EQ(c.Leftovers(), "");
  }
}

TEST_F(DeschedulerTest, AGangOnManySourcesKeepsItsMinimumThroughTheWholeRun) {
  DeschedulerCluster c;
  c.cluster().Create(testutil::MakePodGroup("g", 5));
  c.AddNode("t", "20");
  c.AddPods("base", "13", {"t"});
  for (int i = 1; i <= 6; ++i) c.AddNode(NodeName(i), "10");
  c.AddPods("web", "1", {"n01", "n02", "n03", "n04", "n05", "n06"},
            [](testutil::PodBuilder& pod) { pod.Group("g"); });
  c.watch().Guard("web", 5);
  c.Start();
  const Plan plan = c.RunPlan();
  EXPECT_EQ(plan.state, PlanState::kSucceeded) << testing::PrintToString(Outcomes(plan));
  c.Run(5s);
  EXPECT_EQ(c.watch().violations(), "");
  EXPECT_EQ(c.NodesOf("web"), (std::map<std::string, int>{{"t", 6}}));
  EXPECT_EQ(c.Leftovers(), "");
}

TEST_F(DeschedulerTest, PodsOfAnotherSchedulerAreLeftAlone) {
  DeschedulerCluster c;
  TwoNodes(c, 2, [](testutil::PodBuilder& pod) { pod.Scheduler("default-scheduler"); });
  c.Start();
  const Plan plan = c.RunPlan();
  EXPECT_THAT(plan.moves, IsEmpty());
  ASSERT_FALSE(plan.blocked.empty());
  EXPECT_EQ(plan.blocked[0].reason, "OtherScheduler");
}

TEST_F(DeschedulerTest, ADryRunWritesNothing) {
  DeschedulerCluster c;
  TwoNodes(c, 2);
  c.Start();
  const std::uint64_t before = c.descheduler_writes();
  const Plan plan =
      c.RunPlan({.dry_run = true, .resource_type = {}, .node_selector = {}, .profile = {}}, 1s);
  EXPECT_EQ(plan.state, PlanState::kPlanned);
  EXPECT_TRUE(plan.dry_run);
  EXPECT_THAT(plan.moves, SizeIs(2));
  c.Run(10s);
  EXPECT_EQ(c.descheduler_writes(), before);
  EXPECT_THAT(
      c.cluster().List(resources::kEvents),
      Each(testing::ResultOf([](const json::value& event) { return TextAt(event, "reason"); },
                             testing::Not(testing::AnyOf("Migrating", "Defragmenting")))));
}

TEST_F(DeschedulerTest, SourceAndTargetCoolDownAndEventsSayWhatHappened) {
  DeschedulerCluster c;
  TwoNodes(c, 2);
  c.Start();
  const Plan plan = c.RunPlan();
  ASSERT_EQ(plan.state, PlanState::kSucceeded);
  c.Run(5s);
  for (const char* node : {"n1", "n2"}) {
    const json::value object = c.cluster().Get(resources::kNodes, "", node);
    const json::object& annotations = object.at("metadata").at("annotations").as_object();
    const auto* until = annotations.if_contains("defragmentation.basalt.sh/cool-down-until");
    ASSERT_TRUE(until) << node;
    const Result<Time> time = kube::ParseTime(std::string_view(until->as_string()));
    ASSERT_TRUE(time);
    EXPECT_GT(*time, c.cluster().loop().Now() + 9min);
    EXPECT_LE(*time, c.cluster().loop().Now() + 10min);
  }
  std::multiset<std::string> reasons;
  for (const json::value& event : c.cluster().List(resources::kEvents)) {
    if (TextAt(event, "source.component") == "basalt-descheduler") {
      reasons.insert(TextAt(event, "involvedObject.kind") + " " + TextAt(event, "reason"));
    }
  }
  EXPECT_THAT(reasons, ElementsAre("Node Defragmented", "Node Defragmenting", "Pod Migrating",
                                   "Pod Migrating"));
  // A node that cools down is no source, also for a descheduler that has just begun.
  c.KillDescheduler();
  c.StartDescheduler();
  c.AddPods("late", "1", {"n1"});
  c.Run(3s);
  const Plan again = c.RunPlan();
  EXPECT_THAT(again.moves, IsEmpty());
  ASSERT_FALSE(again.blocked.empty());
  EXPECT_EQ(again.blocked[0].reason, "CoolingDown");
}

TEST_F(DeschedulerTest, ASourceIsTaintedWhileItsPodsGoAndACordonOfOthersStays) {
  DeschedulerCluster c;
  TwoNodes(c, 2);
  c.Start();
  const Plan begun = c.Begin();
  const auto taint = [&] {
    const json::value node = c.cluster().Get(resources::kNodes, "", "n1");
    const json::value* taints = testutil::FindPath(node, "spec.taints");
    std::string said;
    for (const json::value& it : taints ? taints->as_array() : json::array()) {
      said +=
          fmt::format("{}={}:{} ", TextAt(it, "key"), TextAt(it, "value"), TextAt(it, "effect"));
    }
    return said;
  };
  const auto leaves = [&] {
    const json::value pod = c.cluster().Get(resources::kPods, "default", "web-0");
    return pod.is_null() || !TextAt(pod, "metadata.deletionTimestamp").empty();
  };
  for (int i = 0; i < 1000 && !leaves(); ++i) c.cluster().loop().RunFor(10ms);
  ASSERT_TRUE(leaves());
  EXPECT_THAT(taint(), HasSubstr("basalt.sh/defragmentation=" + begun.id + ":NoSchedule"));
  ASSERT_TRUE(c.cluster().Patch({resources::kNodes, "", "n1"}, kube::PatchKind::kMerge,
                                R"({"spec":{"unschedulable":true}})"));
  c.Run(60s);
  EXPECT_EQ(c.service().Find(begun.id)->state, PlanState::kSucceeded);
  EXPECT_EQ(taint().find("basalt.sh/defragmentation"), std::string::npos);
  EXPECT_EQ(c.cluster().Get(resources::kNodes, "", "n1").at("spec").at("unschedulable"), true);
}

TEST_F(DeschedulerTest, MetricsCountMovesAndSayHowScatteredTheFreeRoomIs) {
  DeschedulerCluster c;
  TwoNodes(c, 2);
  c.Start();
  for (const char* outcome : {"succeeded", "failed", "cancelled"}) {
    EXPECT_THAT(c.Metrics(),
                HasSubstr(fmt::format("basalt_migrations_total{{outcome=\"{}\"}} 0\n", outcome)));
  }
  EXPECT_THAT(c.Metrics(), HasSubstr("basalt_fragmentation_ratio{resource=\"cpu\"} 1\n"))
      << "every node runs pods";
  const Plan plan = c.RunPlan();
  ASSERT_EQ(plan.state, PlanState::kSucceeded);
  EXPECT_THAT(c.Metrics(), HasSubstr("basalt_migrations_total{outcome=\"succeeded\"} 2\n"));
  c.Run(60s);                                               // what was evicted has ended
  const double after = plan.fragmentation_after.at("cpu");  // 3 of 13 CPUs
  EXPECT_THAT(c.Metrics(),
              HasSubstr(fmt::format("basalt_fragmentation_ratio{{resource=\"cpu\"}} {}\n", after)));
  EXPECT_LT(after, 0.25);
}

TEST_F(DeschedulerTest, TheLastPlansOfEveryKindAreKeptTheNewestFirst) {
  DeschedulerCluster::Options options;
  options.triggers.interval = 10min;
  DeschedulerCluster c(options);
  TwoNodes(c, 2);
  c.Start();
  c.Run(60s);  // what began by itself has ended
  for (int i = 0; i < 20; ++i) {
    c.Begin({.dry_run = true, .resource_type = {}, .node_selector = {}, .profile = {}});
  }
  const std::string newest = c.RunPlan().id;
  const std::vector<Plan> all = c.service().All();
  ASSERT_EQ(all.size(), 22u);
  EXPECT_EQ(all.front().id, newest);
  EXPECT_TRUE(std::ranges::is_sorted(all, std::greater(), &Plan::id)) << "named in order here";
  EXPECT_EQ(all.back().trigger, descheduler::Trigger::kInterval);
  EXPECT_EQ(std::ranges::count(all, true, &Plan::dry_run), 20);
  for (int i = 0; i < 60; ++i) {
    c.Begin({.dry_run = true, .resource_type = {}, .node_selector = {}, .profile = {}});
  }
  EXPECT_LE(c.service().All().size(), 60u) << "not for ever";
  EXPECT_FALSE(c.service().Find(newest));
}

// ---- what goes wrong: the move is undone and reported, the plan goes on

class FailureTest : public DeschedulerTest {
 protected:
  // n1 has two pods of "web"; n3 one of "other", which moves in any case.
  void ThreeNodes(DeschedulerCluster& c) {
    TwoNodes(c, 2);
    c.AddNode("n3", "10");
    c.AddPods("other", "2", {"n3"});
  }
  void ExpectTheOtherMoved(DeschedulerCluster& c, const Plan& plan) {
    EXPECT_EQ(plan.state, PlanState::kFailed);
    for (const auto& move : plan.moves) {
      if (move.from == "n3") {
        EXPECT_EQ(move.state, MoveState::kSucceeded) << move.message;
      }
    }
    EXPECT_EQ(c.watch().violations(), "");
    EXPECT_EQ(c.Leftovers(), "");
  }
  static std::vector<std::string> OfNode(const Plan& plan, const std::string& node) {
    Plan part = plan;
    std::erase_if(part.moves, [&](const auto& move) { return move.from != node; });
    return Outcomes(part);
  }
};

TEST_F(FailureTest, ABudgetThatForbidsIsAskedUntilTheTimeIsOver) {
  DeschedulerCluster c;
  ThreeNodes(c);
  c.Start();
  const Plan begun = c.Begin();
  c.AddBudget("web", 2);  // comes too late for the plan to know
  c.Run(80s);
  const Plan plan = *c.service().Find(begun.id);
  EXPECT_THAT(OfNode(plan, "n1"), testing::Contains("Failed EvictionRefused"));
  ExpectTheOtherMoved(c, plan);
  EXPECT_EQ(c.NodesOf("web")["n1"], 2);
}

TEST_F(FailureTest, AReplacementThatNeverComesIsNotWaitedForForever) {
  DeschedulerCluster c;
  ThreeNodes(c);
  c.Start();
  const Plan begun = c.Begin();
  // The workload is scaled down while its pods move.
  ASSERT_TRUE(c.cluster().Patch({resources::kReplicaSets, "default", "web"},
                                kube::PatchKind::kMerge,
                                R"({"metadata":{"finalizers":["x.io/y"]}})"));
  c.StopWorkloads();
  c.Run(120s);
  const Plan plan = *c.service().Find(begun.id);
  EXPECT_THAT(OfNode(plan, "n1"), Each("Failed ReplacementTimeout"));
  EXPECT_EQ(c.watch().violations(), "");
  EXPECT_EQ(c.Leftovers(), "");
}

TEST_F(FailureTest, ATargetThatVanishesEndsItsMoves) {
  DeschedulerCluster c;
  TwoNodes(c, 2);
  c.Start();
  const Plan begun = c.Begin();
  ASSERT_TRUE(c.cluster().Delete({resources::kNodes, "", "n2"}));
  c.Run(60s);
  const Plan plan = *c.service().Find(begun.id);
  EXPECT_EQ(plan.state, PlanState::kFailed);
  EXPECT_THAT(Outcomes(plan), testing::Contains("Failed TargetGone"));
  EXPECT_EQ(c.Leftovers(), "");
}

TEST_F(FailureTest, AReservationThatFindsNoRoomTimesOut) {
  DeschedulerCluster c;
  TwoNodes(c, 2);
  c.Start();
  const Plan begun = c.Begin();
  ASSERT_TRUE(c.cluster().Patch({resources::kNodes, "", "n2"}, kube::PatchKind::kMerge,
                                R"({"spec":{"unschedulable":true}})"));
  c.Run(60s);
  const Plan plan = *c.service().Find(begun.id);
  EXPECT_EQ(plan.state, PlanState::kFailed);
  EXPECT_THAT(Outcomes(plan), testing::Contains("Failed ReservationTimeout"));
  EXPECT_EQ(c.watch().evictions(), 0);
  EXPECT_EQ(c.Running("web"), 2);
  EXPECT_EQ(c.Leftovers(), "");
}

TEST_F(FailureTest, APodThatIsDeletedMeanwhileIsReported) {
  DeschedulerCluster c;
  ThreeNodes(c);
  c.Start();
  const Plan begun = c.Begin();
  c.watch().Spare("web-0");
  ASSERT_TRUE(
      c.cluster().Delete({resources::kPods, "default", "web-0"}, {.grace_period_seconds = 0}));
  c.Run(120s);
  const Plan plan = *c.service().Find(begun.id);
  EXPECT_THAT(OfNode(plan, "n1"), testing::Contains("Failed PodGone"));
  ExpectTheOtherMoved(c, plan);
  EXPECT_EQ(c.Running("web"), 2);
}

TEST_F(FailureTest, AWorkloadThatIsScaledMeanwhileLeavesNothingBehind) {
  for (const int replicas : {0, 1, 5}) {
    SCOPED_TRACE(replicas);
    DeschedulerCluster c;
    ThreeNodes(c);
    c.Start();
    for (const char* pod : {"web-0", "web-1"}) c.watch().Spare(pod);
    const Plan begun = c.Begin();
    c.Run(500ms);
    ASSERT_TRUE(c.cluster().Patch({resources::kReplicaSets, "default", "web"},
                                  kube::PatchKind::kMerge,
                                  fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas)));
    c.Run(150s);
    const Plan plan = *c.service().Find(begun.id);
    EXPECT_NE(plan.state, PlanState::kRunning);
    EXPECT_EQ(OfNode(plan, "n3"), std::vector<std::string>{"Succeeded"});
    EXPECT_EQ(c.Running("web"), replicas);
    EXPECT_EQ(c.Leftovers(), "");
  }
}

// ---- hostile tenants

TEST_F(DeschedulerTest, AReservationWithOurLabelsMakesUsEvictNobodyAndTouchNothingElse) {
  DeschedulerCluster c;
  TwoNodes(c, 1);
  c.cluster().Create(testutil::MakeNode("n9").Taint("basalt.sh/defragmentation", "d12345678-theirs",
                                                    "NoSchedule"));
  c.Start();
  const std::string uid =
      TextAt(c.cluster().Get(resources::kPods, "default", "web-0"), "metadata.uid");
  json::object spec = testutil::MakePod("x").Cpu("1").Json().at("spec").as_object();
  testutil::AnyBuilder forged = testutil::MakeObject(resources::kReservations, "forged");
  forged.Label("basalt.sh/descheduler", "volcano-system")
      .Label("basalt.sh/migration", "d12345678-theirs")
      .Label("basalt.sh/migrating-pod", uid)
      .Set("spec.queue", "default")
      .Set("spec.tasks",
           json::array{json::object{{"name", "t"}, {"template", json::object{{"spec", spec}}}}});
  c.cluster().Create(forged);
  testutil::AnyBuilder theirs = testutil::MakeObject(resources::kReservations, "theirs");
  theirs.Label("basalt.sh/descheduler", "other-system")
      .Set("spec.queue", "default")
      .Set("spec.tasks",
           json::array{json::object{{"name", "t"}, {"template", json::object{{"spec", spec}}}}});
  c.cluster().Create(theirs);
  c.Run(60s);
  EXPECT_EQ(c.NodeOf("web-0"), "n1");
  EXPECT_EQ(c.watch().evictions(), 0);
  EXPECT_TRUE(c.cluster().Get(resources::kReservations, "default", "forged").is_null());
  EXPECT_FALSE(c.cluster().Get(resources::kReservations, "default", "theirs").is_null());
  EXPECT_EQ(c.Leftovers(), "theirs n9 ");
}

TEST_F(DeschedulerTest, RunsThatBeginByThemselvesFollowEachOther) {
  DeschedulerCluster::Options options;
  options.triggers.interval = 60s;
  DeschedulerCluster c(options);
  TwoNodes(c, 2);
  c.Start();
  c.Run(130s);
  const std::vector<Plan> all = c.service().All();
  ASSERT_GE(all.size(), 2u);
  for (const Plan& plan : all) {
    EXPECT_EQ(plan.state, PlanState::kSucceeded);
    EXPECT_EQ(plan.trigger, descheduler::Trigger::kInterval);
  }
  EXPECT_THAT(all.back().moves, SizeIs(2));
  EXPECT_THAT(all.front().moves, IsEmpty());
  EXPECT_EQ(c.Leftovers(), "");
}

}  // namespace
}  // namespace basalt::systemtest
