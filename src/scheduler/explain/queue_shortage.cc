#include "scheduler/explain/queue_shortage.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "kube/types/time.h"
#include "model/queue_room.h"
#include "scheduler/explain/amounts.h"
#include "scheduler/placement/entry.h"

namespace basalt::scheduler::explain {

using model::Amounts;

void Need::Add(const model::Task& task) {
  amount.Add(task.request());
  if (task.holding.queue_claim) claimed.Add(task.request());
}

void Need::Add(const Need& other) {
  amount.Add(other.amount);
  claimed.Add(other.claimed);
}

Need NeedOf(const model::Cluster& cluster, const model::Job& job, const model::Task* asked) {
  const int missing = job.min_available - job.ready_tasks() - job.waiting_tasks();
  Need need;
  if (asked && missing <= 0) {
    need.Add(*asked);
    return need;
  }
  std::vector<const model::Task*> tasks;
  for (const model::TaskId id : job.pending) {
    const model::Task& task = cluster.task(id);
    if (task.gate != model::Gate::kForeign && !task.best_effort()) tasks.push_back(&task);
  }
  std::ranges::sort(
      tasks, [](const model::Task* a, const model::Task* b) { return model::TaskBefore(*a, *b); });
  int taken = 0;
  for (const model::Task* task : tasks) {
    if (taken++ == std::max(missing, 1)) break;
    need.Add(*task);
  }
  if (job.min_resources) need.amount.RaiseTo(Amounts(*job.min_resources).Sub(job.allocated));
  return need;
}

namespace {

// Its pods that their queue has admitted and that have no node.
std::vector<model::TaskId> ClaimsOf(const model::Cluster& cluster, const model::Job& job) {
  std::vector<model::TaskId> claims;
  if (job.queue_claims == 0) return claims;
  std::ranges::copy_if(job.pending, std::back_inserter(claims),
                       [&](model::TaskId id) { return cluster.task(id).holding.queue_claim; });
  return claims;
}

}  // namespace

std::vector<Shortage> FindShortages(const model::Cluster& cluster, const model::Job& job,
                                    const Need& need) {
  std::vector<Shortage> shortages;
  cluster.FindUpwards(job.queue, [&](const model::Queue& queue) {
    Shortage shortage{.queue = queue.id};
    model::ForEachDimension(need.amount.NonZero() & ~model::Bit(model::kPods), [&](int d) {
      const auto beyond = [&](model::QueueView view, double more) {
        return BeyondCapability(queue, view, d, more);
      };
      double missing = beyond(model::QueueView::kHeld, need.amount[d]);
      const double more = need.Unclaimed(d);
      if (!need.IsClaimed(d)) missing = std::max(missing, beyond(model::QueueView::kClaimed, more));
      if (job.IsPending()) missing = std::max(missing, beyond(model::QueueView::kEnqueue, more));
      if (missing < Amounts::kEpsilon) return;
      shortage.missing.Set(d, missing);
      shortage.which |= model::Bit(d);
    });
    if (shortage.which != 0) shortages.push_back(std::move(shortage));
    return false;
  });
  return shortages;
}

std::vector<QueueShortage::Holder> LargestHolders(const model::Cluster& cluster,
                                                  const model::Queue& queue, const model::Job& job,
                                                  const Need& need, int dimension,
                                                  std::size_t most) {
  std::vector<std::pair<double, const model::Job*>> held;
  const auto claims_of = [&](const model::Job& holder) {
    const bool count = holder.id != job.id && !need.IsClaimed(dimension);
    return count ? ClaimsOf(cluster, holder) : std::vector<model::TaskId>();
  };
  cluster.ForJobsBelow(queue.id, [&](const model::Job& holder) {
    double amount = holder.allocated.value()[dimension] + holder.promised.value()[dimension];
    for (const model::TaskId id : claims_of(holder)) {
      amount += cluster.task(id).request()[dimension];
    }
    if (amount > 0) held.emplace_back(amount, &holder);
  });
  std::ranges::sort(held, [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    return std::tie(a.second->ns, a.second->name) < std::tie(b.second->ns, b.second->name);
  });
  if (held.size() > most) held.resize(most);
  std::vector<QueueShortage::Holder> holders;
  for (const auto& [amount, by] : held) {
    // A group that exists in the state alone means nothing to people: its pod does.
    const model::Task* pod = by->shadow ? cluster.AnyTaskOf(*by) : nullptr;
    QueueShortage::Holder holder{.kind = pod ? "Pod" : "PodGroup",
                                 .ns = by->ns,
                                 .name = pod ? pod->name() : by->name,
                                 .queue = cluster.queue(by->queue).name,
                                 .amount = FormatAmount(dimension, amount)};
    if (by->reservation) {
      holder.kind = "Reservation";
      holder.name = by->reservation->name();
    }
    for (const model::TaskId id : claims_of(*by)) {
      const std::optional<Time> since = ClaimedSince(cluster.task(id));
      if (since && (!holder.claimed_since || *since < *holder.claimed_since)) {
        holder.claimed_since = since;
      }
    }
    holders.push_back(std::move(holder));
  }
  return holders;
}

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
  cluster.ForJobsBelow(queue.id, [&](const Job& job) {
    if (job.queue_claims == 0 || job.id == waiting.id) return;
    for (const model::TaskId id : job.pending) {
      const Task& task = cluster.task(id);
      if (task.holding.queue_claim && task.request()[dimension] > 0) tasks.push_back(&task);
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
      GateHoldTimeout(config.ArgumentsOf(action_names::kAllocate)).value_or(std::nullopt);
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
                            const Job& waiting, const Need& need, int dimension,
                            const std::vector<QueueShortage::Holder>& holders, const Config& config,
                            Time now) {
  const std::string& resource = cluster.dimensions().name(dimension);
  std::vector<const Task*> claims;
  if (!need.IsClaimed(dimension)) claims = ClaimsWithoutNode(cluster, queue, waiting, dimension);
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
