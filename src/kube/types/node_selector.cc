#include <algorithm>

#include "kube/types/integer.h"
#include "kube/types/selector.h"

namespace basalt::kube {
namespace {

using NodeOperator = NodeSelectorRequirement::Operator;

bool HasValue(const NodeSelectorRequirement& requirement, std::string_view value) {
  return std::ranges::find(requirement.values, value) != requirement.values.end();
}

bool MatchesLabel(const NodeSelectorRequirement& requirement, const StringMap& labels) {
  const std::optional<std::string_view> label = labels.Find(requirement.key);
  switch (requirement.op) {
    case NodeOperator::kIn: return label && HasValue(requirement, *label);
    case NodeOperator::kNotIn:
      return !requirement.values.empty() && (!label || !HasValue(requirement, *label));
    case NodeOperator::kExists: return label.has_value();
    case NodeOperator::kDoesNotExist: return !label;
    case NodeOperator::kGt:
    case NodeOperator::kLt: {
      if (!label || requirement.values.size() != 1) return false;
      const std::optional<std::int64_t> actual = ParseInt64(*label);
      const std::optional<std::int64_t> bound = ParseInt64(requirement.values[0]);
      if (!actual || !bound) return false;
      return requirement.op == NodeOperator::kGt ? *actual > *bound : *actual < *bound;
    }
    case NodeOperator::kInvalid: break;
  }
  return false;
}

// Kubernetes knows the field metadata.name, and In and NotIn of one value.
bool MatchesField(const NodeSelectorRequirement& requirement, std::string_view node_name) {
  if (requirement.key != "metadata.name" || requirement.values.size() != 1) return false;
  if (requirement.op == NodeOperator::kIn) return requirement.values[0] == node_name;
  if (requirement.op == NodeOperator::kNotIn) return requirement.values[0] != node_name;
  return false;
}

}  // namespace

bool NodeSelectorTerm::Matches(const StringMap& node_labels, std::string_view node_name) const {
  if (match_expressions.empty() && match_fields.empty()) return false;
  return std::ranges::all_of(match_expressions,
                             [&](const auto& one) { return MatchesLabel(one, node_labels); }) &&
         std::ranges::all_of(match_fields,
                             [&](const auto& one) { return MatchesField(one, node_name); });
}

bool NodeSelector::Matches(const StringMap& node_labels, std::string_view node_name) const {
  return std::ranges::any_of(
      terms, [&](const NodeSelectorTerm& term) { return term.Matches(node_labels, node_name); });
}

}  // namespace basalt::kube
