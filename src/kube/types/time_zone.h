#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace basalt::kube {

// What the clocks of a place show at each moment: a zone of the system's time zone database (RFC
// 8536), read once. A plain value, immutable; any thread.
class TimeZone {
 public:
  // A stretch of time with one offset from UTC (east is positive).
  struct Stretch {
    std::chrono::seconds offset{0};
    Time until = Time::max();  // the next stretch begins here
  };

  // UTC.
  TimeZone() = default;
  // "Europe/Berlin", from the directory that TZDIR names or /usr/share/zoneinfo. An error names it.
  static Result<TimeZone> Load(std::string_view name);
  // The content of a file of that database.
  static Result<TimeZone> Parse(std::string_view tzif);

  // The stretch that `at` belongs to.
  Stretch At(Time at) const;

 private:
  struct Change {
    std::int64_t at = 0;  // seconds since 1970
    std::int32_t offset = 0;
  };
  // A day of the year on which clocks change, as POSIX writes it in TZ.
  struct Rule {
    enum class Kind : std::uint8_t { kMonthWeekDay, kDayWithoutLeap, kDayOfYear };
    Kind kind = Kind::kMonthWeekDay;
    int month = 0, week = 0, day = 0;
    std::int32_t seconds = 2 * 3600;  // after midnight, by the clocks before the change
  };
  // What goes on for ever after the last change that the file lists.
  struct Forever {
    std::int32_t standard = 0;
    std::int32_t summer = 0;
    std::optional<Rule> to_summer;  // nothing: no summer time
    std::optional<Rule> to_standard;
  };
  class Footer;

  static std::int64_t DayOf(const Rule& rule, int year);
  Stretch AtForever(std::int64_t at) const;

  std::int32_t first_offset_ = 0;
  std::vector<Change> changes_;  // in order
  std::optional<Forever> forever_;
};

}  // namespace basalt::kube
