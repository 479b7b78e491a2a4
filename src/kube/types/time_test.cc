#include "kube/types/time.h"

#include <gtest/gtest.h>

namespace basalt::kube {
namespace {

TEST(Time, IsReadInEveryFormThatGoTakes) {
  const std::pair<std::string, std::string> cases[] = {
      {"2026-01-02T15:04:05Z", "2026-01-02T15:04:05.000000Z"},
      {"2026-01-02T15:04:05.5Z", "2026-01-02T15:04:05.500000Z"},
      {"2026-01-02T15:04:05.123456789Z", "2026-01-02T15:04:05.123456Z"},
      {"2026-01-02T15:04:05+02:00", "2026-01-02T13:04:05.000000Z"},
      {"2026-01-01T00:30:00-01:30", "2026-01-01T02:00:00.000000Z"},
      {"1969-12-31T23:59:59.25Z", "1969-12-31T23:59:59.250000Z"},
      {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"},
      {"2026-01-02T3:04:05Z", "2026-01-02T03:04:05.000000Z"},
  };
  for (const auto& [text, want] : cases) {
    const Result<Time> time = ParseTime(text);
    ASSERT_TRUE(time) << time.error().message;
    EXPECT_EQ(FormatMicroTime(*time), want) << text;
  }
  EXPECT_EQ(FormatTime(*ParseTime("2026-01-02T15:04:05.9Z")), "2026-01-02T15:04:05Z");
}

TEST(Time, IsRefusedInGosWords) {
  const std::string layout = "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse ";
  const std::pair<std::string, std::string> cases[] = {
      {"", "parsing time \"" + layout + R"("" as "2006")"},
      {"yesterday", "parsing time \"yesterday" + layout + R"("yesterday" as "2006")"},
      {"2026-01-02", "parsing time \"2026-01-02" + layout + R"("" as "T")"},
      {"2026-01-02T15:04:05", "parsing time \"2026-01-02T15:04:05" + layout + R"("" as "Z07:00")"},
      {"2026-13-02T15:04:05Z", "parsing time \"2026-13-02T15:04:05Z\": month out of range"},
      {"2026-02-30T15:04:05Z", "parsing time \"2026-02-30T15:04:05Z\": day out of range"},
      {"2026-01-02T24:04:05Z", "parsing time \"2026-01-02T24:04:05Z\": hour out of range"},
      {"2026-01-02T15:04:05Zx", "parsing time \"2026-01-02T15:04:05Zx\": extra text: \"x\""},
  };
  for (const auto& [text, message] : cases) {
    const Result<Time> time = ParseTime(text);
    ASSERT_FALSE(time) << text;
    EXPECT_EQ(time.error().message, message);
  }
}

TEST(Time, OutsideOfTheRangeBecomesTheEndOfIt) {
  EXPECT_EQ(ParseTime("9999-12-31T00:00:00Z").value_or(Time()), Time::max());
  EXPECT_EQ(ParseTime("0001-01-01T00:00:00Z").value_or(Time()), Time::min());
}

TEST(Time, TheEndsOfTheRangeCanBePrinted) {
  EXPECT_EQ(FormatMicroTime(Time::min()), "1677-09-21T00:12:43.145224Z");
  EXPECT_EQ(FormatMicroTime(Time::max()), "2262-04-11T23:47:16.854775Z");
}

TEST(Time, IsNormalisedWithoutLosingTheYear) {
  EXPECT_EQ(NormalizeTime("9999-12-31T01:00:00.7+01:00").value_or(""), "9999-12-31T00:00:00Z");
  EXPECT_EQ(NormalizeMicroTime("2026-01-02T15:04:05.123456Z").value_or(""),
            "2026-01-02T15:04:05.123456Z");
  EXPECT_FALSE(NormalizeMicroTime("2026-01-02T15:04:05Z"));
  EXPECT_FALSE(NormalizeMicroTime("2026-01-02T15:04:05.123Z"));
}

TEST(Duration, IsReadAndWrittenAsInGo) {
  const std::pair<std::string, std::string> cases[] = {
      {"0", "0s"},
      {"1h2m3.5s", "1h2m3.5s"},
      {"90s", "1m30s"},
      {"300ms", "300ms"},
      {"1.5h", "1h30m0s"},
      {"-1.5s", "-1.5s"},
      {"100us", "100\u00b5s"},
      {"1500ns", "1.5\u00b5s"},
      {"7ns", "7ns"},
      {".5s", "500ms"},
      {"600s", "10m0s"},
      {"1m1ms", "1m0.001s"},
      {"+5s", "5s"},
  };
  for (const auto& [text, want] : cases) {
    const Result<Duration> duration = ParseDuration(text);
    ASSERT_TRUE(duration) << duration.error().message;
    EXPECT_EQ(FormatDuration(*duration), want) << text;
  }
}

TEST(Duration, IsRefusedInGosWords) {
  const std::pair<std::string, std::string> cases[] = {
      {"", R"(time: invalid duration "")"},
      {"5", R"(time: missing unit in duration "5")"},
      {"5x", R"(time: unknown unit "x" in duration "5x")"},
      {".s", R"(time: invalid duration ".s")"},
      {"s", R"(time: invalid duration "s")"},
      {"99999999999h", R"(time: invalid duration "99999999999h")"},
      {"1h ", R"(time: unknown unit "h " in duration "1h ")"},
  };
  for (const auto& [text, message] : cases) {
    const Result<Duration> duration = ParseDuration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_EQ(duration.error().message, message);
  }
}

}  // namespace
}  // namespace basalt::kube
