#pragma once

#include <chrono>
#include <string>

#include "base/clock.h"

// Times that may lie anywhere: what an int64 of nanoseconds cannot hold stops at its ends.
namespace basalt::apiserver {

// "2026-01-02T15:04:05", without a zone. For any year from 1 to 9999.
std::string FormatSeconds(std::chrono::sys_seconds time);

// `to - from` and `time + seconds`.
Duration Between(Time from, Time to);
Time After(Time time, std::int64_t seconds);

}  // namespace basalt::apiserver
