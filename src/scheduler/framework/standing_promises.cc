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

// When a node has its room back, while the tasks that leave it are gone through.
struct Departures {
  Time latest{};
  bool open = false;  // an eviction is under way: its end is not known

  void Add(const model::Task& task) {
    if (!task.pod->meta.deletion_timestamp) {
      open = true;
    } else {
      latest = std::max(latest, *task.pod->meta.deletion_timestamp);
    }
  }
};

}  // namespace

std::optional<Time> PromisesEndOn(const model::Cluster& cluster, model::NodeId node,
                                  Duration grace) {
  Departures departures;
  bool any = false;
  for (const model::TaskId id : cluster.node(node).tasks) {
    const model::Task& task = cluster.task(id);
    if (!IsLeaving(task)) continue;
    any = true;
    departures.Add(task);
  }
  if (!any || departures.open) return std::nullopt;
  return departures.latest + grace;
}

model::QueueId QueueThatIsWaitedFor(const model::Cluster& cluster, const model::Task& task) {
  const model::Job* job = cluster.FindJob(task.job);
  if (!job || !job->queue.valid()) return {};
  return QueueToWaitFor(cluster, cluster.queue(job->queue), task).queue;
}

bool IsBelow(const model::Cluster& cluster, const model::Task& task, model::QueueId queue) {
  const model::Job* job = cluster.FindJob(task.job);
  return job &&
         cluster.FindUpwards(job->queue, [&](const model::Queue& at) { return at.id == queue; });
}

std::optional<StandingPromise> StandingPromiseOf(const model::Cluster& cluster,
                                                 const model::Task& task, Duration grace) {
  if (task.status() != TaskStatus::kPipelined) return std::nullopt;
  StandingPromise promise{.node = task.node()};
  for (const model::TaskId id : cluster.node(promise.node).tasks) {
    const model::Task& other = cluster.task(id);
    if (IsLeaving(other)) promise.waits_for.push_back(&other);
  }
  const model::QueueId full = QueueThatIsWaitedFor(cluster, task);
  for (const model::TaskId id : cluster.releasing()) {
    const model::Task& other = cluster.task(id);
    if (!full.valid() || other.node() == promise.node || !IsLeaving(other)) continue;
    if (IsBelow(cluster, other, full)) promise.waits_for.push_back(&other);
  }
  bool open = false;
  for (const model::Task* other : promise.waits_for) {
    const std::optional<Time> end = PromisesEndOn(cluster, other->node(), grace);
    open = open || !end;
    if (end) promise.until = std::max(*end, promise.until.value_or(*end));
  }
  if (open) promise.until.reset();
  std::ranges::sort(promise.waits_for, {}, [](const model::Task* waited) {
    return std::tie(waited->ns(), waited->name());
  });
  return promise;
}

Overdue FindOverdue(const model::Cluster& cluster, Duration grace, Time now) {
  struct OfNode {
    Departures departures;
    std::vector<model::TaskId> tasks;
  };
  std::map<model::NodeId, OfNode> nodes;
  for (const model::TaskId id : cluster.releasing()) {
    const model::Task& task = cluster.task(id);
    if (!IsLeaving(task)) continue;
    OfNode& node = nodes[task.node()];
    node.departures.Add(task);
    node.tasks.push_back(id);
  }
  Overdue overdue;
  for (const auto& [id, node] : nodes) {
    if (node.departures.open || node.departures.latest + grace > now) continue;
    overdue.tasks.insert(overdue.tasks.end(), node.tasks.begin(), node.tasks.end());
  }
  std::ranges::sort(overdue.tasks);
  // A promise may wait for room in its queue, which others leave on any node.
  if (cluster.promised().empty()) return overdue;
  for (const auto& [id, node] : nodes) {
    if (node.departures.open) continue;
    const Time end = node.departures.latest + grace;
    if (end > now) overdue.next = std::min(end, overdue.next.value_or(end));
  }
  return overdue;
}

}  // namespace basalt::scheduler
