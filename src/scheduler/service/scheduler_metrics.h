#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "model/cluster.h"
#include "model/intent.h"
#include "scheduler/effects/effects.h"
#include "scheduler/scheduler.h"
#include "scheduler/service/metrics_snapshot.h"

namespace basalt::scheduler {

// All metrics of the scheduler, with their names, in one place: Volcano's, so that its dashboards
// go on working, and our own (basalt_…). What happens is counted when it happens, at the cost of an
// atomic addition; what is the case is copied when somebody asks (Collect), so that no cycle pays
// for it, and becomes text where it is read (metrics_snapshot.h). Lives as long as the role;
// scheduling thread only.
class SchedulerMetrics {
 public:
  // Series of their own have at most `most_jobs`, the newest ones.
  SchedulerMetrics(metrics::Registry& registry, std::size_t most_jobs);

  // ---- what happens
  void CycleEnded(const CycleTimes& times);
  void Decided(const std::vector<model::Intent>& intents, const model::Cluster& cluster, Time now);
  // Before the state learns of it.
  void WriteEnded(const model::Outcome& outcome, const model::Cluster& cluster, Time now);

  // ---- what is the case
  void Collect(const Scheduler& scheduler);

  // For those who find out elsewhere.
  metrics::Counter state_drift;

 private:
  struct Placed {
    model::JobId job;
    Time at;
  };
  // Below so many jobs that were placed nobody looks for those that are gone.
  static constexpr std::size_t kFewPlacedJobs = 1024;

  void CollectQueues(const model::Cluster& cluster, MetricsSnapshot& to);
  void CollectJobs(const model::Cluster& cluster, MetricsSnapshot& to);
  void CollectReservations(const model::Cluster& cluster, MetricsSnapshot& to);
  void ForgetJobsThatAreGone(const model::Cluster& cluster);
  metrics::Histogram& StageOf(std::string_view stage);
  metrics::Histogram& LatencyOf(std::string_view action);
  metrics::Counter& EvictionsOf(const std::string& action, const char* result);

  metrics::Registry& registry_;
  std::size_t most_jobs_;
  // Volcano's.
  metrics::Histogram e2e_latency_;
  metrics::Histogram open_session_;
  metrics::Histogram job_latency_;
  metrics::Histogram task_assumed_;
  metrics::Histogram task_bound_;
  metrics::Counter attempts_success_;
  metrics::Counter attempts_unschedulable_;
  metrics::Counter attempts_error_;
  metrics::Counter preemption_attempts_;
  metrics::Gauge preemption_victims_;
  metrics::Gauge unschedule_jobs_;
  std::map<std::string, metrics::Histogram, std::less<>> action_latency_;
  // Ours.
  std::map<std::string, metrics::Histogram, std::less<>> stages_;
  std::map<std::pair<std::string, std::string>, metrics::Counter> evictions_;
  metrics::Counter long_cycles_;
  metrics::Counter missed_wakeups_;
  metrics::Counter jobs_put_off_;
  metrics::Counter eviction_cycles_broken_;
  std::uint64_t cycles_broken_seen_ = 0;
  metrics::Counter ungated_, not_ungated_;
  metrics::Histogram gate_hold_;
  metrics::Gauge future_claims_;

  boost::unordered_flat_map<std::string, std::string> evicting_;  // uid to the action
  boost::unordered_flat_map<std::string, Placed> last_placed_;    // by the group's uid
  std::size_t forget_at_ = kFewPlacedJobs;
};

}  // namespace basalt::scheduler
