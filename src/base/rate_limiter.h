#pragma once

#include "base/clock.h"

namespace basalt {

// A token bucket: `qps` tokens a second, at most `burst` at once. qps <= 0 means no limit. A plain
// value, for one thread.
class RateLimiter {
 public:
  RateLimiter(double qps, double burst) : qps_(qps), burst_(burst), tokens_(burst) {}

  // Takes a token and says how long its owner must wait for it (zero: go now). `now` is
  // Clock::Monotonic and must not go back.
  Duration Take(Duration now);
  // Takes a token only if one is there now.
  bool TryTake(Duration now);

 private:
  void Refill(Duration now);

  double qps_;
  double burst_;
  double tokens_;  // negative: promised to callers that wait
  Duration last_{0};
  bool started_ = false;
};

}  // namespace basalt
