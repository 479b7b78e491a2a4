#include "descheduler/plugins/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace basalt::descheduler {

using scheduler::Verdict;
using scheduler::VerdictCache;

std::string_view ToString(Lack lack) {
  switch (lack) {
    case Lack::kNothing: return "";
    case Lack::kResources: return "Resources";
    case Lack::kPods: return "Pods";
    case Lack::kProtection: return "Protection";
    case Lack::kTaints: return "Taints";
    case Lack::kAffinity: return "Affinity";
    case Lack::kHostPorts: return "HostPorts";
    case Lack::kVolumes: return "Volumes";
    case Lack::kNode: return "NodeCondition";
    case Lack::kOther: return "Other";
  }
  return "";
}

std::vector<NodeCount> LackCounts::List() const {
  std::vector<NodeCount> list;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    list.push_back({.reason = std::string(ToString(static_cast<Lack>(i))), .count = counts_[i]});
  }
  std::ranges::sort(list, [](const NodeCount& a, const NodeCount& b) {
    return a.count != b.count ? a.count > b.count : a.reason < b.reason;
  });
  return list;
}

std::string LackCounts::Text() const {
  std::string text;
  for (const NodeCount& count : List()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.count, count.reason);
  }
  return text;
}

std::optional<std::string> Places::Ask(const model::Task& task) {
  task_ = &task;
  rules_.Find(plugins_, task);
  const model::Job* job = session_.JobOf(task);
  const std::uint64_t queue = job ? job->queue.value & 0x7fffffffu : 0x7fffffffu;
  statics_ = verdicts_.StaticsOf(task, queue, cluster().node_slots().bound());
  if (task.task_class->unknown_resource) return "no node has a resource that it asks for";
  const Verdict verdict = session_.CheckTask(task);
  if (!verdict.ok()) return std::string(verdict.reason);
  return std::nullopt;
}

Lack Places::Room(model::NodeId node) const {
  const model::NodeLedger& ledger = cluster().ledger();
  const model::DimensionSet lacking =
      ledger.LackingIdle(task_->request(), node) | ledger.LackingInFuture(task_->request(), node);
  if (lacking == 0) return Lack::kNothing;
  return lacking == model::Bit(model::kPods) ? Lack::kPods : Lack::kResources;
}

Lack Places::Filter(const model::Node& node) {
  const VerdictCache::Number number = verdicts_.NodeVerdict(*statics_, rules_, *task_, node);
  if (number != VerdictCache::kFits) return LackOf(verdicts_.Get(number));
  for (const scheduler::TaskRules::FilterCall& call : rules_.of_cluster) {
    const Verdict verdict = call.filter->Filter(*task_, node, call.part);
    if (!verdict.ok()) return LackOf(verdict);
  }
  return Lack::kNothing;
}

bool Places::AntiAffinityForbids(const model::Node& node) {
  return std::ranges::any_of(rules_.of_cluster, [&](const scheduler::TaskRules::FilterCall& call) {
    const Verdict verdict = call.filter->Filter(*task_, node, call.part);
    return verdict.reason.find("match pod anti-affinity") != verdict.reason.npos;
  });
}

// Verdicts carry words for users, and no code for what they are about.
Lack Places::LackOf(const Verdict& verdict) const {
  const auto says = [&](std::string_view words) {
    return verdict.reason.find(words) != verdict.reason.npos;
  };
  if (says("taint")) return Lack::kTaints;
  if (says("free ports")) return Lack::kHostPorts;
  if (says("pod number")) return Lack::kPods;
  if (says("olume") || says("pvc")) return Lack::kVolumes;
  if (says("affinity") || says("topology spread")) return Lack::kAffinity;
  if (says("unschedulable") || says("pressure") || says("ready") || says("unreachable") ||
      says("network")) {
    return Lack::kNode;
  }
  return Lack::kOther;
}

}  // namespace basalt::descheduler
