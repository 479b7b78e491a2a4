#include "kube/types/pod_codec.h"

namespace basalt::kube::json {

namespace {
constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";
}  // namespace

bool ReadField(Reader& reader, std::string_view key, Value& value, PreferredNodeTerm& out) {
  if (key == "weight") return Read(reader, value, out.weight);
  if (key == "preference") return Read(reader, value, out.preference);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, NodeAffinity& out) {
  if (key == kRequired) return Read(reader, value, out.required);
  if (key == kPreferred) return Read(reader, value, out.preferred);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, PodAffinityTerm& out) {
  if (key == "labelSelector") return Read(reader, value, out.label_selector);
  if (key == "namespaces") return Read(reader, value, out.namespaces);
  if (key == "namespaceSelector") return Read(reader, value, out.namespace_selector);
  if (key == "topologyKey") return Read(reader, value, out.topology_key);
  if (key == "matchLabelKeys") return Read(reader, value, out.match_label_keys);
  if (key == "mismatchLabelKeys") return Read(reader, value, out.mismatch_label_keys);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, WeightedPodAffinityTerm& out) {
  if (key == "weight") return Read(reader, value, out.weight);
  if (key == "podAffinityTerm") return Read(reader, value, out.term);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, PodAffinity& out) {
  if (key == kRequired) return Read(reader, value, out.required);
  if (key == kPreferred) return Read(reader, value, out.preferred);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Affinity& out) {
  if (key == "nodeAffinity") return Read(reader, value, out.node);
  if (key == "podAffinity") return Read(reader, value, out.pod);
  if (key == "podAntiAffinity") return Read(reader, value, out.pod_anti);
  return true;
}

bool Read(Reader& reader, Value& value, TaintEffect& out) {
  return ReadEnum(reader, value, out,
                  {{"", TaintEffect::kNone},
                   {"NoSchedule", TaintEffect::kNoSchedule},
                   {"PreferNoSchedule", TaintEffect::kPreferNoSchedule},
                   {"NoExecute", TaintEffect::kNoExecute}},
                  TaintEffect::kUnrecognised);
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Taint& out) {
  if (key == "key") return Read(reader, value, out.key);
  if (key == "value") return Read(reader, value, out.value);
  if (key == "effect") return Read(reader, value, out.effect);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Toleration& out) {
  using Operator = Toleration::Operator;
  if (key == "key") return Read(reader, value, out.key);
  if (key == "value") return Read(reader, value, out.value);
  if (key == "effect") return Read(reader, value, out.effect);
  if (key == "tolerationSeconds") return Read(reader, value, out.toleration_seconds);
  if (key == "operator") {
    return ReadEnum(reader, value, out.op,
                    {{"", Operator::kEqual},
                     {"Equal", Operator::kEqual},
                     {"Exists", Operator::kExists},
                     {"Lt", Operator::kLt},
                     {"Gt", Operator::kGt}},
                    Operator::kUnrecognised);
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, TopologySpreadConstraint& out) {
  using When = TopologySpreadConstraint::WhenUnsatisfiable;
  using Policy = TopologySpreadConstraint::NodePolicy;
  if (key == "maxSkew") return Read(reader, value, out.max_skew);
  if (key == "topologyKey") return Read(reader, value, out.topology_key);
  if (key == "whenUnsatisfiable") {
    return ReadEnum(reader, value, out.when_unsatisfiable,
                    {{"ScheduleAnyway", When::kScheduleAnyway}}, When::kDoNotSchedule);
  }
  if (key == "labelSelector") return Read(reader, value, out.label_selector);
  if (key == "minDomains") return Read(reader, value, out.min_domains);
  if (key == "nodeAffinityPolicy") {
    return ReadEnum(reader, value, out.node_affinity_policy, {{"Ignore", Policy::kIgnore}},
                    Policy::kHonor);
  }
  if (key == "nodeTaintsPolicy") {
    return ReadEnum(reader, value, out.node_taints_policy, {{"Honor", Policy::kHonor}},
                    Policy::kIgnore);
  }
  if (key == "matchLabelKeys") return Read(reader, value, out.match_label_keys);
  return true;
}

}  // namespace basalt::kube::json
