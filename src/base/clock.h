#pragma once

#include <chrono>
#include <cstdint>

namespace basalt {

using Duration = std::chrono::nanoseconds;
// Wall-clock time (UTC). Virtual in tests.
using Time = std::chrono::sys_time<Duration>;

using namespace std::chrono_literals;

// Where all time comes from, so that a test can own it. Outlives what reads it. Any thread may read
// the real one (AsioLoop); others are for their loop's thread.
class Clock {
 public:
  virtual ~Clock() = default;
  // For timestamps that others see.
  virtual Time Now() const = 0;
  // For measuring: never goes back, zero is arbitrary.
  virtual Duration Monotonic() const = 0;
};

}  // namespace basalt
