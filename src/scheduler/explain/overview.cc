#include "scheduler/explain/overview.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "kube/types/reasons.h"
#include "kube/types/time.h"
#include "scheduler/explain/amounts.h"
#include "scheduler/explain/queue_status.h"

namespace basalt::scheduler::explain {

namespace json = boost::json;
using model::TaskStatus;

namespace {

// Whether the overview shows the resource. The others are limits of each node: pods do not look for
// free room of them.
bool IsCounted(std::string_view resource) {
  return resource != "pods" && resource != "ephemeral-storage" &&
         !resource.starts_with("hugepages-") && !resource.starts_with("attachable-volumes-");
}

struct NodeSums {
  int total = 0, ready = 0, cordoned = 0;
  std::map<int, double> allocatable, used;
};

NodeSums SumOfNodes(const model::Cluster& cluster) {
  NodeSums sums;
  for (const model::NodeId id : cluster.nodes()) {
    const model::Node& node = cluster.node(id);
    if (!node.exists()) continue;
    ++sums.total;
    sums.ready += node.object->ready() ? 1 : 0;
    sums.cordoned += node.object->spec.unschedulable ? 1 : 0;
    model::ForEachDimension(node.allocatable.NonZero(), [&](int d) {
      if (!IsCounted(cluster.dimensions().name(d))) return;
      sums.allocatable[d] += node.allocatable[d];
      sums.used[d] += node.allocatable[d] - std::max(cluster.ledger().idle(d, id), 0.0);
    });
  }
  return sums;
}

json::object AmountsJson(const std::map<int, double>& amounts, const model::Cluster& cluster) {
  json::object out;
  for (const auto& [d, amount] : amounts) {
    out[cluster.dimensions().name(d)] = ToQuantity(d, amount).ToString();
  }
  return out;
}

// It stays with its node, whatever else is there.
bool StaysWithNode(const kube::Pod& pod) {
  if (pod.meta.annotations.Contains("kubernetes.io/config.mirror")) return true;
  const kube::OwnerReference* owner = pod.meta.Controller();
  return owner && (owner->kind == "DaemonSet" || owner->kind == "Node");
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

// As its condition has it.
std::string ReasonOf(const model::Task& task) {
  if (task.status() == TaskStatus::kPipelined) return std::string(reasons::kPromised);
  if (!task.pod) return std::string(reasons::kReservation);
  if (task.waits_at_gate()) return std::string(reasons::kQueueGate);
  if (!task.pod->spec.scheduling_gates.empty()) return std::string(reasons::kSchedulingGated);
  const kube::Condition* said = kube::PodScheduledOf(*task.pod);
  return said && !said->reason.empty() ? said->reason : std::string(reasons::kNew);
}

}  // namespace

std::map<std::string, double> FragmentationOf(const model::Cluster& cluster) {
  const model::Dimensions& dimensions = cluster.dimensions();
  const int bound = std::min(cluster.ledger().dimensions(), dimensions.size());
  std::vector<double> all(bound), broken(bound);
  for (const model::NodeId id : cluster.nodes()) {
    const model::Node& node = cluster.node(id);
    if (!node.object->ready() || node.object->spec.unschedulable) continue;
    const bool runs = std::ranges::any_of(
        node.tasks, [&](model::TaskId task) { return !StaysWithNode(*cluster.task(task).pod); });
    for (int d = 0; d < bound; ++d) {
      const double idle = std::max(0.0, cluster.ledger().idle(d, id));
      all[d] += idle;
      if (runs) broken[d] += idle;
    }
  }
  std::map<std::string, double> out;
  for (int d = 0; d < bound; ++d) {
    if (d == model::kPods || dimensions.name(d).empty()) continue;
    out[dimensions.name(d)] = all[d] > 0 ? broken[d] / all[d] : 0;
  }
  return out;
}

json::array ListPodGroups(const model::Cluster& cluster, std::string_view ns) {
  std::vector<const model::Job*> jobs;
  cluster.jobs().ForEach([&](const model::Job& job) {
    if (job.exists() && !job.reservation && (ns.empty() || job.ns == ns)) jobs.push_back(&job);
  });
  std::ranges::sort(jobs, {}, [](const model::Job* job) { return std::tie(job->ns, job->name); });
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

json::object Overview(const model::Cluster& cluster) {
  const NodeSums nodes = SumOfNodes(cluster);
  std::map<std::string, std::int64_t> waiting;
  std::int64_t claims = 0, running = 0;
  cluster.jobs().ForEach([&](const model::Job& job) {
    claims += job.queue_claims;
    running += job.counts[TaskStatus::kRunning] + job.counts[TaskStatus::kBound];
    for (const auto* list : {&job.pending, &job.pipelined}) {
      for (const model::TaskId id : *list) ++waiting[ReasonOf(cluster.task(id))];
    }
  });
  std::vector<std::pair<std::string, std::int64_t>> reasons(waiting.begin(), waiting.end());
  std::ranges::stable_sort(reasons,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  json::array by_reason;
  for (const auto& [reason, pods] : reasons) {
    by_reason.push_back(json::object{{"reason", reason}, {"pods", pods}});
  }
  json::object reservations;
  cluster.reservations().ForEach([&](const model::ReservationRecord& record) {
    using Phase = kube::ReservationPhase;
    // A reservation that no cycle has looked at yet waits.
    const Phase phase = record.status.phase == Phase::kNone ? Phase::kPending : record.status.phase;
    json::value& count = reservations[ToString(phase)];
    count = count.is_int64() ? count.get_int64() + 1 : 1;
  });
  json::object fragmentation;
  for (const auto& [resource, part] : FragmentationOf(cluster)) {
    if (IsCounted(resource)) fragmentation[resource] = part;
  }
  return {
      {"nodes", json::object{{"total", nodes.total},
                             {"ready", nodes.ready},
                             {"cordoned", nodes.cordoned},
                             {"allocatable", AmountsJson(nodes.allocatable, cluster)},
                             {"used", AmountsJson(nodes.used, cluster)}}},
      {"runningPods", running},
      {"queues", ListQueues(cluster)},
      {"claims", json::object{{"withoutNode", claims},
                              {"promised", static_cast<std::int64_t>(cluster.promised().size())}}},
      {"waiting", std::move(by_reason)},
      {"reservations", std::move(reservations)},
      {"fragmentation", std::move(fragmentation)}};
}

}  // namespace basalt::scheduler::explain
