#include "scheduler/plugins/overcommit/overcommit.h"

#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(OvercommitTest, JobsEnterWhileTheirMinimaFitIntoTheFactor) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeNode("n", {{"cpu", "10"}}));
  for (const char* name : {"a", "b", "c"}) {
    kube::PodGroup group = testutil::MakeGroup(name, "q", 1, kube::PodGroupPhase::kPending);
    group.min_resources = testutil::Resources({{"cpu", "5"}});
    given.Add(std::move(group));
  }
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"overcommit"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EnqueueRefusal why;
  for (const char* name : {"a", "b"}) {
    EXPECT_TRUE(session.MayEnqueue(given.job(name), &why)) << name;
    session.Enqueue(given.job(name));
  }
  EXPECT_FALSE(session.MayEnqueue(given.job("c"), &why));
  EXPECT_EQ(why.text, "resource in cluster is overused: overused cpu");
}

}  // namespace
}  // namespace basalt::scheduler::plugins
