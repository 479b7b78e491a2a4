#pragma once

#include <boost/json/object.hpp>
#include <cstddef>
#include <deque>

#include "base/clock.h"

namespace basalt::dashboard {

// How full the cluster was, what waited and how long cycles took, over the last hours; of every
// half minute the last overview. Bounded: a day. Owned by a Feed; loop thread only.
class History {
 public:
  static constexpr Duration kStep = 30s;
  static constexpr std::size_t kMost = 2880;
  // Reasons are what people write into objects, too: so many have lines of their own, those of most
  // pods; all others are one line.
  static constexpr std::size_t kMostReasons = 20;

  void Add(Time now, const boost::json::object& overview);
  // {"times": [seconds since 1970], "allocated": {resource: [part of all]}, "waiting": {reason:
  // [pods]}, "cycleMilliseconds": [...]}
  boost::json::object ToJson() const;
  std::size_t size() const { return points_.size(); }

 private:
  struct Point {
    Time at{};
    boost::json::object allocated, waiting;
    double cycle_ms = 0;
  };
  std::deque<Point> points_;
};

}  // namespace basalt::dashboard
