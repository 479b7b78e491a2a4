#include "scheduler/framework/disruption_budgets.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testutil::MakeNode;
using testutil::MakeRunningPod;
using testutil::TestCluster;

kube::Pod ReadyPod(std::string name, std::string_view app, bool ready = true) {
  kube::Pod pod = MakeRunningPod(std::move(name), "", {{"cpu", "1"}}, "n1");
  if (!app.empty()) pod.meta.labels.Set("app", app);
  if (ready) {
    pod.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
  }
  return pod;
}

kube::PodDisruptionBudget Budget(std::string name, int allowed) {
  kube::PodDisruptionBudget budget;
  budget.meta.name = std::move(name);
  budget.meta.ns = "ns";
  budget.selector = kube::LabelSelector::Parse("app=web").value();
  budget.disruptions_allowed = allowed;
  return budget;
}

class DisruptionBudgetsTest : public testing::Test {
 protected:
  DisruptionBudgetsTest() { given_.Add(MakeNode("n1", {{"cpu", "100"}})); }
  void Set(kube::PodDisruptionBudget budget) {
    given_.cluster.mutable_objects().disruption_budgets.Set(
        std::make_shared<const kube::PodDisruptionBudget>(std::move(budget)));
  }
  // Whether a session that begins now would let it go.
  bool Allows(std::string_view pod) {
    return DisruptionBudgets(given_.cluster).Allow(given_.task(pod));
  }
  void Move(DisruptionBudgets& budgets, std::string_view pod, TaskStatus status) {
    const model::Task& task = given_.task(pod);
    const model::Holding from = task.holding;
    given_.cluster.Move(task.id, {.status = status, .node = given_.node("n1").id});
    budgets.Moved(task, from);
  }
  TestCluster given_;
};

TEST_F(DisruptionBudgetsTest, GuardWhomTheySelectInTheirNamespace) {
  Set(Budget("b", 0));
  kube::Pod elsewhere = ReadyPod("elsewhere", "web");
  elsewhere.meta.ns = "other";
  given_.Add(ReadyPod("web", "web")).Add(ReadyPod("db", "db")).Add(ReadyPod("bare", ""));
  given_.Add(std::move(elsewhere));
  EXPECT_FALSE(Allows("web"));
  EXPECT_TRUE(Allows("db"));
  EXPECT_TRUE(Allows("bare"));
  EXPECT_TRUE(
      DisruptionBudgets(given_.cluster).Allow(*given_.cluster.FindTask("other", "elsewhere")));
}

TEST_F(DisruptionBudgetsTest, DoNotGuardAPodThatHasNotStarted) {
  Set(Budget("b", 0));
  kube::Pod pod = ReadyPod("web", "web");
  pod.status.phase = kube::PodPhase::kPending;
  given_.Add(std::move(pod));
  EXPECT_TRUE(Allows("web"));
}

TEST_F(DisruptionBudgetsTest, OnesThatAreNotReadyGoFreelyOnlyWhereEnoughAreHealthyOrAllMayGo) {
  kube::Pod failing = ReadyPod("failing", "web");
  failing.status.conditions[0].status = kube::ConditionStatus::kFalse;
  given_.Add(ReadyPod("sick", "web", /*ready=*/false)).Add(ReadyPod("well", "web"));
  given_.Add(std::move(failing));
  kube::PodDisruptionBudget budget = Budget("b", 0);
  const auto allows = [&](int current, int desired, bool always) {
    budget.current_healthy = current;
    budget.desired_healthy = desired;
    budget.always_allow_unhealthy = always;
    Set(budget);
    EXPECT_FALSE(Allows("well"));
    EXPECT_EQ(Allows("failing"), Allows("sick"));
    return Allows("sick");
  };
  EXPECT_FALSE(allows(0, 0, false));
  EXPECT_FALSE(allows(1, 2, false));
  EXPECT_TRUE(allows(2, 2, false));
  EXPECT_TRUE(allows(3, 2, false));
  EXPECT_TRUE(allows(0, 2, true));
}

TEST_F(DisruptionBudgetsTest, APodOfSeveralBudgetsDoesNotGo) {
  given_.Add(ReadyPod("web", "web"));
  Set(Budget("a", 1));
  EXPECT_TRUE(Allows("web"));
  Set(Budget("b", 1));
  EXPECT_FALSE(Allows("web"));
}

TEST_F(DisruptionBudgetsTest, NorDoesOneThatIsNotReadyAndThatEachOfThemWouldLetGo) {
  given_.Add(ReadyPod("sick", "web", /*ready=*/false));
  for (const char* name : {"a", "b"}) {
    kube::PodDisruptionBudget budget = Budget(name, 1);
    budget.always_allow_unhealthy = true;
    EXPECT_TRUE(Allows("sick")) << "before " << name;
    Set(std::move(budget));
  }
  EXPECT_FALSE(Allows("sick"));
}

TEST_F(DisruptionBudgetsTest, CountWhoGoesAndWhoIsTakenBackWithinTheSession) {
  Set(Budget("b", 1));
  given_.Add(ReadyPod("x", "web")).Add(ReadyPod("y", "web"));
  for (const TaskStatus gone : {TaskStatus::kReleasing, TaskStatus::kUnknown}) {
    DisruptionBudgets budgets(given_.cluster);
    EXPECT_TRUE(budgets.Allow(given_.task("x")));
    Move(budgets, "x", gone);
    EXPECT_FALSE(budgets.Allow(given_.task("y")));
    Move(budgets, "x", TaskStatus::kRunning);
    EXPECT_TRUE(budgets.Allow(given_.task("y")));
    Move(budgets, "y", TaskStatus::kBound);  // neither here nor there
    Move(budgets, "y", TaskStatus::kRunning);
    EXPECT_TRUE(budgets.Allow(given_.task("x")));
    Move(budgets, "x", gone);
    EXPECT_FALSE(budgets.Allow(given_.task("y"))) << "one may go, as before";
    Move(budgets, "x", TaskStatus::kRunning);
  }
}

TEST_F(DisruptionBudgetsTest, CountThoseWhoLeaveAndWhomNoStatusHasCounted) {
  given_.Add(ReadyPod("stays", "web")).Add(ReadyPod("leaves", "web"));
  given_.cluster.Move(given_.task("leaves").id,
                      {.status = TaskStatus::kReleasing, .node = given_.node("n1").id});
  kube::PodDisruptionBudget budget = Budget("b", 1);
  Set(budget);
  EXPECT_FALSE(Allows("stays")) << "the eviction is under way";
  budget.disrupted_pods.push_back({.name = "leaves"});
  Set(budget);
  EXPECT_TRUE(Allows("stays")) << "the status knows of it";
  budget.disrupted_pods = {{.name = "another"}};
  Set(budget);
  EXPECT_FALSE(Allows("stays"));
  kube::Pod deleted = ReadyPod("leaves", "web");
  deleted.meta.deletion_timestamp = testutil::kTestNow;
  given_.Add(std::move(deleted));
  EXPECT_TRUE(Allows("stays")) << "a pod that is being deleted is in the status";
}

}  // namespace
}  // namespace basalt::scheduler
