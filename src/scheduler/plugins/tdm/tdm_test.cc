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
  std::vector<std::string> WhoLeavesAt(const char* time) {
    Session session(given_.cluster, *plugins_, kube::ParseTime(time).value());
    return testutil::Names(session.PeriodicVictimsAmong({}));
  }
  std::size_t VictimsAt(const char* time) { return WhoLeavesAt(time).size(); }

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
  EXPECT_FALSE(fits("yes", "2026-01-01T09:59:59Z"));
  EXPECT_TRUE(fits("yes", "2026-01-01T10:00:00Z"));
  EXPECT_TRUE(fits("yes", "2026-01-01T21:00:00Z"));
  EXPECT_FALSE(fits("yes", "2026-01-01T21:00:01Z"));
  const auto score = [&](const char* task, const char* time) {
    Session session(given_.cluster, *plugins_, kube::ParseTime(time).value());
    return session.Score(given_.task(task), given_.node("n"));
  };
  EXPECT_EQ(score("yes", "2026-01-01T12:00:00Z"), 100);
  EXPECT_EQ(score("no", "2026-01-01T12:00:00Z"), 0);
  EXPECT_EQ(score("yes", "2026-01-01T09:00:00Z"), 0);
}

TEST_F(TdmTest, HoursAreTwoTimesOfTheDay) {
  const auto refused = [](const char* hours) {
    Config config = testutil::OneTier({"tdm"});
    config.tiers[0].plugins[0].arguments = Arguments({{"tdm.revocable-zone.rz1", hours}});
    const auto made = PluginSet::Make(std::move(config), BuiltinPlugins());
    return made ? "" : made.error().message;
  };
  for (const char* good : {"0:00-23:59", "9:30-10:00", "22:00-06:00"}) {
    EXPECT_EQ(refused(good), "") << good;
  }
  for (const char* bad : {"", "10:00", "10:00-", "-10:00", "24:00-10:00", "10:60-11:00", "10-11",
                          "-1:00-10:00", "10:-1-11:00", "10:0-11:00", "10:000-11:00", "a:00-11:00",
                          "1a:00-11:00", "10:00-11:00x", "10:00 - 11:00"}) {
    EXPECT_NE(refused(bad).find("are no hours such as 10:00-21:00"), std::string::npos) << bad;
  }
}

// How many of a job's four pods leave at once when the hours are over.
TEST_F(TdmTest, AJobsBudgetSaysHowManyLeaveAtOnce) {
  const auto victims = [&](const char* key, const char* value) {
    kube::PodGroup group = testutil::MakeGroup("g", "q", 1);
    if (*key) group.meta.annotations.Set(key, value);
    given_.Add(std::move(group));
    Config config = testutil::OneTier({"tdm"});
    config.tiers[0].plugins[0].arguments = Arguments({{"tdm.revocable-zone.rz1", "10:00-21:00"}});
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    return VictimsAt("2026-01-01T22:00:00Z");
  };
  constexpr const char* kLeast = "volcano.sh/jdb-min-available";
  constexpr const char* kMost = "volcano.sh/jdb-max-unavailable";
  EXPECT_EQ(victims("", ""), 1u) << "one where it says nothing";
  EXPECT_EQ(victims(kLeast, "1"), 3u);
  EXPECT_EQ(victims(kLeast, "4"), 0u);
  EXPECT_EQ(victims(kLeast, "5"), 1u) << "it is below its minimum already";
  EXPECT_EQ(victims(kLeast, "30%"), 2u) << "30 % of four are two, rounded up";
  EXPECT_EQ(victims(kMost, "3"), 3u);
  EXPECT_EQ(victims(kMost, "0"), 0u);
  EXPECT_EQ(victims(kMost, "25%"), 1u);
  EXPECT_EQ(victims(kMost, "26%"), 2u);
  EXPECT_EQ(victims(kMost, "x"), 0u) << "what is no number is none";
  EXPECT_EQ(victims(kMost, "3x"), 0u);
  kube::Pod waits = testutil::MakePod("waits", "g", {{"cpu", "1"}});
  given_.Add(std::move(waits));
  EXPECT_EQ(victims(kMost, "3"), 2u) << "one of five is not there already";
}

TEST_F(TdmTest, OfWhatRunsInAZoneThePreemptableLeaveInTheirOrder) {
  const auto add = [&](kube::Pod pod, const char* preemptable) {
    pod.meta.annotations.Set("volcano.sh/preemptable", preemptable);
    given_.Add(std::move(pod));
  };
  kube::Node node = testutil::MakeNode("elsewhere", {{"cpu", "8"}});
  node.meta.labels.Set("volcano.sh/revocable-zone", "unknown");
  given_.Add(std::move(node)).Add(testutil::MakeNode("plain", {{"cpu", "8"}}));
  add(testutil::MakeRunningPod("0-elsewhere", "g", {{"cpu", "1"}}, "elsewhere"), "true");
  add(testutil::MakeRunningPod("0-plain", "g", {{"cpu", "1"}}, "plain"), "true");
  add(testutil::MakeRunningPod("0-firm", "g", {{"cpu", "1"}}, "n"), "false");
  kube::Pod starts = testutil::MakeRunningPod("0-starts", "g", {{"cpu", "1"}}, "n");
  starts.status.phase = kube::PodPhase::kPending;
  add(std::move(starts), "true");
  add(testutil::MakeRunningPod("1-late", "g", {{"cpu", "1"}}, "n"), "true");
  EXPECT_EQ(WhoLeavesAt("2026-01-01T22:00:00Z"),
            (std::vector<std::string>{"1-late", "a", "b", "c"}))
      << "half of nine, rounded up, less the one that is not there";
}

TEST_F(TdmTest, APodThatNobodysGroupOrJobIsStaysWhereItIs) {
  kube::Pod stray = testutil::MakeRunningPod("stray", "", {{"cpu", "1"}}, "n");
  stray.meta.annotations.Set("volcano.sh/preemptable", "true");
  given_.Add(std::move(stray));
  EXPECT_EQ(VictimsAt("2026-01-01T22:00:00Z"), 2u) << "two of the job's four";
}

TEST_F(TdmTest, OnesThatAreNotPreemptablePreemptThoseThatAreOnOrdinaryNodesAlone) {
  given_.Add(testutil::MakeNode("plain", {{"cpu", "8"}}));
  kube::PodGroup group = testutil::MakeGroup("h", "q", 1);
  group.meta.annotations.Set("volcano.sh/jdb-max-unavailable", "100%");
  given_.Add(std::move(group)).Add(testutil::MakeGroup("new", "q", 1));
  const auto add = [&](const char* name, const char* node, bool preemptable) {
    kube::Pod pod = testutil::MakeRunningPod(name, "h", {{"cpu", "1"}}, node);
    pod.meta.annotations.Set("volcano.sh/preemptable", preemptable ? "true" : "false");
    given_.Add(std::move(pod));
  };
  add("plain-yes", "plain", true);
  add("plain-no", "plain", false);
  add("zone-yes", "n", true);
  const auto permitted = [&](kube::Pod preemptor) {
    given_.Add(std::move(preemptor));
    Session session(given_.cluster, *plugins_, kube::ParseTime("2026-01-01T12:00:00Z").value());
    return testutil::Names(
        session.Preemptable(given_.task("p"), given_.tasks({"plain-yes", "plain-no", "zone-yes"})));
  };
  kube::Pod firm = testutil::MakePod("p", "new", {{"cpu", "1"}});
  firm.meta.annotations.Set("volcano.sh/preemptable", "false");
  EXPECT_EQ(permitted(firm), (std::vector<std::string>{"plain-yes"}));
  firm.meta.annotations.Set("volcano.sh/revocable-zone", "*");
  EXPECT_TRUE(permitted(firm).empty()) << "it may use revocable nodes";
  kube::Pod soft = testutil::MakePod("p", "new", {{"cpu", "1"}});
  soft.meta.annotations.Set("volcano.sh/preemptable", "true");
  EXPECT_TRUE(permitted(soft).empty());
}

TEST_F(TdmTest, AJobIsPreemptableByItsAnnotationOrElseByItsLabelAndGoesLater) {
  const auto add = [&](const char* name, const char* annotation, const char* label) {
    kube::PodGroup group = testutil::MakeGroup(name, "q", 1);
    if (*annotation) group.meta.annotations.Set("volcano.sh/preemptable", annotation);
    if (*label) group.meta.labels.Set("volcano.sh/preemptable", label);
    given_.Add(std::move(group)).Add(testutil::MakePod(std::string(name) + "-0", name, {}));
  };
  add("firm", "", "");
  add("annotated", "true", "");
  add("labelled", "", "true");
  add("both", "false", "true");
  given_.Add(testutil::MakePod("early", "missing", {}));
  Session session(given_.cluster, *plugins_, kube::ParseTime("2026-01-01T12:00:00Z").value());
  const auto order = [&](const char* a, const char* b) {
    return session.CompareJobs(given_.job(a), given_.job(b));
  };
  EXPECT_TRUE(order("firm", "annotated") < 0);
  EXPECT_TRUE(order("firm", "labelled") < 0);
  EXPECT_TRUE(order("annotated", "labelled") == 0);
  EXPECT_TRUE(order("both", "firm") == 0) << "the annotation counts";
  EXPECT_TRUE(order("missing", "firm") == 0) << "of a group that is not there nothing is known";
  EXPECT_TRUE(session.IsJobStarving(given_.job("firm")));
  EXPECT_FALSE(session.IsJobStarving(given_.job("annotated")));
}

TEST_F(TdmTest, HoursThatGoOnIntoTheNextDayAreLookedAtFromThatDayOn) {
  const auto next = [&](const char* time, const char* hours = "22:00-06:00") {
    Config config = testutil::OneTier({"tdm"});
    config.tiers[0].plugins[0].arguments = Arguments({{"tdm.revocable-zone.rz1", hours}});
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    Session session(given_.cluster, *plugins_, kube::ParseTime(time).value());
    return kube::FormatTime(session.ChangesAt(given_.job("g")).value());
  };
  EXPECT_EQ(next("2026-01-01T12:00:00Z"), "2026-01-01T22:00:00Z");
  EXPECT_EQ(next("2026-01-01T23:00:00Z"), "2026-01-02T00:00:00Z");
  EXPECT_EQ(next("2026-01-01T12:00:00Z", "10:00-10:00"), "2026-01-02T00:00:00Z");
}

}  // namespace
}  // namespace basalt::scheduler::plugins
