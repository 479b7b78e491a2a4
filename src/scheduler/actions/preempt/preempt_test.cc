#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "scheduler/actions/actions_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

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

}  // namespace
}  // namespace basalt::scheduler
