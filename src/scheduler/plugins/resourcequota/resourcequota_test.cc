#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(ResourceQuotaTest, JobsOfACycleCountTogether) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q"));
  for (const char* name : {"a", "b"}) {
    kube::PodGroup group = testutil::MakeGroup(name, "q", 1, kube::PodGroupPhase::kPending);
    group.min_resources = testutil::Resources({{"cpu", "2"}, {"memory", "1Gi"}});
    given.Add(std::move(group));
  }
  kube::ResourceQuota quota;
  quota.meta.ns = "ns";
  quota.meta.name = "quota";
  quota.status_hard = testutil::Resources({{"cpu", "4"}});
  quota.status_used = testutil::Resources({{"cpu", "1"}});
  given.cluster.mutable_objects().resource_quotas.Set(
      std::make_shared<const kube::ResourceQuota>(quota));
  const auto plugins =
      testutil::MakePlugins(testutil::OneTier({"resourcequota"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EnqueueRefusal why;
  EXPECT_TRUE(session.MayEnqueue(given.job("a"), &why));
  session.Enqueue(given.job("a"));
  EXPECT_FALSE(session.MayEnqueue(given.job("b"), &why));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
