#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(ReservationTest, OnlyAPodThatNamesAReservationIsKeptFromOtherPlaces) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeGroup("g", "q", 1));
  kube::Pod named = testutil::MakePod("named", "g", {{"cpu", "1"}});
  named.meta.annotations.Set("volcano.sh/reservation-name", "r");
  given.Add(std::move(named)).Add(testutil::MakePod("beside", "g", {{"cpu", "1"}}));
  given.Add(testutil::MakeGroup("h", "q", 1)).Add(testutil::MakePod("plain", "h", {{"cpu", "1"}}));
  given.Add(testutil::MakePod("stray", "", {{"cpu", "1"}}));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"reservation"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  for (const char* pod : {"beside", "plain", "stray"}) {
    EXPECT_TRUE(session.CheckTask(given.task(pod)).ok()) << pod;
  }
  EXPECT_EQ(session.CheckTask(given.task("named")).reason,
            "only its reservation may give it a place");
}

}  // namespace
}  // namespace basalt::scheduler::plugins
