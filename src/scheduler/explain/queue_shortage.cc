#include "scheduler/explain/queue_shortage.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <tuple>

#include "kube/types/reasons.h"
#include "model/queue_room.h"
#include "scheduler/explain/amounts.h"
#include "scheduler/placement/entry.h"

namespace basalt::scheduler::explain {

using model::Amounts;
using model::Job;
using model::Task;

void Need::Add(const Task& task) {
  amount.Add(task.request());
  if (task.holding.queue_claim) claimed.Add(task.request());
}

void Need::Add(const Need& other) {
  amount.Add(other.amount);
  claimed.Add(other.claimed);
}

Need NeedOf(const model::Cluster& cluster, const Job& job, const Task* asked) {
  const int missing = job.min_available - job.ready_tasks() - job.waiting_tasks();
  Need need;
  if (asked && missing <= 0) {
    need.Add(*asked);
    return need;
  }
  std::vector<const Task*> tasks;
  for (const Task& task : cluster.TasksOf(job.pending)) {
    if (task.gate != model::Gate::kForeign && !task.best_effort()) tasks.push_back(&task);
  }
  std::ranges::sort(tasks, [](const Task* a, const Task* b) { return model::TaskBefore(*a, *b); });
  const auto most = static_cast<std::size_t>(std::max(missing, 1));
  for (const Task* task : tasks | std::views::take(most)) need.Add(*task);
  if (job.min_resources) need.amount.RaiseTo(Amounts(*job.min_resources).Sub(job.allocated));
  return need;
}

std::vector<Shortage> FindShortages(const model::Cluster& cluster, const Job& job, const Need& need,
                                    model::QueueReach reach) {
  std::vector<Shortage> shortages;
  cluster.FindUpwards(job.queue, [&](const model::Queue& queue) {
    Shortage shortage{.queue = queue.id};
    model::ForEachDimension(need.amount.NonZero() & ~model::Bit(model::kPods), [&](int d) {
      const auto beyond = [&](model::QueueView view, double more) {
        return BeyondCapability(queue, view, d, more, reach);
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
    return reach == model::QueueReach::kOwn;
  });
  return shortages;
}

namespace {

constexpr std::size_t kMostHolders = 5;
constexpr std::size_t kFewNames = 3;

// A queue that has too little of one resource for what the job needs.
struct Lack {
  const model::Cluster& cluster;
  const model::Queue& queue;
  const Job& job;
  const Need& need;
  int dimension;
  model::QueueReach reach;
};

// Pods of the holder that are admitted and have no node, as far as they are in the job's way.
std::vector<const Task*> ClaimsOf(const Lack& lack, const Job& holder) {
  std::vector<const Task*> claims;
  const bool count = holder.id != lack.job.id && !lack.need.IsClaimed(lack.dimension);
  if (!count || holder.queue_claims == 0) return claims;
  for (const model::TaskId id : holder.pending) {
    if (const Task& task = lack.cluster.task(id); task.holding.queue_claim) claims.push_back(&task);
  }
  return claims;
}

// The groups that hold most of what counts in the queue.
std::vector<QueueShortage::Holder> LargestHolders(const Lack& lack) {
  const int d = lack.dimension;
  std::vector<std::pair<double, const Job*>> held;
  lack.cluster.ForJobsOf(lack.queue.id, lack.reach, [&](const Job& holder) {
    double amount = holder.allocated.value()[d] + holder.promised.value()[d];
    for (const Task* claim : ClaimsOf(lack, holder)) amount += claim->request()[d];
    if (amount > 0) held.emplace_back(amount, &holder);
  });
  std::ranges::sort(held, [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    return std::tie(a.second->ns, a.second->name) < std::tie(b.second->ns, b.second->name);
  });
  std::vector<QueueShortage::Holder> holders;
  for (const auto& [amount, by] : held | std::views::take(kMostHolders)) {
    // A group that exists in the state alone means nothing to people: its pod does.
    const Task* pod = by->shadow ? lack.cluster.AnyTaskOf(*by) : nullptr;
    QueueShortage::Holder holder{.kind = pod ? "Pod" : "PodGroup",
                                 .ns = by->ns,
                                 .name = pod ? pod->name() : by->name,
                                 .queue = lack.cluster.queue(by->queue).name,
                                 .amount = FormatAmount(d, amount)};
    if (by->reservation) {
      holder.kind = "Reservation";
      holder.name = by->reservation->name();
    }
    for (const Task* claim : ClaimsOf(lack, *by)) {
      const std::optional<Time> since = ClaimedSince(*claim);
      if (since && (!holder.claimed_since || *since < *holder.claimed_since)) {
        holder.claimed_since = since;
      }
    }
    holders.push_back(std::move(holder));
  }
  return holders;
}

bool WaitsForAdmission(const model::Cluster& cluster, const Job& job) {
  if (!job.exists()) return false;
  return std::ranges::any_of(job.pending, [&](model::TaskId id) {
    const Task& task = cluster.task(id);
    return task.gate != model::Gate::kForeign && !task.holding.queue_claim;
  });
}

std::string_view OrdinalSuffix(int number) {
  constexpr std::string_view kSuffixes[] = {"th", "st", "nd", "rd"};
  const bool teen = number % 100 / 10 == 1;
  return kSuffixes[teen || number % 10 > 3 ? 0 : number % 10];
}

// "3rd of 12 jobs waiting in queue q": where the job stands among those of its queue with pods that
// the queue has not admitted, in the order in which they are tried.
std::string DescribePlace(const SessionView& view, const Job& job) {
  const model::Queue& queue = view.cluster().queue(job.queue);
  int place = 1, waiting = 1;
  for (const model::JobId id : queue.jobs) {
    const Job& other = view.cluster().job(id);
    if (other.id == job.id || !WaitsForAdmission(view.cluster(), other)) continue;
    ++waiting;
    if (view.JobBefore(other, job)) ++place;
  }
  return fmt::format("{}{} of {} job{} waiting in queue {}", place, OrdinalSuffix(place), waiting,
                     waiting == 1 ? "" : "s", queue.name);
}

std::string AndOthers(const std::vector<std::string>& names, std::size_t all) {
  return fmt::format("{}{}", fmt::join(names, ", "), all > names.size() ? " and others" : "");
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

// Admitted pods that no node fits, for how long, and what can be done about it; where there are
// none, the groups that hold most. "": no group holds any.
std::string DescribeHolders(const SessionView& view, const Lack& lack,
                            const std::vector<QueueShortage::Holder>& holders) {
  const std::string& resource = lack.cluster.dimensions().name(lack.dimension);
  std::vector<const Task*> claims;
  lack.cluster.ForJobsOf(lack.queue.id, lack.reach, [&](const Job& holder) {
    std::ranges::copy_if(ClaimsOf(lack, holder), std::back_inserter(claims),
                         [&](const Task* claim) { return claim->request()[lack.dimension] > 0; });
  });
  std::ranges::sort(claims, {}, [](const Task* task) {  // the oldest first
    return std::tuple(ClaimedSince(*task).value_or(Time::max()), std::string_view(task->ns()),
                      std::string_view(task->name()));
  });
  std::vector<std::string> names;
  for (const Task* task : claims | std::views::take(kFewNames)) {
    const std::optional<Time> since = ClaimedSince(*task);
    names.push_back(
        fmt::format("{}/{} ({} {}{})", task->ns(), task->name(), resource,
                    FormatAmount(lack.dimension, task->request()[lack.dimension]),
                    since ? fmt::format(", for {}", Seconds(view.now() - *since)) : ""));
  }
  if (!claims.empty()) {
    return fmt::format("waits for {}, which {} a claim and no node that fits: {}",
                       AndOthers(names, claims.size()), claims.size() == 1 ? "has" : "have",
                       Remedy(*claims.front(), view.config(), view.now()));
  }
  for (const QueueShortage::Holder& holder : holders | std::views::take(kFewNames)) {
    names.push_back(fmt::format("{}/{} ({})", holder.ns, holder.name, holder.amount));
  }
  if (names.empty()) return "";
  return fmt::format("{} is held by {}", resource, AndOthers(names, holders.size()));
}

}  // namespace

void DescribeShortage(const SessionView& view, const Job& job, const Task* asked,
                      const Obstacle& obstacle, Explanation& out) {
  const model::Cluster& cluster = view.cluster();
  const model::Queue& own = cluster.queue(job.queue);
  if (!own.open || own.in_cycle) {
    out.queue = QueueShortage{.name = own.name};
    out.reason = own.open ? reasons::kQueueCycle : reasons::kQueueClosed;
    if (!own.open) return;
    out.message = fmt::format("queue {} is its own ancestor: its parent {} leads back to it",
                              own.name, own.object->parent);
    return;
  }
  const Need need = NeedOf(cluster, job, asked);
  const std::vector<Shortage> shortages = FindShortages(cluster, job, need, view.queue_reach());
  // The one that the policy names, or the first on the way up.
  const Shortage* shortage = shortages.empty() ? nullptr : &shortages.front();
  for (const Shortage& one : shortages) {
    if (one.queue == obstacle.shortfall.queue) shortage = &one;
  }
  const model::QueueId fullest = shortage ? shortage->queue : obstacle.shortfall.queue;
  const model::Queue& queue = fullest.valid() ? cluster.queue(fullest) : own;
  // Of several the one of which most is missing, as a part of what is needed.
  int dimension = -1;
  double most = -1;
  const model::DimensionSet which =
      shortage ? shortage->which : need.amount.NonZero() & ~model::Bit(model::kPods);
  model::ForEachDimension(which, [&](int d) {
    // Where no capability is short, the policy's own words name the resource.
    if (!shortage && out.message.find(cluster.dimensions().name(d)) == std::string::npos) return;
    const double part = shortage ? shortage->missing[d] / need.amount[d] : 0;
    if (part > most) {
      most = part;
      dimension = d;
    }
  });
  if (shortage && dimension >= 0) {
    AddClause(out.message, fmt::format("queue {}: {} {} short of a limit of {}", queue.name,
                                       cluster.dimensions().name(dimension),
                                       FormatAmount(dimension, shortage->missing[dimension]),
                                       FormatAmount(dimension, queue.capability[dimension])));
  }
  AddClause(out.message, DescribePlace(view, job));
  // It is the nodes that have too little: the queue is short of nothing.
  const model::Shortfall& named = obstacle.shortfall;
  const bool of_nodes = !named.exists() || named.limit == model::QueueLimit::kNodes;
  if (!shortage && obstacle.stage == Stage::kEnqueue && of_nodes) return;
  if (dimension < 0) return;
  const Lack lack{cluster, queue, job, need, dimension, view.queue_reach()};
  out.queue = QueueShortage{.name = queue.name,
                            .resource = cluster.dimensions().name(dimension),
                            .holders = LargestHolders(lack)};
  const std::string holders = DescribeHolders(view, lack, out.queue->holders);
  if (!holders.empty()) AddClause(out.message, holders);
}

}  // namespace basalt::scheduler::explain
