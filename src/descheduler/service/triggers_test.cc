#include "descheduler/service/triggers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/types/time.h"
#include "testing/sim_loop.h"

namespace basalt::descheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TriggersTest : public testing::Test {
 protected:
  void Make(TriggerOptions options) {
    start_ = loop_.Now();
    triggers_.emplace(loop_, std::move(options), [this](Trigger trigger) {
      if (busy_) return false;
      begun_.push_back(std::string(ToString(trigger)) + " " +
                       std::to_string((loop_.Now() - start_) / 1s));
      return true;
    });
    triggers_->Start();
  }
  testutil::SimLoop loop_;
  Time start_;
  std::optional<Triggers> triggers_;
  bool busy_ = false;
  std::vector<std::string> begun_;
};

TEST_F(TriggersTest, WithNeitherNothingBegins) {
  Make({});
  loop_.RunFor(48h);
  EXPECT_THAT(begun_, IsEmpty());
}

TEST_F(TriggersTest, AnIntervalBeginsAtOnce) {
  Make({.interval = 10s, .cron = {}});
  loop_.RunFor(25s);
  EXPECT_THAT(begun_, ElementsAre("interval 0", "interval 10", "interval 20"));
  triggers_->Stop();
  loop_.RunFor(60s);
  EXPECT_EQ(begun_.size(), 3u);
}

TEST_F(TriggersTest, ARunThatLastsLongerDelaysTheNext) {
  Make({.interval = 10s, .cron = {}});
  busy_ = true;
  loop_.RunFor(35s);
  busy_ = false;
  triggers_->Ended();
  loop_.RunFor(11s);
  EXPECT_THAT(begun_, ElementsAre("interval 0", "interval 35", "interval 45"));
}

TEST_F(TriggersTest, TheIntervalCountsBesideACronExpression) {
  Make({.interval = 1h, .cron = *kube::CronSchedule::Parse("* * * * *")});
  loop_.RunFor(90min);
  EXPECT_THAT(begun_, ElementsAre("interval 0", "interval 3600"));
}

TEST_F(TriggersTest, ACronExpressionIsReadInUtc) {
  Make({.interval = {}, .cron = *kube::CronSchedule::Parse("@every 90s")});
  loop_.RunFor(200s);
  EXPECT_THAT(begun_, ElementsAre("cron 90", "cron 180"));
}

// Each from Thursday, 1 January 2026, 00:00:30 UTC.
TEST(CronTriggerTest, TheExpressionsThatAreTakenAndWhenTheyComeNext) {
  const Time from = *kube::ParseTime("2026-01-01T00:00:30Z");
  const std::pair<const char*, const char*> cases[] = {
      {"* * * * *", "2026-01-01T00:01:00Z"},
      {"*/15 * * * *", "2026-01-01T00:15:00Z"},
      {"5-10/2,40 3 * * *", "2026-01-01T03:05:00Z"},
      {"0 0 * * MON-FRI", "2026-01-02T00:00:00Z"},
      {"0 0 * * sun,6", "2026-01-03T00:00:00Z"},
      {"30 4 1 FEB *", "2026-02-01T04:30:00Z"},
      {"0 12 13 * 5", "2026-01-02T12:00:00Z"},
      {"@hourly", "2026-01-01T01:00:00Z"},
      {"@daily", "2026-01-02T00:00:00Z"},
      {"@weekly", "2026-01-04T00:00:00Z"},
      {"@monthly", "2026-02-01T00:00:00Z"},
      {"@every 1h30m", "2026-01-01T01:30:30Z"},
  };
  for (const auto& [text, next] : cases) {
    const auto cron = kube::CronSchedule::Parse(text);
    ASSERT_TRUE(cron) << text;
    EXPECT_EQ(kube::FormatTime(*cron->Next(from, kube::TimeZone())), next) << text;
  }
  for (const char* text :
       {"", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * mo",
        "@never", "@every", "@every 0s", "1-0 * * * *", "*/0 * * * *", "* * * * * *"}) {
    EXPECT_FALSE(kube::CronSchedule::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace basalt::descheduler
