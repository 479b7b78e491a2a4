#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(ConformanceTest, CriticalPodsAreNeverVictims) {
  testutil::TestCluster given;
  auto critical = testutil::MakePod("critical", "", {});
  critical.spec.priority_class_name = "system-node-critical";
  given.Add(testutil::MakePod("plain", "", {})).Add(std::move(critical));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"conformance"}), BuiltinPlugins());
  const Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_THAT(
      testutil::Names(session.Reclaimable(given.task("plain"), given.tasks({"plain", "critical"}))),
      testing::ElementsAre("plain"));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
