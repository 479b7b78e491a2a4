#include "controllers/cronjob/cronjob_controller.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "kube/types/time.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::controllers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testutil::TextAt;
namespace resources = kube::resources;

// Virtual time begins at midnight of 2026-01-01, UTC: unix minute 29453760.
class CronJobControllerTest : public testing::Test {
 protected:
  CronJobControllerTest() { controller_.Start(); }

  void Add(std::string_view schedule, std::string_view more = "") {
    cluster_.Create(testutil::MakeObject(resources::kVcCronJobs, "nightly")
                        .Set("spec", boost::json::parse(fmt::format(
                                         R"({{"schedule": "{}", {} "jobTemplate": {{"metadata":
                                {{"labels": {{"a": "b"}}}},
                                "spec": {{"tasks": [{{"name": "w", "replicas": 1}}]}}}}}})",
                                         schedule, more))));
  }
  void Patch(std::string_view spec) {
    ASSERT_TRUE(cluster_.Patch({resources::kVcCronJobs, "default", "nightly"},
                               kube::PatchKind::kMerge, fmt::format(R"({{"spec": {}}})", spec)));
  }
  void Run(Duration duration) { cluster_.loop().RunFor(duration); }
  std::vector<std::string> Jobs() {
    std::vector<std::string> names;
    for (const boost::json::value& job : cluster_.List(resources::kVcJobs)) {
      names.push_back(TextAt(job, "metadata.name"));
    }
    return names;
  }
  void End(std::string_view job, std::string_view phase) {
    ASSERT_TRUE(cluster_.Patch(
        {resources::kVcJobs, "default", job, "status"}, kube::PatchKind::kMerge,
        fmt::format(R"({{"status": {{"state": {{"phase": "{}", "lastTransitionTime": "{}"}}}}}})",
                    phase, kube::FormatTime(cluster_.loop().Now()))));
    Run(1s);
  }
  boost::json::value Cron() { return cluster_.Get(resources::kVcCronJobs, "default", "nightly"); }
  std::size_t Active() {
    const boost::json::value cron = Cron();
    const boost::json::value* active = testutil::FindPath(cron, "status.active");
    return active ? active->get_array().size() : 0;
  }
  std::string Events() {
    std::string all;
    for (const boost::json::value& event : cluster_.List(resources::kEvents)) {
      all += TextAt(event, "reason") + "\n";
    }
    return all;
  }

  testutil::SchedulingCluster cluster_;
  kube::EventRecorder events_{cluster_.client(), {.component = "vc-controller-manager"}};
  CronJobController controller_{cluster_.client(), events_};
};

TEST_F(CronJobControllerTest, AJobIsMadeAtEachTime) {
  Add("*/10 * * * *");
  Run(9min);
  EXPECT_THAT(Jobs(), IsEmpty());
  Run(2min);
  EXPECT_THAT(Jobs(), ElementsAre("nightly-29453770"));
  EXPECT_EQ(Active(), 1u);
  EXPECT_EQ(TextAt(Cron(), "status.lastScheduleTime"), "2026-01-01T00:10:00Z");
  const boost::json::value job = cluster_.Get(resources::kVcJobs, "default", "nightly-29453770");
  EXPECT_EQ(TextAt(job, "metadata.labels.a"), "b");
  EXPECT_EQ(job.at("metadata").at("annotations").at("volcano.sh/cronjob-scheduled-timestamp"),
            "2026-01-01T00:10:00Z");
  EXPECT_EQ(TextAt(job, "metadata.ownerReferences.0.name"), "nightly");
  Run(10min);
  EXPECT_THAT(Jobs(), SizeIs(2));
  EXPECT_EQ(Active(), 2u);
  EXPECT_THAT(Events(), HasSubstr("SuccessfulCreate"));
}

TEST_F(CronJobControllerTest, WhatHasEndedIsTidiedUp) {
  Add("*/10 * * * *", R"("successfulJobsHistoryLimit": 1, "failedJobsHistoryLimit": 0,)");
  Run(31min);
  ASSERT_THAT(Jobs(), SizeIs(3));
  End("nightly-29453770", "Completed");
  EXPECT_EQ(Active(), 2u);
  EXPECT_EQ(TextAt(Cron(), "status.lastSuccessfulTime"), "2026-01-01T00:31:00Z");
  End("nightly-29453780", "Completed");
  EXPECT_THAT(Jobs(), ElementsAre("nightly-29453780", "nightly-29453790"));
  End("nightly-29453790", "Failed");
  EXPECT_THAT(Jobs(), ElementsAre("nightly-29453780"));
  EXPECT_THAT(Events(), HasSubstr("SawCompletedJob"));
  EXPECT_THAT(Events(), HasSubstr("SuccessfulDelete"));
}

TEST_F(CronJobControllerTest, ForbidWaitsForTheOneBefore) {
  Add("*/10 * * * *", R"("concurrencyPolicy": "Forbid",)");
  Run(35min);
  EXPECT_THAT(Jobs(), ElementsAre("nightly-29453770"));
  EXPECT_THAT(Events(), HasSubstr("ForbidConcurrent"));
  End("nightly-29453770", "Completed");
  EXPECT_THAT(Jobs(), ElementsAre("nightly-29453770", "nightly-29453790"))
      << "the latest that was missed";
}

TEST_F(CronJobControllerTest, ReplaceTakesThePlaceOfTheOneBefore) {
  Add("*/10 * * * *", R"("concurrencyPolicy": "Replace",)");
  Run(25min);
  EXPECT_THAT(Jobs(), ElementsAre("nightly-29453780"));
  EXPECT_EQ(Active(), 1u);
  EXPECT_THAT(Events(), HasSubstr("ReplaceConcurrent"));
}

TEST_F(CronJobControllerTest, SuspendedItOnlyKeepsItsBooks) {
  Add("*/10 * * * *", R"("suspend": true,)");
  Run(35min);
  EXPECT_THAT(Jobs(), IsEmpty());
  Patch(R"({"suspend": false})");
  Run(1s);
  EXPECT_THAT(Jobs(), ElementsAre("nightly-29453790")) << "the latest that was missed";
}

TEST_F(CronJobControllerTest, WhatIsTooLateIsNotMadeUpFor) {
  Add("*/10 * * * *", R"("suspend": true, "startingDeadlineSeconds": 60,)");
  Run(35min);
  Patch(R"({"suspend": false})");
  Run(1s);
  EXPECT_THAT(Jobs(), IsEmpty());
}

TEST_F(CronJobControllerTest, AChangedScheduleHoldsFromNowOn) {
  Add("0 12 * * *");
  Run(30min);
  Patch(R"({"schedule": "*/7 * * * *"})");
  Run(1min);
  EXPECT_THAT(Jobs(), IsEmpty()) << "minute 28 was before the change";
  Run(5min);
  EXPECT_THAT(Jobs(), ElementsAre("nightly-29453795"));
}

TEST_F(CronJobControllerTest, WhatItCannotReadItSays) {
  Add("every now and then");
  Run(1s);
  EXPECT_THAT(Events(), HasSubstr("InvalidSchedule"));
  Patch(R"({"schedule": "* * * * *", "timeZone": "Moon/Base"})");
  Run(2min);
  EXPECT_THAT(Events(), HasSubstr("InvalidTimeZone"));
  EXPECT_THAT(Jobs(), IsEmpty());
}

TEST_F(CronJobControllerTest, MoreThanAHundredMissedTimesAreSaid) {
  Add("* * * * *", R"("suspend": true,)");
  Run(3h);
  Patch(R"({"suspend": false})");
  Run(1s);
  EXPECT_THAT(Jobs(), SizeIs(1));
  EXPECT_THAT(Events(), HasSubstr("TooManyMissedTimes"));
}

// ---- the times themselves

TEST(CronPlan, SummerTimeIsThatOfTheZone) {
  const auto zone = kube::TimeZone::Load("Europe/Berlin");
  if (!zone) GTEST_SKIP() << "no tzdata here";
  const auto at = [](std::string_view text) { return *kube::ParseTime(text); };
  EXPECT_EQ(LocalTime(at("2026-03-29T00:30:00Z"), *zone), "2026-03-29T01:30:00+01:00");
  EXPECT_EQ(LocalTime(at("2026-03-29T01:30:00Z"), *zone), "2026-03-29T03:30:00+02:00");
  kube::VcCronJob cron;
  cron.meta.creation_timestamp = at("2026-03-28T12:00:00Z");
  const auto schedule = *kube::CronSchedule::Parse("30 2 * * *");
  const auto due = [&](std::string_view now) {
    return FindDue(cron, schedule, *zone, std::nullopt, at(now)).due;
  };
  EXPECT_FALSE(due("2026-03-29T12:00:00Z")) << "half past two does not come on that day";
  EXPECT_EQ(due("2026-03-30T12:00:00Z"), at("2026-03-30T00:30:00Z"));
  cron.meta.creation_timestamp = at("2026-10-24T12:00:00Z");
  EXPECT_EQ(due("2026-10-25T00:45:00Z"), at("2026-10-25T00:30:00Z"));
  EXPECT_EQ(due("2026-10-25T01:45:00Z"), at("2026-10-25T01:30:00Z")) << "it comes twice";
}

}  // namespace
}  // namespace basalt::controllers
