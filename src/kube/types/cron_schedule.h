#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "kube/types/time_zone.h"

namespace basalt::kube {

// When a CronJob is due: five fields (minute, hour, day of month, month, day of week) with `*` or
// `?`, lists, ranges, steps and names, or @yearly, @annually, @monthly, @weekly, @daily, @midnight,
// @hourly, or `@every DURATION`. A day matches by either of its two fields when both are
// restricted. A plain value, immutable; any thread.
class CronSchedule {
 public:
  // An error names the field and its value. A time zone in the text (TZ=, CRON_TZ=) is refused.
  static Result<CronSchedule> Parse(std::string_view text);

  // The first moment after `after` that clocks in `zone` show as one of the schedule's. What clocks
  // skip in spring does not come; what they show twice in autumn comes twice. `@every` counts from
  // `after`. Nothing: not within ten years.
  std::optional<Time> Next(Time after, const TimeZone& zone) const;
  // The last of those after `after` that is not later than `until`. Takes about thirty times as
  // long as Next, however many there are in between.
  std::optional<Time> Latest(Time after, Time until, const TimeZone& zone) const;

 private:
  using LocalMinutes = std::chrono::local_time<std::chrono::minutes>;

  bool DayMatches(std::chrono::local_days day) const;
  std::optional<LocalMinutes> NextLocal(LocalMinutes from, LocalMinutes until) const;

  std::optional<Duration> every_;
  // Bit N: the value N.
  std::uint64_t minutes_ = 0;
  std::uint64_t hours_ = 0;
  std::uint64_t days_ = 0;
  std::uint64_t months_ = 0;
  std::uint64_t weekdays_ = 0;
  bool any_day_ = false;
  bool any_weekday_ = false;
};

}  // namespace basalt::kube
