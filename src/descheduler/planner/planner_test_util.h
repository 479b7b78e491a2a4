#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "descheduler/planner/planner.h"
#include "testing/model/test_cluster.h"

namespace basalt::descheduler {

using testutil::kTestNow;

// A cluster for plans: nodes that are Ready, pods of a controller and of our scheduler.
struct PlanCluster {
  testutil::TestCluster objects;
  std::unique_ptr<scheduler::PluginSet> rules = MakePlacementRules();
  Policy policy = BuiltinPolicy();
  PlanRequest request;
  Usage usage;

  PlanCluster() {
    objects.Add(testutil::MakeQueue("q"));
    args().pack_underused = false;
    request.id = "p1";
  }
  Profile& profile() { return policy.profiles.front(); }
  DefragmentationArgs& args() { return *profile().defragmentation; }

  static kube::Node NodeOf(const std::string& name, std::string_view cpu = "10") {
    kube::Node node = testutil::MakeNode(name, {{"cpu", cpu}, {"memory", "10Gi"}, {"pods", "20"}});
    node.meta.labels.Set("kubernetes.io/hostname", name);
    node.status.conditions = {{.type = "Ready", .status = kube::ConditionStatus::kTrue}};
    return node;
  }
  // Of a ReplicaSet of its own name.
  static kube::Pod PodOf(const std::string& name, const std::string& node, std::string_view cpu,
                         const std::string& group = "") {
    kube::Pod pod = testutil::MakeRunningPod(name, group, {{"cpu", cpu}}, node);
    pod.spec.scheduler_name = "volcano";
    pod.meta.owner_references = {
        {.kind = "ReplicaSet", .name = "rs-" + name, .uid = "u-" + name, .controller = true}};
    pod.status.start_time = kTestNow - std::chrono::hours(1);
    pod.meta.labels.Set("app", name);
    return pod;
  }
  PlanCluster& Add(kube::Node node) {
    objects.Add(std::move(node));
    return *this;
  }
  PlanCluster& Add(kube::Pod pod) {
    objects.Add(std::move(pod));
    return *this;
  }
  PlanCluster& Node(const std::string& name, std::string_view cpu = "10") {
    return Add(NodeOf(name, cpu));
  }
  PlanCluster& Pod(const std::string& name, const std::string& node, std::string_view cpu) {
    return Add(PodOf(name, node, cpu));
  }
  PlanCluster& Budget(std::string_view app, int allowed) {
    auto budget = std::make_shared<kube::PodDisruptionBudget>();
    budget->meta.ns = "ns";
    budget->meta.name = "of-" + std::string(app);
    budget->selector = kube::LabelSelector::OfLabels({{"app", app}});
    budget->disruptions_allowed = allowed;
    objects.cluster.mutable_objects().disruption_budgets.Set(std::move(budget));
    return *this;
  }

  Plan Make() {
    return MakePlan(objects.cluster, *rules, policy, profile(), request, &usage, kTestNow);
  }
};

// "a: n1 -> n2; b: n1 -> n3".
inline std::string MovesOf(const Plan& plan) {
  std::string text;
  for (const Move& move : plan.moves) {
    text += (text.empty() ? "" : "; ") + move.pod + ": " + move.from + " -> " + move.to;
  }
  return text;
}
// "n1 Critical; n2/b NoTarget".
inline std::string BlockedOf(const Plan& plan) {
  std::string text;
  for (const Blocked& blocked : plan.blocked) {
    text += (text.empty() ? "" : "; ") + blocked.node +
            (blocked.pod.empty() ? "" : "/" + blocked.pod) + " " + blocked.reason;
  }
  return text;
}
// "Resources 2, Taints 1" of the first that is blocked.
inline std::string CountsOf(const Plan& plan) {
  std::string text;
  if (plan.blocked.empty()) return text;
  for (const NodeCount& count : plan.blocked.front().nodes) {
    text += (text.empty() ? "" : ", ") + count.reason + " " + std::to_string(count.count);
  }
  return text;
}

}  // namespace basalt::descheduler
