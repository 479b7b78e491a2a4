#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "kube/types/string_map.h"

namespace basalt::kube {

// One condition on a label. kEquals and kNotEquals have one value, kGreater and kLess one that is
// an integer, kExists and kDoesNotExist none.
struct LabelRequirement {
  enum class Operator : unsigned char {
    kEquals,
    kNotEquals,  // also where the label is missing
    kIn,
    kNotIn,  // also where the label is missing
    kExists,
    kDoesNotExist,
    kGreater,
    kLess,
  };
  std::string key;
  Operator op = Operator::kEquals;
  std::vector<std::string> values;

  bool Matches(const StringMap& labels) const { return Holds(labels.Find(key)); }
  // Of the value of the label; nullopt: it is missing.
  bool Holds(std::optional<std::string_view> label) const;
  bool operator==(const LabelRequirement&) const = default;
};

// Selects objects by their labels: all requirements must hold, so that an empty selector selects
// everything. A field that may be absent (and then selects nothing) is an optional<LabelSelector>.
// A plain value.
class LabelSelector {
 public:
  LabelSelector() = default;
  explicit LabelSelector(std::vector<LabelRequirement> requirements);
  // What matchLabels says.
  static LabelSelector OfLabels(const StringMap& labels);
  // The form of a query: "a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1". Errors in Kubernetes' words.
  static Result<LabelSelector> Parse(std::string_view text);

  bool Matches(const StringMap& labels) const;
  bool empty() const { return requirements_.empty(); }
  // Sorted by key.
  const std::vector<LabelRequirement>& requirements() const { return requirements_; }
  void Add(LabelRequirement requirement);
  // The form of a query.
  std::string ToString() const;

  bool operator==(const LabelSelector&) const = default;

 private:
  std::vector<LabelRequirement> requirements_;
};

// Nothing is selected by a selector that is not there.
inline bool Matches(const std::optional<LabelSelector>& selector, const StringMap& labels) {
  return selector && selector->Matches(labels);
}

// Checks one requirement as Kubernetes does: valid key and values, the right number of values.
Result<void> Validate(const LabelRequirement& requirement);

// Selects objects by the values of a few fields: "metadata.name=x,spec.nodeName!=y". In a value
// '\\', ',' and '=' are escaped with a backslash. A plain value.
class FieldSelector {
 public:
  struct Requirement {
    std::string field;
    bool equal = true;
    std::string value;
    bool operator==(const Requirement&) const = default;
  };

  FieldSelector() = default;
  static Result<FieldSelector> Parse(std::string_view text);

  // `field_value` gives a field's value; an unset field is "".
  bool Matches(const std::function<std::string(std::string_view field)>& field_value) const;
  bool empty() const { return requirements_.empty(); }
  const std::vector<Requirement>& requirements() const { return requirements_; }
  // The value that `field` must have, where one requirement says so.
  std::optional<std::string_view> ExactValue(std::string_view field) const;
  std::string ToString() const;

  bool operator==(const FieldSelector&) const = default;

 private:
  std::vector<Requirement> requirements_;
};

// One condition on a node's label, or on its field metadata.name.
struct NodeSelectorRequirement {
  enum class Operator : unsigned char {
    kIn,
    kNotIn,
    kExists,
    kDoesNotExist,
    kGt,
    kLt,
    kInvalid  // matches nothing
  };
  std::string key;
  Operator op = Operator::kIn;
  std::vector<std::string> values;
  bool operator==(const NodeSelectorRequirement&) const = default;
};

// All of its requirements must hold; one without any matches no node.
struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> match_expressions;
  std::vector<NodeSelectorRequirement> match_fields;

  bool Matches(const StringMap& node_labels, std::string_view node_name) const;
  bool operator==(const NodeSelectorTerm&) const = default;
};

// Any of its terms must match; none matches nothing.
struct NodeSelector {
  std::vector<NodeSelectorTerm> terms;

  bool Matches(const StringMap& node_labels, std::string_view node_name) const;
  bool operator==(const NodeSelector&) const = default;
};

}  // namespace basalt::kube
