#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(PdbTest, NoMoreGoThanTheBudgetAllows) {
  testutil::TestCluster given;
  for (const char* name : {"a", "b", "c"}) {
    kube::Pod pod = testutil::MakeRunningPod(name, "", {}, "n");
    pod.meta.labels.Set("app", name[0] == 'c' ? "other" : "web");
    given.Add(std::move(pod));
  }
  kube::PodDisruptionBudget budget;
  budget.meta.ns = "ns";
  budget.meta.name = "web";
  budget.selector = kube::LabelSelector::OfLabels({{"app", "web"}});
  budget.disruptions_allowed = 1;
  given.cluster.mutable_objects().disruption_budgets.Set(
      std::make_shared<const kube::PodDisruptionBudget>(budget));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"pdb"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_THAT(testutil::Names(session.Preemptable(given.task("c"), given.tasks({"a", "b", "c"}))),
              testing::ElementsAre("a", "c"));
}

struct BudgetRow {
  const char* name;
  void (*make)(kube::PodDisruptionBudget& budget);
  std::vector<std::string> allowed;  // of "a" and "b", which are web, and "bare" without labels
};

class PdbRulesTest : public testing::TestWithParam<BudgetRow> {};

TEST_P(PdbRulesTest, SayWhoIsAVictim) {
  testutil::TestCluster given;
  for (const char* name : {"a", "b", "bare"}) {
    kube::Pod pod = testutil::MakeRunningPod(name, "", {}, "n");
    if (name != std::string_view("bare")) pod.meta.labels.Set("app", "web");
    given.Add(std::move(pod));
  }
  kube::PodDisruptionBudget budget;
  budget.meta.ns = "ns";
  budget.meta.name = "web";
  budget.selector = kube::LabelSelector::OfLabels({{"app", "web"}});
  GetParam().make(budget);
  given.cluster.mutable_objects().disruption_budgets.Set(
      std::make_shared<const kube::PodDisruptionBudget>(budget));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"pdb"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  const auto candidates = given.tasks({"a", "b", "bare"});
  EXPECT_EQ(testutil::Names(session.Preemptable(given.task("a"), candidates)), GetParam().allowed);
  EXPECT_EQ(testutil::Names(session.Reclaimable(given.task("a"), candidates)), GetParam().allowed);
  EXPECT_EQ(testutil::Names(session.PeriodicVictimsAmong(candidates)), GetParam().allowed);
}

INSTANTIATE_TEST_SUITE_P(
    Pdb, PdbRulesTest,
    testing::ValuesIn<BudgetRow>({
        {"NoneWhereTheBudgetAllowsNone", [](kube::PodDisruptionBudget&) {}, {}},
        {"AsManyAsItAllows",
         [](kube::PodDisruptionBudget& budget) { budget.disruptions_allowed = 2; },
         {"a", "b"}},
        {"AllWhereItIsAnotherNamespaces",
         [](kube::PodDisruptionBudget& budget) { budget.meta.ns = "other"; },
         {"a", "b"}},
        {"AllWhereItSelectsNobody",
         [](kube::PodDisruptionBudget& budget) { budget.selector.reset(); },
         {"a", "b"}},
        {"AllWhereItsSelectorSaysNothing",
         [](kube::PodDisruptionBudget& budget) { budget.selector = kube::LabelSelector(); },
         {"a", "b"}},
        {"AllWhereItIsAboutOthers",
         [](kube::PodDisruptionBudget& budget) {
           budget.selector = kube::LabelSelector::OfLabels({{"app", "db"}});
         },
         {"a", "b"}},
        {"OneThatItHasCountedAlready",
         [](kube::PodDisruptionBudget& budget) { budget.disrupted_pods.push_back({.name = "b"}); },
         {"b"}},
    }),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace basalt::scheduler::plugins
