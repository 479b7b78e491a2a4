#include "scheduler/explain/overview.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/types/reasons.h"
#include "scheduler/explain/amounts.h"
#include "scheduler/explain/fragmentation.h"
#include "scheduler/explain/listing.h"

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

json::object Fragmentation(const model::Cluster& cluster) {
  json::object out;
  for (const auto& [resource, part] : FragmentationOf(cluster)) {
    if (IsCounted(resource)) out[resource] = part;
  }
  return out;
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
      {"fragmentation", Fragmentation(cluster)}};
}

}  // namespace basalt::scheduler::explain
