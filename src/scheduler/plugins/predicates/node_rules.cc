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
  const kube::PodSpec& spec = task.pod->spec;
  known.selector_can_match = std::ranges::all_of(spec.node_selector, [&](const auto& wanted) {
    return cluster_->node_labels().NodesWith(wanted.key, wanted.value) > 0;
  });
  if (!known.selector_can_match || !spec.affinity || !spec.affinity->node ||
      !spec.affinity->node->required) {
    return known;
  }
  const std::vector<kube::NodeSelectorTerm>& terms = spec.affinity->node->required->terms;
  for (std::uint32_t i = 0; i < terms.size(); ++i) {
    if (CanMatch(*cluster_, terms[i])) known.terms.push_back(i);
  }
  return known;
}

bool NodeRules::Matches(const Task& task, const Node& node) {
  const OfClass& known = Of(task);
  if (!known.selector_can_match) return false;
  const kube::Node& object = *node.object;
  if (!MatchesNodeSelector(*task.pod, object)) return false;
  const kube::PodSpec& spec = task.pod->spec;
  if (!spec.affinity || !spec.affinity->node || !spec.affinity->node->required) return true;
  const std::vector<kube::NodeSelectorTerm>& terms = spec.affinity->node->required->terms;
  return std::ranges::any_of(known.terms, [&](std::uint32_t i) {
    return terms[i].Matches(object.meta.labels, object.meta.name);
  });
}

}  // namespace basalt::scheduler::plugins
