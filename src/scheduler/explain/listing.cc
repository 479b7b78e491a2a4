#include "scheduler/explain/listing.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "kube/types/time.h"
#include "scheduler/explain/amounts.h"
#include "scheduler/explain/queue_status.h"

namespace basalt::scheduler::explain {

namespace json = boost::json;
using model::TaskStatus;

namespace {

json::object ToJson(const kube::ResourceList& list) {
  json::object out;
  for (const auto& [name, quantity] : list) out[name] = quantity.ToString();
  return out;
}

json::object Row(const model::Cluster& cluster, const model::Job& job) {
  // Of a group that was made up for it.
  const model::Task* pod = job.shadow ? cluster.AnyTaskOf(job) : nullptr;
  return {{"namespace", job.ns},
          {"name", job.name},
          {"queue", job.queue.valid() ? cluster.queue(job.queue).name : ""},
          {"phase", model::ToString(job.phase)},
          {"minMember", job.min_available},
          {"pods", job.counts.total()},
          {"pending", job.counts[TaskStatus::kPending]},
          {"pipelined", job.counts[TaskStatus::kPipelined]},
          {"running", job.counts[TaskStatus::kRunning]},
          {"succeeded", job.counts[TaskStatus::kSucceeded]},
          {"failed", job.counts[TaskStatus::kFailed]},
          {"created", kube::FormatTime(job.created())},
          {"shadow", job.shadow},
          {"pod", pod ? pod->name() : ""}};
}

json::object Row(const model::Cluster& cluster, const model::QueueStatus& status) {
  const kube::Queue& object = *status.queue;
  const model::Queue& queue = *cluster.FindQueue(object.meta.name);
  std::int32_t waiting = 0;
  for (const model::JobId id : queue.jobs) {
    waiting += static_cast<std::int32_t>(cluster.job(id).pending.size());
  }
  return {{"name", object.meta.name},
          {"parent", queue.parent.valid() ? cluster.queue(queue.parent).name : ""},
          {"state", queue.open ? "Open" : kube::ToString(object.state)},
          {"weight", object.weight},
          {"priority", object.priority},
          {"reclaimable", queue.reclaimable},
          {"capability", ToJson(object.capability)},
          {"deserved", ToJson(object.deserved)},
          {"guarantee", ToJson(object.guarantee)},
          {"allocated", ToJson(status.allocated)},
          {"claimed", ToJson(ToResourceList(queue.tree.claimed, cluster.dimensions()))},
          {"pending", status.pending},
          {"inqueue", status.inqueue},
          {"running", status.running},
          {"completed", status.completed},
          {"unknown", status.unknown},
          {"waitingPods", waiting}};
}

}  // namespace

json::array ListPodGroups(const model::Cluster& cluster, std::string_view ns) {
  std::vector<const model::Job*> jobs;
  cluster.jobs().ForEach([&](const model::Job& job) {
    if (job.exists() && !job.reservation && (ns.empty() || job.ns == ns)) jobs.push_back(&job);
  });
  std::ranges::sort(jobs, [](const model::Job* a, const model::Job* b) {
    return std::tie(a->ns, a->name) < std::tie(b->ns, b->name);
  });
  json::array rows;
  for (const model::Job* job : jobs) rows.push_back(Row(cluster, *job));
  return rows;
}

json::array ListQueues(const model::Cluster& cluster) {
  json::array rows;
  for (const model::QueueStatus& status : QueueStatuses(cluster)) {
    rows.push_back(Row(cluster, status));
  }
  return rows;
}

json::object DescribeQueue(const model::Cluster& cluster, std::string_view name) {
  for (const model::QueueStatus& status : QueueStatuses(cluster)) {
    if (status.queue->meta.name == name) return Row(cluster, status);
  }
  return {};
}

}  // namespace basalt::scheduler::explain
