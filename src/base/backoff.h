#pragma once

#include <algorithm>

#include "base/clock.h"
#include "base/random.h"

namespace basalt {

// Exponential back-off with jitter: each delay is between half and the whole of the next step. A
// plain value, for one thread.
class Backoff {
 public:
  Backoff(Duration first, Duration most) : first_(first), most_(most), step_(first) {}

  Duration Next(Random& random) {
    const Duration step = step_;
    step_ = std::min(most_, step_ * 2);
    return step / 2 + Duration(static_cast<Duration::rep>(random.Uniform() * (step.count() / 2.0)));
  }
  void Reset() { step_ = first_; }

 private:
  Duration first_;
  Duration most_;
  Duration step_;
};

}  // namespace basalt
