#include "scheduler/plugins/predicates/static_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace basalt::scheduler::plugins {
namespace {

bool Tolerates(const kube::Pod& pod, const kube::Taint& taint) {
  return std::ranges::any_of(pod.spec.tolerations,
                             [&](const kube::Toleration& t) { return t.Tolerates(taint); });
}

}  // namespace

const kube::NodeSelector* RequiredNodes(const kube::Pod& pod) {
  const auto& affinity = pod.spec.affinity;
  const bool required = affinity && affinity->node && affinity->node->required;
  return required ? &*affinity->node->required : nullptr;
}

bool MatchesNodeSelector(const kube::Pod& pod, const kube::Node& node) {
  return std::ranges::all_of(pod.spec.node_selector, [&](const auto& wanted) {
    return node.meta.labels.Find(wanted.key) == wanted.value;
  });
}

bool MatchesNodeRules(const kube::Pod& pod, const kube::Node& node) {
  const kube::NodeSelector* required = RequiredNodes(pod);
  return MatchesNodeSelector(pod, node) &&
         (!required || required->Matches(node.meta.labels, node.meta.name));
}

const kube::Taint* FindUntolerated(const kube::Pod& pod, const kube::Node& node) {
  for (const kube::Taint& taint : node.spec.taints) {
    if (taint.effect != kube::TaintEffect::kNoSchedule &&
        taint.effect != kube::TaintEffect::kNoExecute) {
      continue;
    }
    if (!Tolerates(pod, taint)) return &taint;
  }
  return nullptr;
}

Verdict CheckUnschedulable(const kube::Pod& pod, const kube::Node& node) {
  if (!node.spec.unschedulable) return Verdict::Ok();
  const kube::Taint taint{.key = "node.kubernetes.io/unschedulable",
                          .effect = kube::TaintEffect::kNoSchedule};
  return Tolerates(pod, taint) ? Verdict::Ok()
                               : Verdict::Unresolvable("node(s) were unschedulable");
}

Verdict CheckConditions(const kube::Pod& pod, const kube::Node& node) {
  using Status = kube::ConditionStatus;
  struct Bad {
    std::string_view type;
    Status status;
    std::string_view taint;
    std::string_view reason;
  };
  static constexpr Bad kBad[] = {
      {"Ready", Status::kFalse, "node.kubernetes.io/not-ready", "node(s) were not ready"},
      {"Ready", Status::kUnknown, "node.kubernetes.io/unreachable", "node(s) were unreachable"},
      {"MemoryPressure", Status::kTrue, "node.kubernetes.io/memory-pressure",
       "node(s) had memory pressure"},
      {"DiskPressure", Status::kTrue, "node.kubernetes.io/disk-pressure",
       "node(s) had disk pressure"},
      {"PIDPressure", Status::kTrue, "node.kubernetes.io/pid-pressure", "node(s) had PID pressure"},
      {"NetworkUnavailable", Status::kTrue, "node.kubernetes.io/network-unavailable",
       "node(s) had no network"},
  };
  for (const kube::Condition& condition : node.status.conditions) {
    for (const Bad& bad : kBad) {
      if (condition.type != bad.type || condition.status != bad.status) continue;
      const kube::Taint taint{.key = std::string(bad.taint),
                              .effect = kube::TaintEffect::kNoSchedule};
      if (!Tolerates(pod, taint)) return Verdict::Unresolvable(bad.reason);
    }
  }
  return Verdict::Ok();
}

Verdict CheckTaints(const kube::Pod& pod, const kube::Node& node, Reasons& reasons) {
  const kube::Taint* taint = FindUntolerated(pod, node);
  if (!taint) return Verdict::Ok();
  return Verdict::Unresolvable(reasons.Keep(
      fmt::format("node(s) had untolerated taint {{{}: {}}}", taint->key, taint->value)));
}

}  // namespace basalt::scheduler::plugins
