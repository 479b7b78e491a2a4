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

// How long a job may wait, by its annotations and the argument; in minutes, 0: for ever.
TEST(SlaTest, AJobsOwnTimeCountsBeforeTheArgumentsAndWhatIsNoTimeCountsForNothing) {
  struct Case {
    const char* key;
    const char* value;
    const char* argument;
    int minutes;
  };
  for (const Case& c : {
           Case{"", "", "", 0},
           Case{"", "", "7m", 7},
           Case{"", "", "soon", 0},
           Case{"", "", "0s", 0},
           Case{"", "", "-7m", 0},
           Case{"volcano.sh/sla-waiting-time", "5m", "7m", 5},
           Case{"sla-waiting-time", "5m", "7m", 5},
           Case{"volcano.sh/sla-waiting-time", "soon", "7m", 7},
           Case{"volcano.sh/sla-waiting-time", "0s", "7m", 7},
           Case{"volcano.sh/sla-waiting-time", "5m", "", 5},
       }) {
    testutil::TestCluster given;
    given.Add(testutil::MakeQueue("q"));
    kube::PodGroup group = testutil::MakeGroup("g", "q", 1);
    group.meta.creation_timestamp = testutil::kTestNow;
    if (*c.key) group.meta.annotations.Set(c.key, c.value);
    given.Add(std::move(group));
    Config config = testutil::OneTier({"sla"});
    if (*c.argument) {
      config.tiers[0].plugins[0].arguments = Arguments({{"sla-waiting-time", c.argument}});
    }
    const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    Session session(given.cluster, *plugins, testutil::kTestNow);
    EXPECT_EQ(plugins->hooks<JobPipelining>().front().front()->IsJobPipelined(given.job("g")),
              Vote::kAbstain)
        << "it came just now: " << c.key << "=" << c.value << " argument " << c.argument;
    const std::optional<Time> late = session.ChangesAt(given.job("g"));
    EXPECT_EQ(late, c.minutes == 0
                        ? std::nullopt
                        : std::optional<Time>(testutil::kTestNow + std::chrono::minutes(c.minutes)))
        << c.key << "=" << c.value << " argument " << c.argument;
  }
}

TEST(SlaTest, JobsAreNotAlikeThatWaitForDifferentTimesOrOfWhichOneIsLate) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q"));
  const auto add = [&](const char* name, Duration age, const char* waiting_time) {
    kube::PodGroup group = testutil::MakeGroup(name, "q", 1);
    group.meta.creation_timestamp = testutil::kTestNow - age;
    if (*waiting_time) group.meta.annotations.Set("volcano.sh/sla-waiting-time", waiting_time);
    given.Add(std::move(group));
  };
  add("young", 1min, "5m");
  add("younger", 0min, "5m");
  add("late", 5min, "5m");
  add("patient", 1min, "9m");
  add("for-ever", 1min, "");
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"sla"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  const auto* sla = plugins->hooks<TimeDependent>().front().front();
  const auto kind = [&](const char* job) { return sla->KindOf(given.job(job)); };
  EXPECT_EQ(kind("young"), kind("younger"));
  EXPECT_NE(kind("young"), kind("late"));
  EXPECT_NE(kind("young"), kind("patient"));
  EXPECT_NE(kind("young"), kind("for-ever"));
  EXPECT_EQ(session.ChangesAt(given.job("late")), std::nullopt) << "it is late to the moment";
}

}  // namespace
}  // namespace basalt::scheduler::plugins
