#include "kube/types/cron_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kube/types/time.h"

namespace basalt::kube {
namespace {

Time Moment(std::string_view text) { return *ParseTime(text); }

// A zone with the rules of TZ and nothing else: what the database's files end with.
TimeZone ZoneOf(std::string_view tz) {
  std::string file;
  for (int block = 0; block < 2; ++block) {
    file += "TZif2" + std::string(15, '\0');
    // One type (6 bytes), one character.
    for (const char n : {0, 0, 0, 0, 1, 1}) file += std::string(3, '\0') + n;
    file += std::string(7, '\0');
  }
  const auto zone = TimeZone::Parse(file + "\n" + std::string(tz) + "\n");
  EXPECT_TRUE(zone) << tz;
  return zone.value_or(TimeZone());
}

// The first times after `after`, with a space in between.
std::string Following(std::string_view schedule, std::string_view after, const TimeZone& zone,
                      int n) {
  const auto parsed = CronSchedule::Parse(schedule);
  if (!parsed) return parsed.error().message;
  std::string times;
  Time at = Moment(after);
  for (int i = 0; i < n; ++i) {
    const auto next = parsed->Next(at, zone);
    if (!next) return times + "none";
    times += (i > 0 ? " " : "") + FormatTime(*next).substr(0, 16);
    at = *next;
  }
  return times;
}

TEST(CronScheduleTest, FindsTheTimesThatFollow) {
  struct Case {
    const char* schedule;
    const char* after;
    int n;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"* * * * *", "2026-01-01T00:00:00Z", 2, "2026-01-01T00:01 2026-01-01T00:02"},
           {"* * * * *", "2026-01-01T00:00:59.5Z", 1, "2026-01-01T00:01"},
           {"*/15 * * * *", "2026-01-01T00:16:00Z", 3,
            "2026-01-01T00:30 2026-01-01T00:45 2026-01-01T01:00"},
           {"5/20 * * * *", "2026-01-01T00:00:00Z", 4,
            "2026-01-01T00:05 2026-01-01T00:25 2026-01-01T00:45 2026-01-01T01:05"},
           {"0 9-17/4 * * *", "2026-01-01T00:00:00Z", 4,
            "2026-01-01T09:00 2026-01-01T13:00 2026-01-01T17:00 2026-01-02T09:00"},
           {"1,30 0 * * *", "2026-01-01T00:01:00Z", 2, "2026-01-01T00:30 2026-01-02T00:01"},
           {"0 0 29 2 *", "2026-01-01T00:00:00Z", 2, "2028-02-29T00:00 2032-02-29T00:00"},
           {"0 0 29 feb ?", "2096-03-01T00:00:00Z", 1, "2104-02-29T00:00"},
           {"0 0 30 2 *", "2026-01-01T00:00:00Z", 1, "none"},
           {"0 0 31 * *", "2026-01-31T00:00:00Z", 2, "2026-03-31T00:00 2026-05-31T00:00"},
           {"0 12 * JAN-mar Mon", "2026-01-01T00:00:00Z", 2, "2026-01-05T12:00 2026-01-12T12:00"},
           {"0 0 13 * fri", "2026-02-01T00:00:00Z", 3,
            "2026-02-06T00:00 2026-02-13T00:00 2026-02-20T00:00"},
           {"0 0 */10 * mon", "2026-01-01T00:00:00Z", 3,
            "2026-01-05T00:00 2026-01-11T00:00 2026-01-12T00:00"},
           {"59 23 31 12 *", "2026-12-31T23:59:00Z", 1, "2027-12-31T23:59"},
           {"  0\t0  1 1 * ", "2026-01-01T00:00:00Z", 1, "2027-01-01T00:00"},
           {"*/90 * * * *", "2026-01-01T00:00:00Z", 2, "2026-01-01T01:00 2026-01-01T02:00"},
           {"@yearly", "2026-01-01T00:00:00Z", 1, "2027-01-01T00:00"},
           {"@annually", "2026-01-01T00:00:00Z", 1, "2027-01-01T00:00"},
           {"@monthly", "2026-01-01T00:00:00Z", 1, "2026-02-01T00:00"},
           {"@weekly", "2026-01-01T00:00:00Z", 1, "2026-01-04T00:00"},
           {"@daily", "2026-01-01T00:00:00Z", 1, "2026-01-02T00:00"},
           {"@midnight", "2026-01-01T00:00:00Z", 1, "2026-01-02T00:00"},
           {"@hourly", "2026-01-01T00:00:00Z", 1, "2026-01-01T01:00"},
           {"@every 90m", "2026-01-01T00:10:00.7Z", 2, "2026-01-01T01:40 2026-01-01T03:10"},
           {"* * * * *", "2261-01-01T00:00:00Z", 1, "none"},
       }) {
    EXPECT_EQ(Following(c.schedule, c.after, TimeZone(), c.n), c.want)
        << c.schedule << " after " << c.after;
  }
}

TEST(CronScheduleTest, RefusesWithTheFieldAndItsValue) {
  struct Case {
    const char* schedule;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"", "is empty"},
           {"* * * *", "has 4 fields"},
           {"0 * * * * *", "has 6 fields"},
           {"60 * * * *", "minute: \"60\": want numbers from 0 to 59"},
           {"* 24 * * *", "hour: \"24\""},
           {"* * 0 * *", "day of month: \"0\": want numbers from 1 to 31"},
           {"* * * 13 *", "month: \"13\": want numbers from 1 to 12 or names from jan to dec"},
           {"* * * * 7", "day of week: \"7\": want numbers from 0 to 6 or names from sun to sat"},
           {"* * * * mond", "day of week: \"mond\""},
           {"jan * * * *", "minute: \"jan\""},
           {"-5 * * * *", "minute: \"-5\""},
           {"+5 * * * *", "minute: \"+5\""},
           {"5-1 * * * *", "minute: \"5-1\": the range ends before it begins"},
           {"1-2-3 * * * *", "minute: \"1-2-3\""},
           {"*/0 * * * *", "minute: \"*/0\": a step"},
           {"*/ * * * *", "minute: \"*/\": a step"},
           {"*/2/2 * * * *", "minute: \"*/2/2\""},
           {"1,,2 * * * *", "minute: \"\""},
           {"99999999999999999999 * * * *", "minute: \"99999999999999999999\""},
           {"@reboot", "want @yearly"},
           {"@every", "want @yearly"},
           {"@every soon", "soon"},
           {"@every -1h", "must be positive"},
           {"TZ=UTC 0 0 * * *", "use timeZone"},
           {"CRON_TZ=Europe/Berlin 0 0 * * *", "use timeZone"},
       }) {
    const auto parsed = CronSchedule::Parse(c.schedule);
    ASSERT_FALSE(parsed) << c.schedule;
    EXPECT_THAT(parsed.error().message, testing::HasSubstr(c.want));
    EXPECT_THAT(parsed.error().message,
                testing::StartsWith("schedule \"" + std::string(c.schedule) + "\""));
  }
}

TEST(CronScheduleTest, FollowsTheClocksThroughSummerTime) {
  const TimeZone berlin = ZoneOf("CET-1CEST,M3.5.0,M10.5.0/3");
  struct Case {
    const char* name;
    const char* schedule;
    const char* after;
    int n;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           // On 2026-03-29 the clocks go from 2 to 3 o'clock, at 01:00 UTC.
           {"an hour earlier from then on", "0 4 * * *", "2026-03-28T00:00:00Z", 2,
            "2026-03-28T03:00 2026-03-29T02:00"},
           {"what is skipped does not come", "30 2 * * *", "2026-03-28T00:00:00Z", 2,
            "2026-03-28T01:30 2026-03-30T00:30"},
           {"every half hour goes on", "*/30 * * * *", "2026-03-29T00:29:00Z", 3,
            "2026-03-29T00:30 2026-03-29T01:00 2026-03-29T01:30"},
           // On 2026-10-25 they go from 3 to 2 o'clock, at 01:00 UTC.
           {"what is shown twice comes twice", "30 2 * * *", "2026-10-24T12:00:00Z", 3,
            "2026-10-25T00:30 2026-10-25T01:30 2026-10-26T01:30"},
           {"an hour later from then on", "0 4 * * *", "2026-10-24T12:00:00Z", 1,
            "2026-10-25T03:00"},
       }) {
    EXPECT_EQ(Following(c.schedule, c.after, berlin, c.n), c.want) << c.name;
  }
}

TEST(CronScheduleTest, UsesTheSystemsTimeZones) {
  const auto berlin = TimeZone::Load("Europe/Berlin");
  if (!berlin) GTEST_SKIP() << "no time zone database here";
  EXPECT_EQ(Following("0 4 * * *", "2026-03-28T00:00:00Z", *berlin, 2),
            "2026-03-28T03:00 2026-03-29T02:00");
  EXPECT_EQ(Following("0 4 * * *", "2050-07-01T00:00:00Z", *berlin, 1), "2050-07-01T02:00");
  EXPECT_EQ(Following("0 0 * * *", "2026-07-01T00:00:00Z", *TimeZone::Load("Asia/Kolkata"), 1),
            "2026-07-01T18:30");
  EXPECT_EQ(Following("0 0 * * *", "2026-01-15T00:00:00Z", *TimeZone::Load("America/New_York"), 1),
            "2026-01-15T05:00");
}

TEST(CronScheduleTest, FindsTheLatestOfAnyNumber) {
  const TimeZone utc;
  struct Case {
    const char* schedule;
    const char* after;
    const char* until;
    const char* want;  // empty: none
  };
  for (const Case& c : std::initializer_list<Case>{
           {"* * * * *", "2020-01-01T00:00:00Z", "2026-01-01T00:00:30Z", "2026-01-01T00:00:00Z"},
           {"* * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z", "2026-01-01T00:01:00Z"},
           {"* * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:00:59Z", ""},
           {"0 0 1 1 *", "2016-06-01T00:00:00Z", "2025-12-31T23:59:59Z", "2025-01-01T00:00:00Z"},
           {"* * * 1 *", "2020-01-01T00:00:00Z", "2025-12-31T00:00:00Z", "2025-01-31T23:59:00Z"},
           {"@every 7s", "2026-01-01T00:00:00Z", "2026-01-01T00:00:30Z", "2026-01-01T00:00:28Z"},
           {"@every 1h", "2026-01-01T00:00:00Z", "2026-01-01T00:00:30Z", ""},
           {"0 0 30 2 *", "2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z", ""},
       }) {
    const auto latest =
        CronSchedule::Parse(c.schedule)->Latest(Moment(c.after), Moment(c.until), utc);
    EXPECT_EQ(latest ? FormatTime(*latest) : "", c.want) << c.schedule << " until " << c.until;
  }
}

TEST(TimeZoneTest, KnowsRulesOfEveryForm) {
  struct Case {
    const char* rules;
    const char* at;
    int minutes;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"UTC0", "2026-07-01T00:00:00Z", 0},
           {"<+0530>-5:30", "2026-07-01T00:00:00Z", 330},
           {"EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -300},
           {"EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -240},
           {"EST5EDT,M3.2.0,M11.1.0", "2026-11-01T05:59:59Z", -240},
           {"EST5EDT,M3.2.0,M11.1.0", "2026-11-01T06:00:00Z", -300},
           // The southern half: summer time over the new year.
           {"AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 660},
           {"AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-07-01T00:00:00Z", 600},
           {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-07-01T00:00:00Z", -60},
           {"AAA0BBB-2,J60/0,J300/0", "2028-03-01T00:00:00Z", 120},  // a leap year
           {"AAA0BBB,60/0,300/0", "2026-03-02T00:00:00Z", 60},
       }) {
    EXPECT_EQ(ZoneOf(c.rules).At(Moment(c.at)).offset, std::chrono::minutes(c.minutes))
        << c.rules << " at " << c.at;
  }
}

TEST(TimeZoneTest, NamesWhatItDoesNotKnow) {
  for (const char* name : {"", "Local", "Mars/Olympus", "../../etc/passwd", "/etc/passwd",
                           "Europe/../../../../etc/passwd", "Europe", "Europe/Berlin ", "\xff"}) {
    const auto zone = TimeZone::Load(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().message, "unknown time zone \"" + std::string(name) + "\"");
  }
  EXPECT_TRUE(TimeZone::Load("UTC"));
}

TEST(TimeZoneTest, RefusesBrokenFiles) {
  const std::string header = "TZif2" + std::string(15, '\0');
  EXPECT_FALSE(TimeZone::Parse(""));
  EXPECT_FALSE(TimeZone::Parse(header));
  EXPECT_FALSE(TimeZone::Parse(header + std::string(24, '\xff')));
  EXPECT_FALSE(TimeZone::Parse(header + std::string(24, '\0') + header + std::string(24, '\0')));
  for (const char* rules :
       {"X", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-999",
        "<CET-1", "CET-1CEST,M3.5.0,M10.5.0x"}) {
    std::string file;
    for (int block = 0; block < 2; ++block) {
      file += header;
      for (const char n : {0, 0, 0, 0, 1, 1}) file += std::string(3, '\0') + n;
      file += std::string(7, '\0');
    }
    EXPECT_FALSE(TimeZone::Parse(file + "\n" + rules + "\n")) << rules;
  }
}

}  // namespace
}  // namespace basalt::kube
