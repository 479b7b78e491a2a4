#include "scheduler/service/scheduler_metrics.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace basalt::scheduler {
namespace {

using metrics::Labels;
using Milliseconds = std::chrono::duration<double, std::milli>;
using Seconds = std::chrono::duration<double>;

// `count` bounds from `first` to `last`, in even proportions.
std::vector<double> Range(double first, double last, int count) {
  return metrics::ExponentialBuckets(first, std::pow(last / first, 1.0 / (count - 1)), count);
}

double InMilliseconds(Duration duration) { return Milliseconds(duration).count(); }
double UnixSeconds(Time time) { return Seconds(time.time_since_epoch()).count(); }

constexpr const char* kTaskLatency = "volcano_task_scheduling_latency_milliseconds";
constexpr const char* kTaskLatencyHelp = "From the creation of a pod to a stage of its scheduling";
constexpr const char* kAttempts = "volcano_schedule_attempts_total";
constexpr const char* kAttemptsHelp = "Pods that were scheduled, by the result";
constexpr const char* kEvictions = "basalt_evictions_total";
constexpr const char* kEvictionsHelp = "Evictions, by who wanted them and what became of them";
constexpr const char* kGateRemovals = "basalt_gate_removals_total";
constexpr const char* kGateRemovalsHelp = "Removals of queue-allocation gates, by the result";

// How much of what it deserves it has, in the dimension where that is most.
double Share(const model::Resource& allocated, const model::Resource& deserved) {
  double share = 0;
  model::ForEachDimension(deserved.NonZero(),
                          [&](int d) { share = std::max(share, allocated[d] / deserved[d]); });
  return share;
}

// A group that exists at the API server, not one that was made up for a single pod.
bool IsReal(const model::Job& job) {
  return job.exists() && !job.group->meta.resource_version.empty();
}

}  // namespace

SchedulerMetrics::QueueResource::QueueResource(metrics::Registry& registry, const std::string& what,
                                               const std::string& help)
    : cpu(registry, "volcano_queue_" + what + "_milli_cpu", help + ": CPU"),
      memory(registry, "volcano_queue_" + what + "_memory_bytes", help + ": memory"),
      scalars(registry, "volcano_queue_" + what + "_scalar_resources", help + ": the others") {}

void SchedulerMetrics::QueueResource::Set(const std::string& queue, const model::Resource& amount,
                                          const model::Dimensions& dimensions) {
  cpu.Set({{"queue_name", queue}}, amount.milli_cpu());
  memory.Set({{"queue_name", queue}}, amount.memory());
  model::ForEachDimension(amount.scalars(), [&](int d) {
    scalars.Set({{"queue_name", queue}, {"resource", dimensions.name(d)}}, amount[d]);
  });
}

void SchedulerMetrics::QueueResource::Sweep() {
  cpu.Sweep();
  memory.Sweep();
  scalars.Sweep();
}

SchedulerMetrics::SchedulerMetrics(metrics::Registry& registry)
    : state_drift(registry.GetCounter(
          "basalt_state_drift_total",
          "Times that the scheduler's state was found to differ from the API server's")),
      registry_(registry),
      e2e_latency_(registry.GetHistogram("volcano_e2e_scheduling_latency_milliseconds",
                                         "A scheduling cycle, from its beginning to its end", {},
                                         Range(1, 5000, 20))),
      open_session_(registry.GetHistogram("volcano_open_session_duration_milliseconds",
                                          "Opening the session of a cycle", {},
                                          Range(1, 5000, 20))),
      job_latency_(registry.GetHistogram("volcano_e2e_job_scheduling_latency_milliseconds",
                                         "From the creation of a job to its last task's place", {},
                                         Range(100, 120000, 30))),
      task_assumed_(registry.GetHistogram(kTaskLatency, kTaskLatencyHelp, {{"stage", "Assumed"}},
                                          Range(50, 60000, 30))),
      task_bound_(registry.GetHistogram(kTaskLatency, kTaskLatencyHelp, {{"stage", "Bound"}},
                                        Range(50, 60000, 30))),
      attempts_success_(registry.GetCounter(kAttempts, kAttemptsHelp, {{"result", "scheduled"}})),
      attempts_unschedulable_(
          registry.GetCounter(kAttempts, kAttemptsHelp, {{"result", "unschedulable"}})),
      attempts_error_(registry.GetCounter(kAttempts, kAttemptsHelp, {{"result", "error"}})),
      preemption_attempts_(registry.GetCounter("volcano_total_preemption_attempts",
                                               "Pods for which others were evicted")),
      preemption_victims_(registry.GetGauge("volcano_pod_preemption_victims",
                                            "Victims of the last cycle that had any")),
      unschedule_jobs_(registry.GetGauge("volcano_unschedule_job_count",
                                         "Jobs that wait for tasks that they need")),
      unschedule_tasks_(registry, "volcano_unschedule_task_count",
                        "Tasks that a job needs and that are not placed"),
      job_share_(registry, "volcano_job_share", "Share of the cluster that a job holds"),
      job_duration_(registry, "volcano_e2e_job_scheduling_duration",
                    "Milliseconds from the creation of a job to its last task's place"),
      job_start_(registry, "volcano_e2e_job_scheduling_start_time", "When a job was created"),
      job_last_(registry, "volcano_e2e_job_scheduling_last_time",
                "When the last task of a job was placed"),
      queue_share_(registry, "volcano_queue_share", "Part of what it deserves that a queue holds"),
      queue_weight_(registry, "volcano_queue_weight", "Weight of a queue"),
      queue_overused_(registry, "volcano_queue_overused", "Whether a queue holds too much"),
      queue_allocated_(registry, "allocated", "What a queue holds"),
      queue_request_(registry, "request", "What a queue holds and asks for"),
      queue_deserved_(registry, "deserved", "What a queue deserves"),
      queue_capacity_(registry, "capacity", "What a queue may have at most"),
      long_cycles_(registry.GetCounter("basalt_long_cycles_total", "Cycles of a second and more")),
      jobs_put_off_(registry.GetCounter(
          "basalt_jobs_put_off_total",
          "Jobs that a cycle did not reach within its budget and left to the next")),
      eviction_cycles_broken_(registry.GetCounter(
          "basalt_eviction_cycles_broken_total",
          "Evictions that were not done because they would have gone round in circles")),
      ungated_(registry.GetCounter(kGateRemovals, kGateRemovalsHelp, {{"result", "success"}})),
      not_ungated_(registry.GetCounter(kGateRemovals, kGateRemovalsHelp, {{"result", "error"}})),
      gate_hold_(registry.GetHistogram("basalt_gate_hold_seconds",
                                       "How long pods had a queue-allocation gate", {},
                                       Range(0.01, 3600, 20))),
      future_claims_(registry.GetGauge("basalt_future_claims",
                                       "Pods that are promised a node once others have left it")),
      queue_claims_(registry, "basalt_queue_claims",
                    "Pods that their queue has admitted and that have no node yet"),
      gated_pods_(registry, "basalt_gated_pods", "Pods with a queue-allocation gate") {
  for (const char* action : {"preempt", "reclaim"}) {
    for (const char* result : {"success", "refused", "error"}) {
      evictions_.emplace(std::pair(action, result),
                         registry.GetCounter(kEvictions, kEvictionsHelp,
                                             {{"action", action}, {"result", result}}));
    }
  }
}

metrics::Histogram& SchedulerMetrics::StageOf(std::string_view stage) {
  auto it = stages_.find(stage);
  if (it == stages_.end()) {
    it = stages_
             .emplace(stage, registry_.GetHistogram(
                                 "basalt_cycle_seconds", "A cycle's stages, and all of it",
                                 {{"stage", std::string(stage)}}, Range(0.00001, 10, 19)))
             .first;
  }
  return it->second;
}

metrics::Histogram& SchedulerMetrics::LatencyOf(std::string_view action) {
  auto it = action_latency_.find(action);
  if (it == action_latency_.end()) {
    it = action_latency_
             .emplace(action,
                      registry_.GetHistogram("volcano_action_scheduling_latency_milliseconds",
                                             "An action of a cycle",
                                             {{"action", std::string(action)}}, Range(1, 2000, 20)))
             .first;
  }
  return it->second;
}

void SchedulerMetrics::CycleEnded(const CycleTimes& times) {
  e2e_latency_.Observe(InMilliseconds(times.total));
  if (times.total >= kLongCycle) long_cycles_.Add();
  if (times.jobs_put_off > 0) jobs_put_off_.Add(static_cast<double>(times.jobs_put_off));
  open_session_.Observe(InMilliseconds(times.open));
  StageOf("all").Observe(Seconds(times.total).count());
  StageOf("open").Observe(Seconds(times.open).count());
  StageOf("close").Observe(Seconds(times.close).count());
  for (const auto& [action, took] : times.actions) {
    LatencyOf(action).Observe(InMilliseconds(took));
    StageOf(action).Observe(Seconds(took).count());
  }
}

void SchedulerMetrics::Decided(const std::vector<model::Intent>& intents,
                               const model::Cluster& cluster, Time now) {
  int victims = 0;
  std::set<std::string_view> preemptors;
  for (const model::Intent& intent : intents) {
    if (const auto* bind = std::get_if<model::Bind>(&intent)) {
      task_assumed_.Observe(InMilliseconds(now - bind->pod->meta.creation_timestamp));
      const model::Task* task = cluster.FindTask(bind->task);
      const model::Job* job = task ? cluster.FindJob(task->job) : nullptr;
      if (job && IsReal(*job) && job->pending.empty()) {
        if (last_placed_.insert_or_assign(job->uid(), now).second) {
          job_latency_.Observe(InMilliseconds(now - job->created()));
        }
      }
    } else if (const auto* evict = std::get_if<model::Evict>(&intent)) {
      ++victims;
      preemptors.insert(evict->beneficiary);
      evicting_[evict->pod->meta.uid] = evict->reason;
    } else if (std::holds_alternative<model::PodWaits>(intent)) {
      attempts_unschedulable_.Add();
    }
  }
  if (victims > 0) preemption_victims_.Set(victims);
  if (!preemptors.empty()) preemption_attempts_.Add(static_cast<double>(preemptors.size()));
}

void SchedulerMetrics::WriteEnded(const Outcome& outcome, const model::Cluster& cluster, Time now) {
  const model::Task* task = cluster.FindTask(outcome.task);
  const bool known = task && task->uid() == outcome.uid;
  const Duration age = known ? now - task->pod->meta.creation_timestamp : Duration{0};
  switch (outcome.kind) {
    case Outcome::Kind::kBind:
      (outcome.result ? attempts_success_ : attempts_error_).Add();
      if (outcome.result && known) task_bound_.Observe(InMilliseconds(age));
      break;
    case Outcome::Kind::kEvict: {
      const auto it = evicting_.find(outcome.uid);
      const std::string action = it == evicting_.end() ? "" : it->second;
      if (it != evicting_.end()) evicting_.erase(it);
      // A disruption budget that says no is the usual refusal.
      const bool refused =
          !outcome.result && outcome.result.error().code == ErrorCode::kTooManyRequests;
      CountEviction(action, outcome.result ? "success" : refused ? "refused" : "error");
      break;
    }
    case Outcome::Kind::kUngate:
      if (!outcome.result && outcome.result.error().code == ErrorCode::kNotFound)
        break;  // pod gone
      (outcome.result ? ungated_ : not_ungated_).Add();
      if (outcome.result && known) gate_hold_.Observe(Seconds(age).count());
      break;
  }
}

void SchedulerMetrics::CountEviction(const std::string& action, const char* result) {
  auto it = evictions_.find(std::pair(action, std::string(result)));
  if (it == evictions_.end()) {
    it = evictions_
             .emplace(std::pair(action, result),
                      registry_.GetCounter(kEvictions, kEvictionsHelp,
                                           {{"action", action}, {"result", result}}))
             .first;
  }
  it->second.Add();
}

void SchedulerMetrics::Collect(const Scheduler& scheduler) {
  CollectQueues(scheduler.state().cluster());
  CollectJobs(scheduler.state().cluster());
  // The memory is a new one after the lease was lost.
  const std::uint64_t broken = scheduler.evictions().cycles_broken();
  if (broken < cycles_broken_seen_) cycles_broken_seen_ = 0;
  eviction_cycles_broken_.Add(static_cast<double>(broken - cycles_broken_seen_));
  cycles_broken_seen_ = broken;
}

void SchedulerMetrics::CollectQueues(const model::Cluster& cluster) {
  struct Waiting {
    double claims = 0;
    double gated = 0;
  };
  boost::unordered_flat_map<model::QueueId, Waiting> waiting;
  const auto is_gated = [&](model::TaskId id) { return cluster.task(id).waits_at_gate(); };
  cluster.jobs().ForEach([&](const model::Job& job) {
    // Pods are looked at only where some may be gated.
    const bool has_gated = job.pending_opted_in > 0 || !job.pipelined.empty();
    if (!job.queue.valid() || (!has_gated && job.queue_claims == 0)) return;
    Waiting& of_queue = waiting[job.queue];
    of_queue.claims += job.queue_claims;
    of_queue.gated += static_cast<double>(std::ranges::count_if(job.pending, is_gated));
    of_queue.gated += static_cast<double>(std::ranges::count_if(job.pipelined, is_gated));
  });
  future_claims_.Set(static_cast<double>(cluster.promised().size()));

  cluster.queues().ForEach([&](const model::Queue& queue) {
    if (!queue.exists()) return;
    const Labels volcanos = {{"queue_name", queue.name}};
    const model::Resource& allocated = queue.tree.allocated;
    queue_allocated_.Set(queue.name, allocated, cluster.dimensions());
    queue_request_.Set(queue.name, queue.tree.request, cluster.dimensions());
    queue_deserved_.Set(queue.name, queue.deserved, cluster.dimensions());
    queue_capacity_.Set(queue.name, queue.capability, cluster.dimensions());
    const double share = Share(allocated, queue.deserved);
    queue_share_.Set(volcanos, share);
    queue_weight_.Set(volcanos, queue.weight);
    queue_overused_.Set(volcanos, share > 1 ? 1 : 0);
    const Labels ours = {{"queue", queue.name}};
    queue_claims_.Set(ours, waiting[queue.id].claims);
    gated_pods_.Set(ours, waiting[queue.id].gated);
  });
  for (QueueResource* resource :
       {&queue_allocated_, &queue_request_, &queue_deserved_, &queue_capacity_}) {
    resource->Sweep();
  }
  for (GaugeSeries* series :
       {&queue_share_, &queue_weight_, &queue_overused_, &queue_claims_, &gated_pods_}) {
    series->Sweep();
  }
}

void SchedulerMetrics::CollectJobs(const model::Cluster& cluster) {
  int unscheduled = 0;
  boost::unordered_flat_map<std::string, Time> still_placed;
  cluster.jobs().ForEach([&](const model::Job& job) {
    if (!job.exists()) return;
    if (!job.IsReady()) ++unscheduled;
    if (!IsReal(job)) return;
    if (!job.IsReady()) {
      unschedule_tasks_.Set({{"job_id", job.name}}, job.min_available - job.ready_tasks());
    }
    job_share_.Set({{"job_ns", job.ns}, {"job_id", job.name}},
                   Share(job.allocated, cluster.total_allocatable()));
    const Labels labels = {
        {"job_name", job.name},
        {"queue", job.queue.valid() ? cluster.queue(job.queue).name : std::string()},
        {"job_namespace", job.ns}};
    job_start_.Set(labels, UnixSeconds(job.created()));
    const auto placed = last_placed_.find(job.uid());
    if (placed == last_placed_.end()) return;
    job_last_.Set(labels, UnixSeconds(placed->second));
    job_duration_.Set(labels, InMilliseconds(placed->second - job.created()));
    still_placed.insert(*placed);
  });
  last_placed_ = std::move(still_placed);
  unschedule_jobs_.Set(unscheduled);
  for (GaugeSeries* series :
       {&unschedule_tasks_, &job_share_, &job_duration_, &job_start_, &job_last_}) {
    series->Sweep();
  }
}

}  // namespace basalt::scheduler
