#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using namespace std::chrono_literals;

TEST(SlaTest, WhoseTimeIsUpFirstGoesFirstAndWhoIsLateEnters) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q"));
  const auto add = [&](const char* name, Duration age, const char* waiting_time) {
    kube::PodGroup group = testutil::MakeGroup(name, "q", 1);
    group.meta.creation_timestamp = testutil::kTestNow - age;
    if (waiting_time) group.meta.annotations.Set("volcano.sh/sla-waiting-time", waiting_time);
    given.Add(std::move(group));
  };
  add("late", 10min, "5m");
  add("soon", 10min, "15m");
  add("never", 100min, nullptr);
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"sla"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_TRUE(session.JobBefore(given.job("late"), given.job("soon")));
  EXPECT_TRUE(session.JobBefore(given.job("soon"), given.job("never")));
  const auto* plugin = plugins->hooks<JobPipelining>().front().front();
  EXPECT_EQ(plugin->IsJobPipelined(given.job("late")), Vote::kPermit);
  EXPECT_EQ(plugin->IsJobPipelined(given.job("soon")), Vote::kAbstain);
  EXPECT_EQ(plugin->IsJobPipelined(given.job("never")), Vote::kAbstain);
  EXPECT_EQ(session.ChangesAt(given.job("soon")), testutil::kTestNow + 5min);
  EXPECT_EQ(session.ChangesAt(given.job("late")), std::nullopt);
  EXPECT_EQ(session.ChangesAt(given.job("never")), std::nullopt);
}

}  // namespace
}  // namespace basalt::scheduler::plugins
