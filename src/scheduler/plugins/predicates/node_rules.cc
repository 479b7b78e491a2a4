#include "scheduler/plugins/predicates/node_rules.h"

#include <algorithm>

#include "scheduler/plugins/predicates/static_rules.h"

namespace basalt::scheduler::plugins {
namespace {

using Operator = kube::NodeSelectorRequirement::Operator;

// Whether some node may satisfy the requirement by itself; true where the labels cannot tell.
bool CanMatch(const model::NodeLabels& labels, const kube::NodeSelectorRequirement& requirement) {
  switch (requirement.op) {
    case Operator::kIn:
      return std::ranges::any_of(requirement.values, [&](const std::string& value) {
        return labels.NodesWith(requirement.key, value) > 0;
      });
    case Operator::kExists:
    case Operator::kGt:
    case Operator::kLt: return labels.NodesWith(requirement.key) > 0;
    default: return true;
  }
}

bool CanMatch(const model::Cluster& cluster, const kube::NodeSelectorTerm& term) {
  const auto field_can_match = [&](const kube::NodeSelectorRequirement& field) {
    return field.op != Operator::kIn || field.values.size() != 1 ||
           cluster.FindNode(field.values[0]) != nullptr;
  };
  return std::ranges::all_of(
             term.match_expressions,
             [&](const auto& one) { return CanMatch(cluster.node_labels(), one); }) &&
         std::ranges::all_of(term.match_fields, field_can_match);
}

}  // namespace

void NodeRules::Open(const model::Cluster& cluster) {
  cluster_ = &cluster;
  classes_.clear();
}

const NodeRules::OfClass& NodeRules::Of(const Task& task) {
  const std::size_t number = task.task_class->static_class;
  if (number >= classes_.size()) classes_.resize(number + 1);
  OfClass& known = classes_[number];
  if (known.known) return known;
  known.known = true;
  known.selector_can_match =
      std::ranges::all_of(task.pod->spec.node_selector, [&](const auto& wanted) {
        return cluster_->node_labels().NodesWith(wanted.key, wanted.value) > 0;
      });
  const kube::NodeSelector* required = RequiredNodes(*task.pod);
  if (!known.selector_can_match || !required) return known;
  for (std::uint32_t i = 0; i < required->terms.size(); ++i) {
    if (CanMatch(*cluster_, required->terms[i])) known.terms.push_back(i);
  }
  return known;
}

bool NodeRules::Matches(const Task& task, const Node& node) {
  const OfClass& known = Of(task);
  if (!known.selector_can_match || !MatchesNodeSelector(*task.pod, *node.object)) return false;
  const kube::NodeSelector* required = RequiredNodes(*task.pod);
  return !required || std::ranges::any_of(known.terms, [&](std::uint32_t i) {
    return required->terms[i].Matches(node.object->meta.labels, node.object->meta.name);
  });
}

}  // namespace basalt::scheduler::plugins
