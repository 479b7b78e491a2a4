#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "base/loop.h"

namespace basalt {

// A loop on virtual time: nothing runs but in one of the Run functions and Step, and time jumps to
// the next timer instead of passing. What is due at the same moment runs in the order in which it
// was posted or scheduled, so a run depends on nothing but the program. One thread (Post too);
// outlives everything that is on it.
class VirtualLoop : public Loop {
 public:
  explicit VirtualLoop(Time start) : start_(start) {}
  ~VirtualLoop() override;

  Time Now() const override { return start_ + elapsed(); }
  Duration Monotonic() const override { return now_; }
  void Post(Callback callback) override;
  TimerId Schedule(Duration delay, Callback callback) override;
  void Cancel(TimerId id) override;

  // Virtual time since the loop began.
  Duration elapsed() const { return now_ - kMonotonicStart; }
  // Nothing posted and no timer.
  bool empty() const { return posted_.empty() && timers_.empty(); }

  // Runs the next callback, moving time to it. False: there is none.
  bool Step();
  // Runs all that is due until then, and leaves the clock there.
  void RunUntil(Time time);
  void RunFor(Duration duration);
  // Runs what is due now, and what that posts, until only timers in the future are left. The clock
  // stays where it is.
  void RunUntilIdle() { RunFor(Duration::zero()); }
  // Runs until `done` holds (true) or `most` has passed without (false). Asks after every callback.
  bool RunUntil(const std::function<bool()>& done, Duration most);

 private:
  using Key = std::pair<Duration, std::uint64_t>;  // when, then in which order

  // Not zero, so that no component takes zero for the beginning.
  static constexpr Duration kMonotonicStart = 1000s;

  bool RunNext(Duration limit);
  void MoveTo(Duration when);

  const Time start_;
  Duration now_ = kMonotonicStart;
  std::uint64_t next_sequence_ = 1;
  std::uint64_t tasks_at_now_ = 0;  // since the clock moved: finds callbacks that post each other
  std::deque<std::pair<std::uint64_t, Callback>> posted_;
  std::map<Key, Callback> timers_;
  boost::unordered_flat_map<TimerId, Duration> timer_times_;  // an id is its sequence number
};

}  // namespace basalt
