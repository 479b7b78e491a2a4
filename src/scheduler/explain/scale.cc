#include "scheduler/explain/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <optional>

#include "autoscalers/rules.h"
#include "kube/types/reasons.h"
#include "kube/types/time.h"
#include "scheduler/explain/promise_wait.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/pod_wait.h"
#include "scheduler/framework/reasons.h"

namespace basalt::scheduler::explain {

namespace json = boost::json;
using autoscalers::ClusterAutoscalerView;
using model::Job;
using model::Task;
using model::TaskStatus;

namespace {

// Why neither autoscaler takes the pod for one that needs a node.
std::string WhyNotUnschedulable(const Task& task) {
  const kube::Pod& pod = *task.pod;
  if (!pod.spec.scheduling_gates.empty()) {
    if (task.waits_at_gate()) {
      if (task.ungating) return "its gate is being removed";
      if (task.status() == TaskStatus::kPipelined) return "gated until its bind, promised a node";
      return task.holding.queue_claim ? "gated until its bind, its queue has admitted it"
                                      : "gated, waits for its queue";
    }
    return fmt::format("gated by {}, which Basalt does not remove", FewOf(GatesInTheWay(pod)));
  }
  const kube::Condition* said = kube::PodScheduledOf(pod);
  if (!said) return "no condition yet";
  if (said->reason == reasons::kSchedulingGated)
    return "its gate is gone, its condition will follow";
  if (said->reason == reasons::kWaitsForQueue) return "waits for its queue";
  return fmt::format("its condition says {}: a node would not help", said->reason);
}

// To when the promise of the node runs.
std::string Until(PromiseEnds& ends, const Task& task) {
  if (task.status() != TaskStatus::kPipelined) return ", until the nomination is cleared";
  const std::optional<Time> end = ends.Of(task);
  return end ? " until " + kube::FormatTime(*end) : "";
}

SightOf AddsANode(const Task& task) {
  const bool binds = model::IsAllocated(task.status());
  return {Sight::kSeen, binds ? "adds a node, until its bind is through" : "adds a node"};
}

SightOf OfClusterAutoscaler(const model::Cluster& cluster, PromiseEnds& ends, const Task& task) {
  const kube::Pod& pod = *task.pod;
  const std::string& node = pod.status.nominated_node_name;
  const bool exists = !node.empty() && cluster.FindNode(node) != nullptr;
  const autoscalers::ClusterAutoscalerOptions options;
  switch (autoscalers::ClusterAutoscalerViewOf(pod, exists, options)) {
    case ClusterAutoscalerView::kDone: return {Sight::kNotSeen, "being deleted"};
    case ClusterAutoscalerView::kScheduled: return {Sight::kNotSeen, "it has a node"};
    case ClusterAutoscalerView::kExpendable:
      return {Sight::kNotSeen,
              fmt::format("its priority {} is below {}, for which no node is made",
                          pod.spec.priority.value_or(0), options.expendable_priority_cutoff)};
    case ClusterAutoscalerView::kPlaced:
      return {Sight::kPlaced, fmt::format("counted as placed on {}{}", node, Until(ends, task))};
    case ClusterAutoscalerView::kUnschedulable:
      if (node.empty()) return AddsANode(task);
      return {Sight::kSeen,
              fmt::format("adds a node, as {}, which it is nominated to, does not exist", node)};
    case ClusterAutoscalerView::kUnprocessed: break;
  }
  return {Sight::kNotSeen, WhyNotUnschedulable(task)};
}

SightOf OfKarpenter(PromiseEnds& ends, const Task& task) {
  const kube::Pod& pod = *task.pod;
  if (autoscalers::KarpenterIsProvisionable(pod)) return AddsANode(task);
  if (!autoscalers::KarpenterFailedToSchedule(pod)) {
    return {Sight::kNotSeen, WhyNotUnschedulable(task)};
  }
  if (autoscalers::KarpenterIsPreempting(pod)) {
    return {Sight::kNotSeen,
            fmt::format("nominated to {}{}", pod.status.nominated_node_name, Until(ends, task))};
  }
  if (pod.meta.deleting()) return {Sight::kNotSeen, "being deleted"};
  return {Sight::kNotSeen, "of a DaemonSet, or a static pod"};
}

// Of the jobs that may have pods without a node: `visit` each such pod.
template <class Visit>
void ForEachWaiting(const model::Cluster& cluster, const Job& job, Visit visit) {
  for (const auto* list : {&job.pending, &job.pipelined}) {
    for (const model::TaskId id : *list) visit(cluster.task(id));
  }
  if (job.counts[TaskStatus::kAllocated] + job.counts[TaskStatus::kBinding] == 0) return;
  for (const Task& task : cluster.TasksOf(job.others)) {
    const bool under_way =
        task.status() == TaskStatus::kAllocated || task.status() == TaskStatus::kBinding;
    if (under_way && !task.pod->bound()) visit(task);
  }
}

// Appends what stands before a text, and the text as JSON. Nearly none needs an escape.
void Append(std::string& out, std::string_view before, std::string_view text) {
  out += before;
  const bool plain =
      std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c != '"' && c != '\\'; });
  if (!plain) {
    out += json::serialize(json::string(text));
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void AppendSight(std::string& out, const SightOf& sight) {
  Append(out, R"({"sight":)", ToString(sight.sight));
  Append(out, R"(,"why":)", sight.why);
  out += '}';
}

}  // namespace

std::string_view ToString(Sight sight) {
  constexpr std::string_view kNames[] = {"seen", "placed", "not seen"};
  return kNames[static_cast<int>(sight)];
}

std::vector<ScaleRow> ExplainScale(const model::Cluster& cluster, const PromiseTerms& terms,
                                   const ScaleFilter& filter) {
  PromiseEnds ends(cluster, terms);
  std::vector<ScaleRow> rows;
  const auto add = [&](model::JobId id) {
    const Job& job = cluster.job(id);
    if (job.reservation) return;  // no pods
    if (!filter.ns.empty() && job.ns != filter.ns) return;
    std::string_view queue;
    if (job.queue.valid()) queue = cluster.queue(job.queue).name;
    if (!filter.queue.empty() && queue != filter.queue) return;
    ForEachWaiting(cluster, job, [&](const Task& task) {
      rows.push_back({.task = &task,
                      .queue = queue,
                      .cluster_autoscaler = OfClusterAutoscaler(cluster, ends, task),
                      .karpenter = OfKarpenter(ends, task)});
    });
  };
  // Jobs with pods that wait are in one of these lists.
  for (const model::JobId id : cluster.active_jobs()) add(id);
  for (const model::JobId id : cluster.groupless_jobs()) add(id);
  cluster.parking().ForEachJob([&](model::JobId id) {
    if (cluster.job(id).list == Job::List::kNone) add(id);  // with news it is in one of the others
  });
  std::ranges::sort(rows, {}, [](const ScaleRow& row) { return NamesOf(row.task); });
  return rows;
}

std::string ToJsonText(const std::vector<ScaleRow>& rows) {
  const auto count = [&](SightOf ScaleRow::*by, Sight sight) {
    return std::ranges::count(rows, sight, [&](const ScaleRow& row) { return (row.*by).sight; });
  };
  const auto ca_seen = count(&ScaleRow::cluster_autoscaler, Sight::kSeen);
  const auto ca_placed = count(&ScaleRow::cluster_autoscaler, Sight::kPlaced);
  const auto ca_not_seen = count(&ScaleRow::cluster_autoscaler, Sight::kNotSeen);
  const auto karpenter_seen = count(&ScaleRow::karpenter, Sight::kSeen);
  const auto karpenter_not_seen = count(&ScaleRow::karpenter, Sight::kNotSeen);
  const json::object summary{
      {"message",
       fmt::format("{} pod{} without a node: Cluster Autoscaler ({}) sees {}, counts {} as "
                   "placed, does not see {}; Karpenter ({}) sees {}, does not see {}",
                   rows.size(), rows.size() == 1 ? "" : "s", autoscalers::kClusterAutoscalerVersion,
                   ca_seen, ca_placed, ca_not_seen, autoscalers::kKarpenterVersion, karpenter_seen,
                   karpenter_not_seen)},
      {"pods", rows.size()},
      {"clusterAutoscaler", json::object{{"rulesOf", autoscalers::kClusterAutoscalerVersion},
                                         {"seen", ca_seen},
                                         {"placed", ca_placed},
                                         {"notSeen", ca_not_seen}}},
      {"karpenter", json::object{{"rulesOf", autoscalers::kKarpenterVersion},
                                 {"seen", karpenter_seen},
                                 {"notSeen", karpenter_not_seen}}}};
  std::string out = json::serialize(summary);
  out.pop_back();  // its closing brace
  out += ",\"items\":[";
  constexpr std::size_t kUsualRow = 256;
  out.reserve(out.size() + rows.size() * kUsualRow);
  for (const ScaleRow& row : rows) {
    if (&row != &rows.front()) out += ',';
    Append(out, R"({"namespace":)", row.task->ns());
    Append(out, R"(,"name":)", row.task->name());
    Append(out, R"(,"queue":)", row.queue);
    out += R"(,"clusterAutoscaler":)";
    AppendSight(out, row.cluster_autoscaler);
    out += R"(,"karpenter":)";
    AppendSight(out, row.karpenter);
    out += '}';
  }
  out += "]}";
  return out;
}

}  // namespace basalt::scheduler::explain
