#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/selector.h"

namespace basalt::kube {

struct PreferredNodeTerm {
  std::int32_t weight = 0;
  NodeSelectorTerm preference;
  bool operator==(const PreferredNodeTerm&) const = default;
};

struct NodeAffinity {
  std::optional<NodeSelector> required;
  std::vector<PreferredNodeTerm> preferred;
  bool operator==(const NodeAffinity&) const = default;
};

struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;  // absent: selects no pod
  std::vector<std::string> namespaces;
  // Absent and no `namespaces`: the pod's own namespace. Empty: all namespaces.
  std::optional<LabelSelector> namespace_selector;
  std::string topology_key;
  // The API server has merged them into label_selector already.
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;
  bool operator==(const PodAffinityTerm&) const = default;
};

struct WeightedPodAffinityTerm {
  std::int32_t weight = 0;
  PodAffinityTerm term;
  bool operator==(const WeightedPodAffinityTerm&) const = default;
};

// Of pod affinity as of pod anti-affinity.
struct PodAffinity {
  std::vector<PodAffinityTerm> required;
  std::vector<WeightedPodAffinityTerm> preferred;
  bool empty() const { return required.empty() && preferred.empty(); }
  bool operator==(const PodAffinity&) const = default;
};

struct Affinity {
  std::optional<NodeAffinity> node;
  PodAffinity pod;
  PodAffinity pod_anti;
  bool operator==(const Affinity&) const = default;
};

enum class TaintEffect : std::uint8_t {
  kNone,  // on a toleration: every effect
  kNoSchedule,
  kPreferNoSchedule,
  kNoExecute,
  kUnrecognised,
};
std::string_view ToString(TaintEffect effect);

struct Taint {
  std::string key;
  std::string value;
  TaintEffect effect = TaintEffect::kNone;
  bool operator==(const Taint&) const = default;
};

struct Toleration {
  enum class Operator : std::uint8_t { kEqual, kExists, kLt, kGt, kUnrecognised };
  std::string key;  // "": every key, with kExists
  Operator op = Operator::kEqual;
  std::string value;
  TaintEffect effect = TaintEffect::kNone;
  std::optional<std::int64_t> toleration_seconds;

  bool Tolerates(const Taint& taint) const;
  bool operator==(const Toleration&) const = default;
};

struct TopologySpreadConstraint {
  enum class WhenUnsatisfiable : std::uint8_t { kDoNotSchedule, kScheduleAnyway };
  enum class NodePolicy : std::uint8_t { kIgnore, kHonor };

  std::int32_t max_skew = 1;
  std::string topology_key;
  WhenUnsatisfiable when_unsatisfiable = WhenUnsatisfiable::kDoNotSchedule;
  std::optional<LabelSelector> label_selector;  // absent: selects no pod
  std::optional<std::int32_t> min_domains;
  NodePolicy node_affinity_policy = NodePolicy::kHonor;
  NodePolicy node_taints_policy = NodePolicy::kIgnore;
  // Labels whose values are taken from the pod itself; they narrow label_selector.
  std::vector<std::string> match_label_keys;
  bool operator==(const TopologySpreadConstraint&) const = default;
};

}  // namespace basalt::kube
