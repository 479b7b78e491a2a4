#include "scheduler/plugins/conformance/conformance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(ConformanceTest, CriticalPodsAreNeverVictims) {
  testutil::TestCluster given;
  auto critical = testutil::MakePod("critical", "", {});
  critical.spec.priority_class_name = "system-node-critical";
  given.Add(testutil::MakePod("plain", "", {})).Add(std::move(critical));
  const auto opinion =
      Conformance().PermitReclaim(given.task("plain"), given.tasks({"plain", "critical"}));
  EXPECT_THAT(testutil::Names(opinion.victims), testing::ElementsAre("plain"));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
