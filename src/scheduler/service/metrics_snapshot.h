#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/metrics_text.h"

namespace basalt::scheduler {

// An amount of every resource, in the terms of Volcano's metrics.
struct ResourceAmounts {
  double milli_cpu = 0;
  double memory = 0;
  std::vector<std::pair<std::string, double>> scalars;
};

// What /metrics tells of one queue.
struct QueueFigures {
  std::string name;
  ResourceAmounts allocated, request, deserved, capacity;
  double share = 0;
  double weight = 0;
  double claims = 0;
  double gated = 0;
};

// What it tells of one job.
struct JobFigures {
  std::string ns;
  std::string name;
  std::string queue;
  double share = 0;
  double tasks_missing = 0;  // of its minimum; 0: it is ready
  Time created{};
  std::optional<Time> placed;  // its last task
};

// The scheduler's queues and jobs at one moment. Made on the scheduling thread, which copies no
// more than this; the text is made by the thread that serves it.
class MetricsSnapshot final : public metrics::Snapshot {
 public:
  void Write(metrics::TextWriter& to) const override;

  std::vector<QueueFigures> queues;
  std::vector<JobFigures> jobs;
  double jobs_left_out = 0;
  std::vector<std::pair<std::string_view, double>> reservations;  // by phase
};

}  // namespace basalt::scheduler
