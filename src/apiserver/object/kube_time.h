#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/clock.h"

// Times that may lie anywhere: what an int64 of nanoseconds cannot hold stops at its ends.
namespace basalt::apiserver {

inline Duration OfNanos(__int128 nanos) {
  using Limits = std::numeric_limits<std::int64_t>;
  return Duration(
      static_cast<std::int64_t>(std::clamp<__int128>(nanos, Limits::min(), Limits::max())));
}

// `to - from` and `time + seconds`.
inline Duration Between(Time from, Time to) {
  return OfNanos(__int128{to.time_since_epoch().count()} - from.time_since_epoch().count());
}
inline Time After(Time time, std::int64_t seconds) {
  return Time(OfNanos(time.time_since_epoch().count() + __int128{seconds} * 1'000'000'000));
}

}  // namespace basalt::apiserver
