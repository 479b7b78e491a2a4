#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace basalt::kube {

// RFC 3339, with or without a fraction, any offset: what Go's time.Parse(time.RFC3339, …) takes,
// and its words for what it does not. Times that int64 nanoseconds do not hold (before 1677, after
// 2262) become the earliest or latest that they do.
Result<Time> ParseTime(std::string_view text);
// What an API server gives back for a metav1.Time (in UTC, no fraction) and for a metav1.MicroTime
// (six digits of fraction, and it takes no other number of them). Any year is kept.
Result<std::string> NormalizeTime(std::string_view text);
Result<std::string> NormalizeMicroTime(std::string_view text);
// "2026-01-02T15:04:05", without a zone. For any year from 1 to 9999.
std::string FormatSeconds(std::chrono::sys_seconds time);
// "2026-01-02T15:04:05Z": metav1.Time. Fractions are cut off.
std::string FormatTime(Time time);
// "2026-01-02T15:04:05.000000Z": metav1.MicroTime.
std::string FormatMicroTime(Time time);

// Go's duration strings: "1h2m3.5s", "300ms", "-1.5h", "0".
Result<Duration> ParseDuration(std::string_view text);
std::string FormatDuration(Duration duration);

}  // namespace basalt::kube
