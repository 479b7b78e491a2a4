#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cmath>
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
// atomic addition; what is the case is copied when it is asked for (Collect), so that no cycle pays
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

  // For DriftWatch, which finds out.
  metrics::Counter state_drift;

 private:
  struct Placed {
    model::JobId job;
    Time at;
  };
  // Below so many placed jobs, jobs that are gone are not looked for.
  static constexpr std::size_t kFewPlacedJobs = 1024;

  void CollectJobs(const model::Cluster& cluster, MetricsSnapshot& to);
  void ForgetJobsThatAreGone(const model::Cluster& cluster);
  metrics::Histogram& StageOf(std::string_view stage);
  metrics::Histogram& LatencyOf(std::string_view action);
  metrics::Counter EvictionsOf(std::string_view action, const char* result);

  // `count` bounds from `first` to `last`, in even proportions.
  static std::vector<double> Range(double first, double last, int count) {
    return metrics::ExponentialBuckets(first, std::pow(last / first, 1.0 / (count - 1)), count);
  }
  metrics::Histogram OfTask(const char* stage) {
    return registry_.GetHistogram("volcano_task_scheduling_latency_milliseconds",
                                  "From the creation of a pod to a stage of its scheduling",
                                  {{"stage", stage}}, Range(50, 60000, 30));
  }
  metrics::Counter Attempts(const char* result) {
    return registry_.GetCounter("volcano_schedule_attempts_total",
                                "Pods that were scheduled, by the result", {{"result", result}});
  }
  metrics::Counter GateRemovals(const char* result) {
    return registry_.GetCounter("basalt_gate_removals_total",
                                "Removals of queue-allocation gates, by the result",
                                {{"result", result}});
  }

  metrics::Registry& registry_;
  std::size_t most_jobs_;
  // Volcano's.
  metrics::Histogram e2e_latency_ = registry_.GetHistogram(
      "volcano_e2e_scheduling_latency_milliseconds",
      "A scheduling cycle, from its beginning to its end", {}, Range(1, 5000, 20));
  metrics::Histogram open_session_ =
      registry_.GetHistogram("volcano_open_session_duration_milliseconds",
                             "Opening the session of a cycle", {}, Range(1, 5000, 20));
  metrics::Histogram job_latency_ = registry_.GetHistogram(
      "volcano_e2e_job_scheduling_latency_milliseconds",
      "From the creation of a job to its last task's place", {}, Range(100, 120000, 30));
  metrics::Histogram task_assumed_ = OfTask("Assumed");
  metrics::Histogram task_bound_ = OfTask("Bound");
  metrics::Counter attempts_success_ = Attempts("scheduled");
  metrics::Counter attempts_unschedulable_ = Attempts("unschedulable");
  metrics::Counter attempts_error_ = Attempts("error");
  metrics::Counter preemption_attempts_ = registry_.GetCounter(
      "volcano_total_preemption_attempts", "Pods for which others were evicted");
  metrics::Gauge preemption_victims_ = registry_.GetGauge("volcano_pod_preemption_victims",
                                                          "Victims of the last cycle that had any");
  metrics::Gauge unschedule_jobs_ =
      registry_.GetGauge("volcano_unschedule_job_count", "Jobs that wait for tasks that they need");
  std::map<std::string, metrics::Histogram, std::less<>> action_latency_;
  // Ours.
  std::map<std::string, metrics::Histogram, std::less<>> stages_;
  metrics::Counter cycle_cpu_ = registry_.GetCounter(
      "basalt_cycle_cpu_seconds_total", "CPU time of scheduling cycles, without what they waited");
  metrics::Counter long_cycles_ =
      registry_.GetCounter("basalt_long_cycles_total", "Cycles of a second and more");
  metrics::Counter missed_wakeups_ =
      registry_.GetCounter("basalt_missed_wakeups_total",
                           "Jobs that could go on although nothing had woken them: each is a bug");
  metrics::Counter jobs_put_off_ = registry_.GetCounter(
      "basalt_jobs_put_off_total",
      "Jobs that a cycle did not reach within its budget and left to the next");
  metrics::Counter eviction_cycles_broken_ = registry_.GetCounter(
      "basalt_eviction_cycles_broken_total",
      "Evictions that were not done because they would have gone round in circles");
  std::uint64_t cycles_broken_seen_ = 0;
  metrics::Counter ungated_ = GateRemovals("success"), not_ungated_ = GateRemovals("error");
  metrics::Histogram gate_hold_ = registry_.GetHistogram(
      "basalt_gate_hold_seconds", "How long pods had a queue-allocation gate", {},
      Range(0.01, 3600, 20));
  metrics::Gauge future_claims_ = registry_.GetGauge(
      "basalt_future_claims", "Pods that are promised a node once others have left it");

  boost::unordered_flat_map<std::string, std::string> evicting_;  // uid to the action
  boost::unordered_flat_map<std::string, Placed> last_placed_;    // by the group's uid
  std::size_t forget_at_ = kFewPlacedJobs;
};

}  // namespace basalt::scheduler
