#include "scheduler/explain/queue_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "kube/types/time.h"
#include "scheduler/explain/amounts.h"
#include "scheduler/framework/admitted.h"

namespace basalt::scheduler::explain {

using model::Job;
using model::Task;

namespace {

constexpr std::size_t kFewNames = 3;

bool WaitsForAdmission(const model::Cluster& cluster, const Job& job) {
  if (!job.exists()) return false;
  return std::ranges::any_of(job.pending, [&](model::TaskId id) {
    const Task& task = cluster.task(id);
    return task.gate != model::Gate::kForeign && !task.holding.queue_claim;
  });
}

std::string_view OrdinalSuffix(int number) {
  const int tens = number % 100;
  if (tens >= 11 && tens <= 13) return "th";
  switch (number % 10) {
    case 1: return "st";
    case 2: return "nd";
    case 3: return "rd";
    default: return "th";
  }
}

std::string Seconds(Duration duration) {
  return kube::FormatDuration(std::chrono::duration_cast<std::chrono::seconds>(duration));
}

std::string AndOthers(const std::vector<std::string>& names, std::size_t all) {
  return fmt::format("{}{}", fmt::join(names, ", "), all > names.size() ? " and others" : "");
}

// Tasks below `queue` that are admitted and have no node, the oldest claim first; not those of
// `waiting` itself.
std::vector<const Task*> ClaimsWithoutNode(const model::Cluster& cluster, const model::Queue& queue,
                                           const Job& waiting, int dimension) {
  std::vector<const Task*> tasks;
  cluster.ForQueueAndBelow(queue.id, [&](const model::Queue& at) {
    for (const model::JobId id : at.jobs) {
      const Job& job = cluster.job(id);
      if (job.queue_claims == 0 || id == waiting.id) continue;
      for (const model::TaskId task_id : job.pending) {
        const Task& task = cluster.task(task_id);
        if (task.holding.queue_claim && task.request()[dimension] > 0) tasks.push_back(&task);
      }
    }
  });
  std::ranges::sort(tasks, [](const Task* a, const Task* b) {
    const Time since_a = ClaimedSince(*a).value_or(Time::max());
    const Time since_b = ClaimedSince(*b).value_or(Time::max());
    return std::tie(since_a, a->ns(), a->name()) < std::tie(since_b, b->ns(), b->name());
  });
  return tasks;
}

std::string Remedy(const Task& oldest, const Config& config, Time now) {
  const std::optional<Duration> timeout =
      GateHoldTimeout(config.ArgumentsOf("allocate")).value_or(std::nullopt);
  if (!timeout) {
    return "a claim is kept until its pod gets a node or is deleted; with gateHoldTimeout, an "
           "argument of the action allocate, it would block nobody after that time";
  }
  const std::optional<Time> since = ClaimedSince(oldest);
  const Duration left = since ? std::max(Duration{0}, *since + *timeout - now) : *timeout;
  return fmt::format("a claim blocks nobody after gateHoldTimeout ({}), this one in {}",
                     Seconds(*timeout), Seconds(left));
}

}  // namespace

PlaceInQueue PlaceOf(const SessionView& view, const Job& job) {
  const model::Cluster& cluster = view.cluster();
  PlaceInQueue out{.place = 1, .waiting = 1};
  for (const model::JobId id : cluster.queue(job.queue).jobs) {
    const Job& other = cluster.job(id);
    if (other.id == job.id || !WaitsForAdmission(cluster, other)) continue;
    ++out.waiting;
    if (view.JobBefore(other, job)) ++out.place;
  }
  return out;
}

std::string Describe(const PlaceInQueue& place, const model::Queue& queue) {
  return fmt::format("{}{} of {} job{} waiting in queue {}", place.place,
                     OrdinalSuffix(place.place), place.waiting, place.waiting == 1 ? "" : "s",
                     queue.name);
}

std::string DescribeHolders(const model::Cluster& cluster, const model::Queue& queue,
                            const Job& waiting, int dimension,
                            const std::vector<QueueShortage::Holder>& holders, const Config& config,
                            Time now) {
  const std::string& resource = cluster.dimensions().name(dimension);
  const std::vector<const Task*> claims = ClaimsWithoutNode(cluster, queue, waiting, dimension);
  if (!claims.empty()) {
    std::vector<std::string> names;
    for (const Task* task : claims) {
      if (names.size() == kFewNames) break;
      const std::optional<Time> since = ClaimedSince(*task);
      names.push_back(fmt::format("{}/{} ({} {}{})", task->ns(), task->name(), resource,
                                  FormatAmount(dimension, task->request()[dimension]),
                                  since ? fmt::format(", for {}", Seconds(now - *since)) : ""));
    }
    const bool one = claims.size() == 1;
    return fmt::format("waits for {}, which {} a claim and no node that fits: {}",
                       AndOthers(names, claims.size()), one ? "has" : "have",
                       Remedy(*claims.front(), config, now));
  }
  std::vector<std::string> names;
  for (const QueueShortage::Holder& holder : holders) {
    if (names.size() == kFewNames) break;
    names.push_back(fmt::format("{}/{} ({})", holder.ns, holder.name, holder.amount));
  }
  if (names.empty()) return "";
  return fmt::format("{} is held by {}", resource, AndOthers(names, holders.size()));
}

}  // namespace basalt::scheduler::explain
