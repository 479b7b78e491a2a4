#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace basalt::kube {

// RFC 3339, with or without a fraction, any offset: what Go's time.Parse(time.RFC3339, …) takes,
// and its words for what it does not. Times outside of int64 nanoseconds (before 1677, after 2262)
// are refused.
Result<Time> ParseTime(std::string_view text);
// "2026-01-02T15:04:05Z": metav1.Time. Fractions are cut off.
std::string FormatTime(Time time);
// "2026-01-02T15:04:05.000000Z": metav1.MicroTime.
std::string FormatMicroTime(Time time);

// Go's duration strings: "1h2m3.5s", "300ms", "-1.5h", "0".
Result<Duration> ParseDuration(std::string_view text);
std::string FormatDuration(Duration duration);

}  // namespace basalt::kube
