#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "base/clock.h"
#include "scheduler/scheduler.h"

namespace basalt::scheduler {

// What this scheduler has been doing, for `basalt status`: since when it leads, its last cycle, the
// evictions of the last hour. A few numbers, kept as things happen. Scheduling thread only.
class Activity {
 public:
  void BeganToLead(Time now) { leads_since_ = now; }
  void CycleEnded(const CycleTimes& times, Time now);
  void Evicted(Time now);

  // `now` ends the hour. Keys: leadsSince, lastCycle, lastDecision, evictionsLastHour.
  boost::json::object ToJson(Time now) const;

 private:
  struct Cycle {
    CycleTimes times;
    Time at{};
  };
  static boost::json::object ToJson(const Cycle& cycle);

  Time leads_since_{};
  Cycle last_;
  Cycle last_decided_;
  std::deque<std::pair<std::int64_t, int>> evictions_;  // by minute since the epoch
};

}  // namespace basalt::scheduler
