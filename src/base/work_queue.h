#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <deque>
#include <functional>
#include <string>

#include "base/loop.h"
#include "base/random.h"

namespace basalt {

// Keys to reconcile: each at most once in the queue and at most once in work, retried with
// back-off. A key added while it is in work is looked at again afterwards. Owned by the component
// that reconciles; loop thread only.
class WorkQueue {
 public:
  // Reconciles one key and calls `done` once, now or later. false: try again after a back-off.
  using Done = std::move_only_function<void(bool ok)>;
  using Worker = std::function<void(const std::string& key, Done done)>;

  struct Options {
    int parallel = 8;
    Duration first_retry = 5ms;
    Duration most_retry = 60s;
    std::uint64_t seed = 1;  // of the back-off's jitter
  };

  WorkQueue(Loop& loop, Options options, Worker worker);

  void Add(std::string key);
  void AddAfter(std::string key, Duration delay);
  // Nothing queued, in work or waiting for a retry.
  bool idle() const;
  std::size_t depth() const { return ready_.size(); }

 private:
  void Pump();
  void PostPump();
  void Finish(const std::string& key, bool ok);

  Loop& loop_;
  Options options_;
  Worker worker_;
  Random random_;
  std::deque<std::string> ready_;
  boost::unordered_flat_set<std::string> queued_;         // what is in ready_
  boost::unordered_flat_map<std::string, bool> working_;  // value: added again meanwhile
  boost::unordered_flat_map<std::string, int> failures_;
  std::size_t delayed_ = 0;
  bool pump_posted_ = false;
  Scope scope_;
};

}  // namespace basalt
