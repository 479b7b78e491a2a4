#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

void SetQuota(testutil::TestCluster& given, const char* ns, testutil::Amounts hard,
              testutil::Amounts used = {}) {
  kube::ResourceQuota quota;
  quota.meta.ns = ns;
  quota.meta.name = "quota";
  quota.status_hard = testutil::Resources(hard);
  quota.status_used = testutil::Resources(used);
  given.cluster.mutable_objects().resource_quotas.Set(
      std::make_shared<const kube::ResourceQuota>(std::move(quota)));
}

TEST(ResourceQuotaTest, JobsOfACycleCountTogether) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q"));
  for (const char* name : {"a", "b"}) {
    kube::PodGroup group = testutil::MakeGroup(name, "q", 1, kube::PodGroupPhase::kPending);
    group.min_resources = testutil::Resources({{"cpu", "2"}, {"memory", "1Gi"}});
    given.Add(std::move(group));
  }
  SetQuota(given, "ns", {{"cpu", "4"}}, {{"cpu", "1"}});
  const auto plugins =
      testutil::MakePlugins(testutil::OneTier({"resourcequota"}), BuiltinPlugins());
  std::optional<Session> session(std::in_place, given.cluster, *plugins, testutil::kTestNow);
  EnqueueRefusal why;
  EXPECT_TRUE(session->MayEnqueue(given.job("a"), &why));
  {
    Statement entry(*session);
    entry.Enter(given.job("a").id);
    EXPECT_FALSE(session->MayEnqueue(given.job("b"), &why));
    entry.Discard();
    EXPECT_TRUE(session->MayEnqueue(given.job("b"), &why)) << "it did not enter after all";
    entry.Enter(given.job("a").id);
    entry.Commit();
  }
  EXPECT_FALSE(session->MayEnqueue(given.job("b"), &why));
  session.reset();
  session.emplace(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_TRUE(session->MayEnqueue(given.job("b"), &why)) << "in the next one the quota knows";
}

struct QuotaRow {
  const char* name;
  const char* ns = "ns";
  testutil::Amounts hard, used, minimum;
  bool may = true;
};

class ResourceQuotaRulesTest : public testing::TestWithParam<QuotaRow> {};

TEST_P(ResourceQuotaRulesTest, AJobsMinimumFitsIntoWhatIsLeft) {
  const QuotaRow& row = GetParam();
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q"));
  kube::PodGroup group = testutil::MakeGroup("g", "q", 1, kube::PodGroupPhase::kPending);
  group.min_resources = testutil::Resources(row.minimum);
  given.Add(std::move(group));
  SetQuota(given, row.ns, row.hard, row.used);
  const auto plugins =
      testutil::MakePlugins(testutil::OneTier({"resourcequota"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EnqueueRefusal why;
  EXPECT_EQ(session.MayEnqueue(given.job("g"), &why), row.may);
  if (row.may) return;
  EXPECT_EQ(why.text, "resource quota insufficient, requested: 2, used: 1, limited: 2 of cpu");
  EXPECT_FALSE(why.nodes_would_help);
}

const QuotaRow kQuotaRows[] = {
    {.name = "OneThatFillsItUp",
     .hard = {{"cpu", "3"}},
     .used = {{"cpu", "1"}},
     .minimum = {{"cpu", "2"}}},
    {.name = "OneThatIsTooMuch",
     .hard = {{"cpu", "2"}},
     .used = {{"cpu", "1"}},
     .minimum = {{"cpu", "2"}},
     .may = false},
    {.name = "OneOfAnotherNamespace",
     .ns = "other",
     .hard = {{"cpu", "2"}},
     .used = {{"cpu", "1"}},
     .minimum = {{"cpu", "2"}}},
    {.name = "WhatIsNotLimited",
     .hard = {{"memory", "1"}},
     .used = {{"cpu", "1"}},
     .minimum = {{"cpu", "2"}}},
    {.name = "ASecondResourceThatIsTooMuch",
     .hard = {{"cpu", "2"}, {"memory", "9Gi"}},
     .used = {{"cpu", "1"}},
     .minimum = {{"memory", "1Gi"}, {"cpu", "2"}},
     .may = false},
};
INSTANTIATE_TEST_SUITE_P(ResourceQuota, ResourceQuotaRulesTest, testing::ValuesIn(kQuotaRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(ResourceQuotaTest, WhoSaysNotWhatItNeedsEntersAndSoDoesAPodThatIsThereAlready) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeGroup("g", "q", 1));
  given.Add(testutil::MakePod("alone", "its-own", {{"cpu", "9"}}));
  kube::PodGroup shadow = testutil::MakeGroup("", "q", 1);
  shadow.min_resources = testutil::Resources({{"cpu", "9"}});
  given.cluster.SetShadow(given.task("alone").id,
                          std::make_shared<const kube::PodGroup>(std::move(shadow)), "q");
  SetQuota(given, "ns", {{"cpu", "1"}});
  const auto plugins =
      testutil::MakePlugins(testutil::OneTier({"resourcequota"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EnqueueRefusal why;
  EXPECT_TRUE(session.MayEnqueue(given.job("g"), &why));
  EXPECT_TRUE(session.MayEnqueue(given.cluster.job(given.task("alone").job), &why))
      << "the quota counted it when it was created";
}

}  // namespace
}  // namespace basalt::scheduler::plugins
