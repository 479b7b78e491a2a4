#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/loop.h"
#include "base/metrics.h"
#include "scheduler/scheduler.h"
#include "scheduler/state/drift.h"

namespace basalt::scheduler {

// Runs the DriftComparer now and then, a little at a time, best while the scheduler has nothing to
// do, but in the end all the same; each difference is a log line and counts in
// basalt_state_drift_total. It corrects nothing: a drift is a bug, and is to be seen. Owned by the
// scheduler role, on its loop.
class DriftWatch {
 public:
  struct Options {
    Duration every = 5min;       // a round
    Duration pause = 1s;         // between steps
    std::size_t objects = 2000;  // of a step: well below a millisecond
    int most_lines = 10;         // of a round, in the log
    int most_skips = 10;         // steps put off because the scheduler works
  };

  // `scheduler` gives the one that is in force; nullptr: not now.
  DriftWatch(Loop& loop, DriftComparer::Sources sources,
             std::function<const Scheduler*()> scheduler, std::optional<metrics::Counter> counter,
             Options options);

  void Start() { Plan(options_.every); }
  std::uint64_t differences() const { return differences_; }
  std::uint64_t rounds() const { return rounds_; }

 private:
  void Plan(Duration delay);
  void Step();
  void Report(const std::string& difference);

  Loop& loop_;
  DriftComparer comparer_;
  std::function<const Scheduler*()> scheduler_;
  std::optional<metrics::Counter> counter_;
  Options options_;
  std::uint64_t seen_cycles_ = 0;
  int skips_ = 0;
  int lines_ = 0;
  std::uint64_t differences_ = 0;
  std::uint64_t rounds_ = 0;
  Timer timer_;
};

}  // namespace basalt::scheduler
