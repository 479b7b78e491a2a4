#include "scheduler/framework/future_claims.h"

#include <algorithm>
#include <map>

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

namespace {

bool Leaves(const model::Task& task) {
  return task.status() == TaskStatus::kReleasing && !task.holding.overdue;
}

// The lease of a node while its leaving tasks are gone through.
struct Lease {
  Time latest{};
  bool open = false;  // an eviction is under way: nobody knows its end

  void Add(const model::Task& task) {
    if (!task.pod->meta.deletion_timestamp) {
      open = true;
    } else {
      latest = std::max(latest, *task.pod->meta.deletion_timestamp);
    }
  }
};

}  // namespace

std::optional<Time> LeaseEnd(const model::Cluster& cluster, model::NodeId node, Duration grace) {
  Lease lease;
  bool any = false;
  for (const model::TaskId id : cluster.node(node).tasks) {
    const model::Task& task = cluster.task(id);
    if (!Leaves(task)) continue;
    any = true;
    lease.Add(task);
  }
  if (!any || lease.open) return std::nullopt;
  return lease.latest + grace;
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

std::optional<FutureClaim> FutureClaimOf(const model::Cluster& cluster, const model::Task& task,
                                         Duration grace) {
  if (task.status() != TaskStatus::kPipelined || !task.node().valid()) return std::nullopt;
  FutureClaim claim{.node = task.node()};
  for (const model::TaskId id : cluster.node(claim.node).tasks) {
    const model::Task& other = cluster.task(id);
    if (Leaves(other)) claim.waits_for.push_back(&other);
  }
  const model::QueueId full = QueueThatIsWaitedFor(cluster, task);
  for (const model::TaskId id : cluster.leaving()) {
    const model::Task& other = cluster.task(id);
    if (!full.valid() || other.node() == claim.node || !Leaves(other)) continue;
    if (IsBelow(cluster, other, full)) claim.waits_for.push_back(&other);
  }
  bool open = false;
  for (const model::Task* other : claim.waits_for) {
    const std::optional<Time> end = LeaseEnd(cluster, other->node(), grace);
    open = open || !end;
    if (end && (!claim.until || *end > *claim.until)) claim.until = end;
  }
  if (open) claim.until.reset();
  std::ranges::sort(claim.waits_for, [](const model::Task* a, const model::Task* b) {
    return a->ns() != b->ns() ? a->ns() < b->ns() : a->name() < b->name();
  });
  return claim;
}

Overdue FindOverdue(const model::Cluster& cluster, Duration grace, Time now) {
  struct OfNode {
    Lease lease;
    std::vector<model::TaskId> tasks;
  };
  std::map<model::NodeId, OfNode> nodes;
  for (const model::TaskId id : cluster.leaving()) {
    const model::Task& task = cluster.task(id);
    if (!Leaves(task)) continue;
    OfNode& node = nodes[task.node()];
    node.lease.Add(task);
    node.tasks.push_back(id);
  }
  Overdue overdue;
  for (const auto& [id, node] : nodes) {
    if (node.lease.open || node.lease.latest + grace > now) continue;
    overdue.tasks.insert(overdue.tasks.end(), node.tasks.begin(), node.tasks.end());
  }
  std::ranges::sort(overdue.tasks);
  // A claim may wait for room in its queue, which others leave on any node.
  if (cluster.promised().empty()) return overdue;
  for (const auto& [id, node] : nodes) {
    if (node.lease.open) continue;
    const Time end = node.lease.latest + grace;
    if (end > now && (!overdue.next || end < *overdue.next)) overdue.next = end;
  }
  return overdue;
}

}  // namespace basalt::scheduler
