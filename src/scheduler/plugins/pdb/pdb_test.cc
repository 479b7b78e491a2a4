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

}  // namespace
}  // namespace basalt::scheduler::plugins
