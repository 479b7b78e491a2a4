#pragma once

#include <set>
#include <string>
#include <utility>

#include "base/loop.h"
#include "base/work_queue.h"

namespace basalt {

// Hands keys on to a queue, each once per window: a workload whose thousand pods start is looked at
// a few times, not a thousand times. Owned by a controller, with its queue; loop thread only.
class KeyBatcher {
 public:
  KeyBatcher(Loop& loop, WorkQueue& queue, Duration window = 10ms)
      : queue_(queue), window_(window), timer_(loop) {}

  void Add(std::string key) {
    keys_.insert(std::move(key));
    if (!timer_.running()) timer_.Start(window_, [this] { Flush(); });
  }

 private:
  void Flush() {
    for (const std::string& key : std::exchange(keys_, {})) queue_.Add(key);
  }

  WorkQueue& queue_;
  const Duration window_;
  std::set<std::string> keys_;  // in order: the same events give the same requests
  Timer timer_;
};

}  // namespace basalt
