#pragma once

#include <time.h>

#include "base/clock.h"

namespace basalt {

// What this thread has had of a processor so far. For measuring how dear something is, whatever
// else the machine does; never for deciding anything.
inline Duration ThreadCpuTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace basalt
