#include <gtest/gtest.h>

#include "kube/types/time.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

class TdmTest : public testing::Test {
 protected:
  TdmTest() {
    kube::Node node = testutil::MakeNode("n", {{"cpu", "8"}});
    node.meta.labels.Set("volcano.sh/revocable-zone", "rz1");
    given_.Add(std::move(node)).Add(testutil::MakeQueue("q"));
    kube::PodGroup group = testutil::MakeGroup("g", "q", 1);
    group.meta.annotations.Set("volcano.sh/jdb-max-unavailable", "50%");
    given_.Add(std::move(group));
    for (const char* name : {"a", "b", "c", "d"}) {
      kube::Pod pod = testutil::MakeRunningPod(name, "g", {{"cpu", "1"}}, "n");
      pod.meta.annotations.Set("volcano.sh/preemptable", "true");
      given_.Add(std::move(pod));
    }
    Config config = testutil::OneTier({"tdm"});
    config.tiers[0].plugins[0].arguments =
        Arguments({{"tdm.revocable-zone.rz1", "10:00-21:00"}, {"tdm.evict.period", "1m"}});
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  }
  std::size_t VictimsAt(const char* time) {
    Session session(given_.cluster, *plugins_, kube::ParseTime(time).value());
    return session.PeriodicVictimsAmong({}).size();
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
};

TEST_F(TdmTest, TasksLeaveWhenTheHoursAreOverAsTheBudgetAllowsOnceAPeriod) {
  EXPECT_EQ(VictimsAt("2026-01-01T12:00:00Z"), 0u);
  EXPECT_EQ(VictimsAt("2026-01-01T22:00:00Z"), 2u);
  EXPECT_EQ(VictimsAt("2026-01-01T22:00:30Z"), 0u);
  EXPECT_EQ(VictimsAt("2026-01-01T22:01:00Z"), 2u);
}

TEST_F(TdmTest, ItChangesItsMindWhenHoursBeginAndEnd) {
  const auto next = [&](const char* time) {
    Session session(given_.cluster, *plugins_, kube::ParseTime(time).value());
    return session.ChangesAt(given_.job("g")).value();
  };
  const Time begin = kube::ParseTime("2026-01-01T10:00:00Z").value();
  EXPECT_EQ(next("2026-01-01T09:00:00Z"), begin);
  EXPECT_EQ(next("2026-01-01T10:00:00Z"), begin + std::chrono::hours(11) + Duration{1});
  EXPECT_EQ(next("2026-01-01T22:00:00Z"), begin + std::chrono::days(1));
}

TEST_F(TdmTest, OnlyPreemptableTasksGoToRevocableNodesAndOnlyInTheirHours) {
  kube::Pod yes = testutil::MakePod("yes", "g", {{"cpu", "1"}});
  yes.meta.annotations.Set("volcano.sh/preemptable", "true");
  given_.Add(std::move(yes)).Add(testutil::MakePod("no", "g", {{"cpu", "1"}}));
  const auto fits = [&](const char* task, const char* time) {
    Session session(given_.cluster, *plugins_, kube::ParseTime(time).value());
    return session.Filter(given_.task(task), given_.node("n")).ok();
  };
  EXPECT_TRUE(fits("yes", "2026-01-01T12:00:00Z"));
  EXPECT_FALSE(fits("no", "2026-01-01T12:00:00Z"));
  EXPECT_FALSE(fits("yes", "2026-01-01T09:00:00Z"));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
