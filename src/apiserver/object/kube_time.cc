#include "apiserver/object/kube_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace basalt::apiserver {

std::string FormatSeconds(std::chrono::sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

Duration Between(Time from, Time to) {
  std::int64_t nanos = 0;
  if (__builtin_sub_overflow(to.time_since_epoch().count(), from.time_since_epoch().count(),
                             &nanos)) {
    return from < to ? Duration::max() : Duration::min();
  }
  return Duration(nanos);
}

Time After(Time time, std::int64_t seconds) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 1'000'000'000;
  const std::int64_t added = std::clamp(seconds, -kMost, kMost) * 1'000'000'000;
  std::int64_t nanos = 0;
  if (__builtin_add_overflow(time.time_since_epoch().count(), added, &nanos)) {
    return seconds > 0 ? Time::max() : Time::min();
  }
  return Time(Duration(nanos));
}

}  // namespace basalt::apiserver
