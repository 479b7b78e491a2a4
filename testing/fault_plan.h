#pragma once

#include <cstdint>

#include "base/clock.h"

namespace basalt::testutil {

// What goes wrong between the clients and the server of a DirectNetwork, and how often. Chances are
// between 0 and 1. The default is a perfect network without latency.
struct FaultPlan {
  // Each way, drawn for each request and each piece of a stream. A stream keeps its order.
  Duration least_latency{0};
  Duration most_latency{0};

  // Per request.
  double refuse = 0;             // fails before the server sees it
  double lose_response = 0;      // the server acts on it, but the answer is lost
  double too_many_requests = 0;  // 429 with Retry-After, not acted on
  double internal_error = 0;     // 500, not acted on
  double unavailable = 0;        // 503, not acted on

  // Per piece that the server writes to a watch.
  double cut_watch = 0;    // the stream ends somewhere in the middle of it
  double stall_watch = 0;  // the stream falls silent before it, and nobody is told
  double delay_piece = 0;  // it arrives late, and so does all behind it
  Duration most_delay{0};

  // Means of random intervals; zero: never.
  Duration compact_every{0};
  Duration restart_every{0};
  Duration most_outage = 5s;  // of a restart
};

// How often each fault happened, so that a test can see that it tested something.
struct FaultCounts {
  std::uint64_t requests = 0;
  std::uint64_t refused = 0;
  std::uint64_t lost_responses = 0;
  std::uint64_t error_responses = 0;
  std::uint64_t cut_watches = 0;
  std::uint64_t stalled_watches = 0;
  std::uint64_t delayed_pieces = 0;
  std::uint64_t compactions = 0;
  std::uint64_t restarts = 0;
};

}  // namespace basalt::testutil
