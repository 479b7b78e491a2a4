#include "scheduler/plugins/predicates/static_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "scheduler/plugins/predicates/predicates.h"

namespace basalt::scheduler::plugins {

bool MatchesNodeSelector(const kube::Pod& pod, const kube::Node& node) {
  for (const auto wanted : pod.spec.node_selector) {
    if (node.meta.labels.Find(wanted.key) != wanted.value) return false;
  }
  return true;
}

bool MatchesNodeRules(const kube::Pod& pod, const kube::Node& node) {
  if (!MatchesNodeSelector(pod, node)) return false;
  const auto& affinity = pod.spec.affinity;
  if (!affinity || !affinity->node || !affinity->node->required) return true;
  return affinity->node->required->Matches(node.meta.labels, node.meta.name);
}

const kube::Taint* FindUntolerated(const kube::Pod& pod, const kube::Node& node) {
  for (const kube::Taint& taint : node.spec.taints) {
    if (taint.effect != kube::TaintEffect::kNoSchedule &&
        taint.effect != kube::TaintEffect::kNoExecute) {
      continue;
    }
    const bool tolerated = std::ranges::any_of(
        pod.spec.tolerations, [&](const kube::Toleration& t) { return t.Tolerates(taint); });
    if (!tolerated) return &taint;
  }
  return nullptr;
}

Verdict CheckUnschedulable(const kube::Pod& pod, const kube::Node& node) {
  if (!node.spec.unschedulable) return Verdict::Ok();
  const kube::Taint taint{.key = "node.kubernetes.io/unschedulable",
                          .effect = kube::TaintEffect::kNoSchedule};
  const bool tolerated = std::ranges::any_of(
      pod.spec.tolerations, [&](const kube::Toleration& t) { return t.Tolerates(taint); });
  return tolerated ? Verdict::Ok()
                   : Verdict::Unresolvable(Predicates::kName, "node(s) were unschedulable");
}

Verdict CheckTaints(const kube::Pod& pod, const kube::Node& node, Reasons& reasons) {
  const kube::Taint* taint = FindUntolerated(pod, node);
  if (!taint) return Verdict::Ok();
  return Verdict::Unresolvable(Predicates::kName,
                               reasons.Keep(fmt::format("node(s) had untolerated taint {{{}: {}}}",
                                                        taint->key, taint->value)));
}

}  // namespace basalt::scheduler::plugins
