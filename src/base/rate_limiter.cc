#include "base/rate_limiter.h"

#include <algorithm>

namespace basalt {

void RateLimiter::Refill(Duration now) {
  if (started_) {
    const double seconds = std::chrono::duration<double>(now - last_).count();
    tokens_ = std::min(burst_, tokens_ + seconds * qps_);
  }
  started_ = true;
  last_ = now;
}

Duration RateLimiter::Take(Duration now) {
  if (qps_ <= 0) return Duration::zero();
  Refill(now);
  tokens_ -= 1;
  if (tokens_ >= 0) return Duration::zero();
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(-tokens_ / qps_));
}

bool RateLimiter::TryTake(Duration now) {
  if (qps_ <= 0) return true;
  Refill(now);
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

}  // namespace basalt
