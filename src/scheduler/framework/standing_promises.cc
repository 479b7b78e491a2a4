#include "scheduler/framework/standing_promises.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "kube/types/time.h"
#include "model/queue_room.h"

namespace basalt::scheduler {

using model::TaskStatus;

Result<Duration> NominationGrace(const Arguments& arguments) {
  std::string text;
  if (auto ok = arguments.Get("nominationGrace", &text); !ok) return std::unexpected(ok.error());
  if (text.empty()) return kDefaultNominationGrace;
  Result<Duration> grace = kube::ParseDuration(text);
  if (!grace) return std::unexpected(grace.error().Wrap("nominationGrace"));
  if (*grace < Duration::zero()) {
    return Fail(ErrorCode::kInvalidArgument,
                "nominationGrace: must not be negative; \"2m\" is the default");
  }
  return *grace;
}

bool IsLeaving(const model::Task& task) {
  return task.status() == TaskStatus::kReleasing && !task.holding.overdue;
}

namespace {

// When the task must be gone; kNotKnown: an eviction is under way.
constexpr Time kNotKnown = Time::max();
Time GoneBy(const model::Task& task) {
  return task.pod->meta.deletion_timestamp.value_or(kNotKnown);
}

}  // namespace

std::optional<Time> PromisesEndOn(const model::Cluster& cluster, model::NodeId node,
                                  Duration grace) {
  std::optional<Time> latest;
  for (const model::Task& task : cluster.TasksOf(cluster.node(node).tasks)) {
    if (IsLeaving(task)) latest = std::max(latest, std::optional(GoneBy(task)));
  }
  if (!latest || latest == kNotKnown) return std::nullopt;
  return *latest + grace;
}

model::QueueId QueueThatIsWaitedFor(const model::Cluster& cluster, const model::Task& task,
                                    model::QueueReach reach) {
  const model::Job* job = cluster.FindJob(task.job);
  if (!job || !job->queue.valid()) return {};
  return QueueToWaitFor(cluster, cluster.queue(job->queue), task, reach).queue;
}

bool CountsIn(const model::Cluster& cluster, const model::Task& task, model::QueueId queue,
              model::QueueReach reach) {
  const model::Job* job = cluster.FindJob(task.job);
  if (!job || reach == model::QueueReach::kOwn) return job && job->queue == queue;
  return cluster.FindUpwards(job->queue, [&](const model::Queue& at) { return at.id == queue; });
}

std::optional<StandingPromise> StandingPromiseOf(const model::Cluster& cluster,
                                                 const model::Task& task,
                                                 const PromiseTerms& terms) {
  if (task.status() != TaskStatus::kPipelined) return std::nullopt;
  StandingPromise promise{.node = task.node()};
  for (const model::Task& other : cluster.TasksOf(cluster.node(promise.node).tasks)) {
    if (IsLeaving(other)) promise.waits_for.push_back(&other);
  }
  const model::QueueId full = QueueThatIsWaitedFor(cluster, task, terms.reach);
  for (const model::Task& other : cluster.TasksOf(cluster.releasing())) {
    if (!full.valid() || other.node() == promise.node || !IsLeaving(other)) continue;
    if (CountsIn(cluster, other, full, terms.reach)) promise.waits_for.push_back(&other);
  }
  for (const model::Task* other : promise.waits_for) {
    const std::optional<Time> end = PromisesEndOn(cluster, other->node(), terms.grace);
    promise.until = end ? std::max(promise.until, end) : std::nullopt;
    if (!end) break;
  }
  std::ranges::sort(promise.waits_for, {}, [](const model::Task* waited) {
    return std::tie(waited->ns(), waited->name());
  });
  return promise;
}

Overdue FindOverdue(const model::Cluster& cluster, Duration grace, Time now) {
  std::map<model::NodeId, Time> latest;  // by node: when the last one that leaves must be gone
  for (const model::Task& task : cluster.TasksOf(cluster.releasing())) {
    if (!IsLeaving(task)) continue;
    Time& last = latest[task.node()];
    last = std::max(last, GoneBy(task));
  }
  Overdue overdue;
  for (const model::Task& task : cluster.TasksOf(cluster.releasing())) {
    const Time last = IsLeaving(task) ? latest[task.node()] : kNotKnown;
    if (last == kNotKnown) continue;
    const Time end = last + grace;
    if (end <= now) {
      overdue.tasks.push_back(task.id);
    } else if (!cluster.promised().empty()) {
      // A promise may wait for room in its queue, which others leave on any node.
      overdue.next = std::min(end, overdue.next.value_or(end));
    }
  }
  std::ranges::sort(overdue.tasks);
  return overdue;
}

}  // namespace basalt::scheduler
