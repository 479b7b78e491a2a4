#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ranges>

#include "kube/types/pod_resources.h"
#include "scheduler/explain/amounts.h"
#include "scheduler/explain/change_search.h"

namespace basalt::scheduler::explain {

using model::Node;
using model::Task;

namespace {

constexpr std::size_t kMostNewResources = 8;
constexpr int kUsualPods = 110;  // a kubelet's default

// More nodes like this one, with nothing on them.
Candidate MoreNodes(std::shared_ptr<const kube::Node> like, const std::string& what,
                    std::string_view each, std::size_t most) {
  return Several(
      most,
      [what, each](int times) {
        return times == 1 ? fmt::format("one more node {}", what)
                          : fmt::format("{} more nodes {}{}", times, what, each);
      },
      [like = std::move(like)](WhatIf& what_if, int times) {
        for (int i = 0; i < times; ++i) {
          kube::Node node = *like;
          node.meta.name = what_if.NameFor(like->meta.name);
          node.meta.uid.clear();
          node.meta.labels.Set("kubernetes.io/hostname", node.meta.name);
          what_if.Set(std::move(node));
        }
      });
}

bool Tolerates(const kube::Pod& pod, const kube::Taint& taint) {
  if (taint.effect != kube::TaintEffect::kNoSchedule &&
      taint.effect != kube::TaintEffect::kNoExecute) {
    return true;
  }
  return std::ranges::any_of(pod.spec.tolerations,
                             [&](const kube::Toleration& t) { return t.Tolerates(taint); });
}

kube::Node WithLabelsFor(const kube::Pod& pod, kube::Node node) {
  for (const auto wanted : pod.spec.node_selector) node.meta.labels.Set(wanted.key, wanted.value);
  return node;
}

kube::Node WithoutTaintsFor(const kube::Pod& pod, kube::Node node) {
  std::erase_if(node.spec.taints, [&](const kube::Taint& taint) { return !Tolerates(pod, taint); });
  return node;
}

std::string DescribeTaints(const kube::Pod& pod, const kube::Node& node) {
  std::vector<std::string> taints;
  for (const kube::Taint& taint : node.spec.taints) {
    if (Tolerates(pod, taint)) continue;
    taints.push_back(fmt::format("{}{}{}:{}", taint.key, taint.value.empty() ? "" : "=",
                                 taint.value, kube::ToString(taint.effect)));
  }
  return fmt::format("{}", fmt::join(taints, ", "));
}

std::string DescribeLabels(const kube::Pod& pod, const kube::Node& node) {
  std::vector<std::string> labels;
  for (const auto wanted : pod.spec.node_selector) {
    if (node.meta.labels.Find(wanted.key) == wanted.value) continue;
    labels.push_back(fmt::format("{}={}", wanted.key, wanted.value));
  }
  return fmt::format("{}", fmt::join(labels, ", "));
}

}  // namespace

bool IsOpenTo(const kube::Pod& pod, const kube::Node& node) {
  return !node.spec.unschedulable &&
         std::ranges::all_of(node.spec.taints,
                             [&](const kube::Taint& taint) { return Tolerates(pod, taint); });
}

void AddNodeEdits(const model::Cluster& cluster, const Task& task, Candidates& out) {
  Candidates uncordon, untaint, label;
  const kube::Pod& pod = *task.pod;
  for (const model::NodeId id : cluster.nodes()) {
    const Node& node = cluster.node(id);
    if (task.task_class->unknown_resource || WhatIf::IsMadeUp(node.name)) continue;
    if (!task.best_effort() && !cluster.ledger().FitsFuture(task.request(), id)) continue;
    const kube::Node& object = *node.object;
    const std::string taints = DescribeTaints(pod, object);
    Candidates& openings = taints.empty() ? uncordon : untaint;
    if ((object.spec.unschedulable || !taints.empty()) && openings.size() < kFewNodes) {
      kube::Node open = WithoutTaintsFor(pod, object);
      open.spec.unschedulable = false;
      openings.push_back(
          Edit(taints.empty() ? fmt::format("uncordon node {}", node.name)
                              : fmt::format("remove taint {} from node {}{}", taints, node.name,
                                            object.spec.unschedulable ? " and uncordon it" : ""),
               std::move(open)));
    } else if (const std::string labels = DescribeLabels(pod, object);
               !labels.empty() && label.size() < kFewNodes) {
      label.push_back(Edit(fmt::format("label node {} with {}", node.name, labels),
                           WithLabelsFor(pod, object)));
    }
    if (uncordon.size() + untaint.size() + label.size() >= 3 * kFewNodes) break;
  }
  for (auto* list : {&uncordon, &untaint, &label}) {
    for (Candidate& candidate : *list) out.push_back(std::move(candidate));
  }
}

void AddNewNodes(const model::Cluster& cluster, const Task& task, std::size_t most,
                 Candidates& out) {
  const kube::Pod& pod = *task.pod;
  std::vector<const Node*> kinds;
  for (const model::NodeId id : cluster.nodes()) {
    const Node& node = cluster.node(id);
    if (task.task_class->unknown_resource) break;
    if (WhatIf::IsMadeUp(node.name)) continue;
    if (!IsOpenTo(pod, *node.object) || !DescribeLabels(pod, *node.object).empty()) continue;
    if (!task.request().LessEqual(node.allocatable, model::Undefined::kZero)) continue;
    const bool known = std::ranges::any_of(
        kinds, [&](const Node* kind) { return kind->allocatable == node.allocatable; });
    if (!known) kinds.push_back(&node);
  }
  std::ranges::stable_sort(kinds, {},
                           [&](const Node* node) { return SizeOf(cluster, node->allocatable); });
  for (const Node* kind : kinds | std::views::take(kFewNodes)) {
    out.push_back(MoreNodes(kind->object, fmt::format("like {}", kind->name), "", most));
  }
  // As large as the pod, and no larger: what is said is what is tried.
  kube::Node made;
  made.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
  made = WithLabelsFor(pod, std::move(made));
  made.meta.name = "new-node";
  kube::ResourceList request = ToResourceList(task.request(), cluster.dimensions());
  std::string amounts = FormatAmounts(
      task.request(), task.request().NonZero() & ~model::Bit(model::kPods), cluster.dimensions());
  // Each name that nobody offers yet takes a number while it is tried.
  const auto unknown = model::UnknownNames(*task.task_class, cluster.dimensions());
  if (unknown.size() > kMostNewResources) return;
  for (const std::string& name : unknown) {
    const kube::Quantity amount = kube::PodRequests(pod).Get(name);
    request.Set(name, amount);
    amounts += fmt::format("{}{} {}", amounts.empty() ? "" : ", ", name, amount.ToString());
  }
  if (amounts.empty()) amounts = "the pod";  // that asks for nothing but a place
  request.Set("pods", kube::Quantity::Of(kUsualPods));
  made.status.allocatable = request;
  const std::string labels = DescribeLabels(pod, kube::Node{});
  const std::string what = fmt::format("with room for {}{}{}", amounts,
                                       labels.empty() ? "" : " and the labels ", labels);
  out.push_back(
      MoreNodes(std::make_shared<const kube::Node>(std::move(made)), what, " each", most));
}

}  // namespace basalt::scheduler::explain
