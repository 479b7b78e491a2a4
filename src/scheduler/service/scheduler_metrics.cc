#include "scheduler/service/scheduler_metrics.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace basalt::scheduler {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;
using Seconds = std::chrono::duration<double>;

double InMilliseconds(Duration duration) { return Milliseconds(duration).count(); }

template <class Map, class Key, class Make>
auto& FindOrMake(Map& map, const Key& key, Make make) {
  auto it = map.find(key);
  if (it == map.end()) it = map.emplace(key, make()).first;
  return it->second;
}

bool IsNewer(const model::Job* a, const model::Job* b) {
  return std::forward_as_tuple(b->created(), a->ns, a->name) <
         std::forward_as_tuple(a->created(), b->ns, b->name);
}

ResourceAmounts AmountsOf(const model::Amounts& amount, const model::Dimensions& dimensions) {
  ResourceAmounts amounts{.milli_cpu = amount.milli_cpu(), .memory = amount.memory()};
  model::ForEachDimension(amount.scalars(), [&](int d) {
    amounts.scalars.emplace_back(dimensions.name(d), amount[d]);
  });
  return amounts;
}

void CollectQueues(const model::Cluster& cluster, MetricsSnapshot& to) {
  boost::unordered_flat_map<model::QueueId, std::size_t> places;
  cluster.queues().ForEach([&](const model::Queue& queue) {
    if (!queue.exists()) return;
    const auto amounts = [&](const model::Amounts& amount) {
      return AmountsOf(amount, cluster.dimensions());
    };
    places[queue.id] = to.queues.size();
    to.queues.push_back({.name = queue.name,
                         .allocated = amounts(queue.tree.allocated),
                         .request = amounts(queue.tree.request),
                         .deserved = amounts(queue.deserved),
                         .capacity = amounts(queue.capability),
                         .share = DominantShare(queue.tree.allocated, queue.deserved),
                         .weight = static_cast<double>(queue.weight)});
  });
  const auto is_gated = [&](model::TaskId id) { return cluster.task(id).waits_at_gate(); };
  cluster.jobs().ForEach([&](const model::Job& job) {
    // Pods are looked at only where some may be gated.
    const bool has_gated = job.pending_opted_in > 0 || !job.pipelined.empty();
    if (!has_gated && job.queue_claims == 0) return;
    const auto place = places.find(job.queue);
    if (place == places.end()) return;
    QueueFigures& queue = to.queues[place->second];
    queue.claims += job.queue_claims;
    queue.gated += static_cast<double>(std::ranges::count_if(job.pending, is_gated));
    queue.gated += static_cast<double>(std::ranges::count_if(job.pipelined, is_gated));
  });
}

void CollectReservations(const model::Cluster& cluster, MetricsSnapshot& to) {
  using Phase = kube::ReservationPhase;
  std::map<Phase, double> counts;
  cluster.reservations().ForEach([&](const model::ReservationRecord& record) {
    // A reservation that no cycle has looked at yet waits.
    ++counts[record.status.phase == Phase::kNone ? Phase::kPending : record.status.phase];
  });
  for (const Phase phase :
       {Phase::kPending, Phase::kWaiting, Phase::kAvailable, Phase::kSucceeded, Phase::kFailed}) {
    to.reservations.emplace_back(ToString(phase), counts[phase]);
  }
}

}  // namespace

SchedulerMetrics::SchedulerMetrics(metrics::Registry& registry, std::size_t most_jobs)
    : state_drift(registry.GetCounter(
          "basalt_state_drift_total",
          "Times that the scheduler's state was found to differ from the API server's")),
      registry_(registry),
      most_jobs_(most_jobs) {
  for (const std::string_view action : {action_names::kPreempt, action_names::kReclaim}) {
    for (const char* result : {"success", "refused", "error"}) {
      EvictionsOf(action, result);  // there from the start
    }
  }
}

metrics::Histogram& SchedulerMetrics::StageOf(std::string_view stage) {
  return FindOrMake(stages_, stage, [&] {
    return registry_.GetHistogram("basalt_cycle_seconds", "A cycle's stages, and all of it",
                                  {{"stage", std::string(stage)}}, Range(0.00001, 10, 19));
  });
}

metrics::Histogram& SchedulerMetrics::LatencyOf(std::string_view action) {
  return FindOrMake(action_latency_, action, [&] {
    return registry_.GetHistogram("volcano_action_scheduling_latency_milliseconds",
                                  "An action of a cycle", {{"action", std::string(action)}},
                                  Range(1, 2000, 20));
  });
}

void SchedulerMetrics::CycleEnded(const CycleTimes& times) {
  e2e_latency_.Observe(InMilliseconds(times.total));
  cycle_cpu_.Add(Seconds(times.cpu).count());
  if (times.total >= kLongCycle) long_cycles_.Add();
  if (times.jobs_put_off > 0) jobs_put_off_.Add(static_cast<double>(times.jobs_put_off));
  if (times.evictions > 0) preemption_victims_.Set(static_cast<double>(times.evictions));
  if (times.missed_wakeups > 0) missed_wakeups_.Add(static_cast<double>(times.missed_wakeups));
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
  std::set<std::string_view> preemptors;
  for (const model::Intent& intent : intents) {
    if (const auto* bind = std::get_if<model::Bind>(&intent)) {
      task_assumed_.Observe(InMilliseconds(now - bind->pod->meta.creation_timestamp));
      const model::Task* task = cluster.FindTask(bind->task);
      const model::Job* job = task ? cluster.FindJob(task->job) : nullptr;
      if (job && job->has_object() && job->pending.empty()) {
        if (last_placed_.insert_or_assign(job->uid(), Placed{job->id, now}).second) {
          job_latency_.Observe(InMilliseconds(now - job->created()));
        }
      }
    } else if (std::holds_alternative<model::PodWaits>(intent) ||
               std::holds_alternative<model::Promise>(intent)) {
      attempts_unschedulable_.Add();
    }
    model::ForEachEviction(intent, [&](const model::Evict& evict) {
      preemptors.insert(evict.beneficiary);
      evicting_[evict.pod->meta.uid] = evict.reason;
    });
  }
  if (!preemptors.empty()) preemption_attempts_.Add(static_cast<double>(preemptors.size()));
  if (last_placed_.size() > forget_at_) ForgetJobsThatAreGone(cluster);
}

// As many are forgotten as were placed since the last time: a constant cost for each.
void SchedulerMetrics::ForgetJobsThatAreGone(const model::Cluster& cluster) {
  boost::unordered::erase_if(last_placed_, [&](const auto& entry) {
    const model::Job* job = cluster.FindJob(entry.second.job);
    return !job || !job->exists() || job->uid() != entry.first;
  });
  forget_at_ = std::max(kFewPlacedJobs, 2 * last_placed_.size());
}

void SchedulerMetrics::WriteEnded(const model::Outcome& outcome, const model::Cluster& cluster,
                                  Time now) {
  const model::Task* task = cluster.FindTask(outcome.task);
  const bool known = task && task->uid() == outcome.uid;
  const Duration age = known ? now - task->pod->meta.creation_timestamp : Duration{0};
  switch (outcome.kind) {
    case model::Outcome::Kind::kBind:
      (outcome.result ? attempts_success_ : attempts_error_).Add();
      if (outcome.result && known) task_bound_.Observe(InMilliseconds(age));
      break;
    case model::Outcome::Kind::kEvict: {
      const std::string action = std::move(evicting_[outcome.uid]);
      evicting_.erase(outcome.uid);
      // A disruption budget that says no is the usual refusal.
      const bool refused =
          !outcome.result && outcome.result.error().code == ErrorCode::kTooManyRequests;
      EvictionsOf(action, outcome.result ? "success" : refused ? "refused" : "error").Add();
      break;
    }
    case model::Outcome::Kind::kUngate:
      if (!outcome.result && outcome.result.error().code == ErrorCode::kNotFound)
        break;  // pod gone
      (outcome.result ? ungated_ : not_ungated_).Add();
      if (outcome.result && known) gate_hold_.Observe(Seconds(age).count());
      break;
    case model::Outcome::Kind::kReservationStatus: break;
  }
}

metrics::Counter SchedulerMetrics::EvictionsOf(std::string_view action, const char* result) {
  return registry_.GetCounter("basalt_evictions_total",
                              "Evictions, by who wanted them and what became of them",
                              {{"action", std::string(action)}, {"result", result}});
}

void SchedulerMetrics::Collect(const Scheduler& scheduler) {
  auto snapshot = std::make_shared<MetricsSnapshot>();
  const model::Cluster& cluster = scheduler.state().cluster();
  CollectJobs(cluster, *snapshot);
  CollectQueues(cluster, *snapshot);
  CollectReservations(cluster, *snapshot);
  future_claims_.Set(static_cast<double>(cluster.promised().size()));
  registry_.Publish("scheduler", std::move(snapshot));
  // The memory is a new one after the lease was lost.
  const std::uint64_t broken = scheduler.evictions().cycles_broken();
  if (broken < cycles_broken_seen_) cycles_broken_seen_ = 0;
  eviction_cycles_broken_.Add(static_cast<double>(broken - cycles_broken_seen_));
  cycles_broken_seen_ = broken;
}

void SchedulerMetrics::CollectJobs(const model::Cluster& cluster, MetricsSnapshot& to) {
  int unscheduled = 0;
  std::vector<const model::Job*> told;
  cluster.jobs().ForEach([&](const model::Job& job) {
    if (!job.exists()) return;
    if (!job.IsReady()) ++unscheduled;
    if (job.has_object()) told.push_back(&job);
  });
  unschedule_jobs_.Set(unscheduled);
  if (told.size() > most_jobs_) {
    to.jobs_left_out = static_cast<double>(told.size() - most_jobs_);
    std::ranges::nth_element(told, told.begin() + static_cast<std::ptrdiff_t>(most_jobs_), IsNewer);
    told.resize(most_jobs_);
  }
  to.jobs.reserve(told.size());
  for (const model::Job* job : told) {
    const auto placed = last_placed_.find(job->uid());
    to.jobs.push_back(
        {.ns = job->ns,
         .name = job->name,
         .queue = job->queue.valid() ? cluster.queue(job->queue).name : std::string(),
         .share = DominantShare(job->allocated, cluster.total_allocatable()),
         .tasks_missing =
             job->IsReady() ? 0.0 : static_cast<double>(job->min_available - job->ready_tasks()),
         .created = job->created(),
         .placed = placed == last_placed_.end() ? std::nullopt : std::optional(placed->second.at)});
  }
}

}  // namespace basalt::scheduler
