#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>

#include "base/loop.h"
#include "base/rate_limiter.h"

namespace basalt::scheduler {

// What the scheduler writes, the most important first: when the budget is short, a bind never waits
// for a status.
enum class Lane { kBind, kGate, kEvict, kNominate, kStatus };
inline constexpr std::size_t kLanes = 5;

// One budget for all writes to the API server: so many a second, so many at once. Within a lane
// tenants take turns, so that one write of a tenant does not wait for the thousand of another; of
// one tenant first come, first served. Writes of one key never overtake each other, and one that
// has not started yet is replaced by the next of the same key and lane. Loop thread only.
class WriteLanes {
 public:
  struct Options {
    double qps = 0;  // 0: no limit
    double burst = 0;
    int parallel = 64;
    int parallel_gates = 0;  // of these removals of gates; 0: no limit of their own
  };
  using Done = std::move_only_function<void()>;
  // Begins the write and calls `done` once, when it is over.
  using Start = std::move_only_function<void(Done done)>;

  WriteLanes(Loop& loop, Options options);

  // `tenant`: the namespace of what is written.
  void Add(Lane lane, const std::string& key, Start start, const std::string& tenant = {});
  // Whether such a write waits.
  bool Waits(Lane lane, const std::string& key) const {
    return lanes_[static_cast<std::size_t>(lane)].starts.contains(key);
  }
  // Takes back a write that has not started. false: there is none.
  bool Drop(Lane lane, const std::string& key);
  // Told when the last write has ended and when the next one begins.
  void OnIdleChange(std::function<void(bool idle)> callback) { on_idle_ = std::move(callback); }

  bool idle() const { return waiting_ == 0 && running_ == 0; }
  std::size_t waiting() const { return waiting_; }

 private:
  struct Waiting {
    Start start;
    std::string tenant;
  };
  struct LaneQueue {
    std::deque<std::string> turns;  // tenants with a write that waits, the next one first
    boost::unordered_flat_map<std::string, std::deque<std::string>> keys;  // by tenant
    boost::unordered_flat_map<std::string, Waiting> starts;                // by key
    int most_running = 0;                                                  // 0: no limit of its own
    int running = 0;
  };

  void Pump();
  bool StartNext();
  void Finish(LaneQueue& lane, const std::string& key);

  Loop& loop_;
  Options options_;
  RateLimiter limiter_;
  std::array<LaneQueue, kLanes> lanes_;
  boost::unordered_flat_set<std::string> busy_;  // keys under way
  std::size_t waiting_ = 0;
  int running_ = 0;
  std::function<void(bool)> on_idle_;
  Timer next_token_;
  Scope scope_;
};

}  // namespace basalt::scheduler
