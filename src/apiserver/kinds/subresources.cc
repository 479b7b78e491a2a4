#include "apiserver/kinds/subresources.h"

#include <fmt/format.h>

#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

void MergeStrings(json::object& metadata, std::string_view field, const json::object& from) {
  const json::object& added = ObjectOf(ObjectOf(from, "metadata"), field);
  if (added.empty()) return;
  json::object& target = Child(metadata, field);
  for (const auto& [key, value] : added) target[key] = value;
}

ApiStatus TooManyDisruptions(std::string message) {
  ApiStatus status = refusal::TooManyRequests(
      "Cannot evict pod as it would violate the pod's disruption budget.", 0);
  status.details->causes.push_back(
      {.reason = "DisruptionBudget", .message = std::move(message), .field = ""});
  return status;
}

// Labels alone, as the oldest kinds have them.
bool HasPlainSelector(const KindInfo& kind) {
  const TypeSchema::Field* spec = kind.schema == nullptr ? nullptr : kind.schema->FindField("spec");
  const TypeSchema::Field* selector = spec == nullptr ? nullptr : spec->type->FindField("selector");
  return selector != nullptr && selector->type->kind == TypeSchema::Kind::kMap;
}

}  // namespace

ApiResult<void> ApplyBinding(const json::object& binding, json::object& pod, Time now) {
  const std::string_view kind = GetString(binding, {"target", "kind"});
  const std::string node(GetString(binding, {"target", "name"}));
  if (node.empty() || (!kind.empty() && kind != "Node")) {
    return Refuse(refusal::Plain("target: must be a Node and have a name"));
  }
  const std::string name(Name(pod));
  const std::string_view uid = GetString(binding, {"metadata", "uid"});
  const std::string_view bound = GetString(pod, {"spec", "nodeName"});
  // A binding that names a uid is for that pod alone, not for another one of its name.
  const bool another = !uid.empty() && uid != Uid(pod);
  std::string why;
  if (another) {
    why = fmt::format("the binding is for uid {}, that of the pod is {}", uid, Uid(pod));
  } else if (IsBeingDeleted(pod)) {
    why = fmt::format("pod {} is being deleted, cannot be assigned to a host", name);
  } else if (!bound.empty()) {
    why = fmt::format("pod {} is already assigned to node \"{}\"", name, bound);
  } else if (!ListAt(pod, {"spec", "schedulingGates"}).empty()) {
    why = fmt::format("pod {} has non-empty .spec.schedulingGates", name);
  }
  if (!why.empty()) {
    return Refuse(refusal::Conflict({.plural = another ? "pods" : "pods/binding"}, name, why));
  }
  Child(pod, "spec")["nodeName"] = node;
  // What the scheduler promised before has been decided now.
  if (json::object* status = FindObject(pod, {"status"})) status->erase("nominatedNodeName");
  MergeStrings(Metadata(pod), "annotations", binding);
  MergeStrings(Metadata(pod), "labels", binding);
  SetCondition(Child(pod, "status"), {{"type", "PodScheduled"},
                                      {"status", "True"},
                                      {"lastProbeTime", nullptr},
                                      {"lastTransitionTime", FormatTime(now)}});
  return {};
}

ApiResult<std::optional<json::object>> DecideEviction(const json::object& pod,
                                                      const std::vector<json::object>& budgets,
                                                      Time now) {
  constexpr std::size_t kMostDisruptedPods = 2000;
  // Evicting a pod that has ended, has not started, or is going disturbs nothing.
  const std::string_view phase = GetString(pod, {"status", "phase"});
  if (phase == "Succeeded" || phase == "Failed" || phase == "Pending" || IsBeingDeleted(pod)) {
    return std::nullopt;
  }
  const json::object* labels = FindObject(pod, {"metadata", "labels"});
  const json::object* guard = nullptr;
  for (const json::object& budget : budgets) {
    const json::object* selector = FindObject(budget, {"spec", "selector"});
    if (selector == nullptr || !SelectorMatches(selector, labels)) continue;
    if (guard != nullptr) {
      return Refuse(
          refusal::Plain("This pod has more than one PodDisruptionBudget: none can be kept."));
    }
    guard = &budget;
  }
  if (guard == nullptr) return std::nullopt;

  const json::object& status = ObjectOf(*guard, "status");
  const std::int64_t healthy = GetInt(status, {"currentHealthy"});
  const std::int64_t desired = GetInt(status, {"desiredHealthy"});
  if (!HasCondition(pod, "Ready")) {
    const std::string_view policy = GetString(*guard, {"spec", "unhealthyPodEvictionPolicy"});
    if (policy == "AlwaysAllow" || (healthy >= desired && desired > 0)) return std::nullopt;
  }
  if (GetInt(status, {"observedGeneration"}) < GetInt(*guard, {"metadata", "generation"})) {
    ApiStatus refused = TooManyDisruptions(fmt::format(
        "The disruption budget {} is still being processed by the server.", Name(*guard)));
    refused.details->retry_after_seconds = 10;
    return Refuse(std::move(refused));
  }
  const std::int64_t allowed = GetInt(status, {"disruptionsAllowed"});
  const bool too_many = ObjectOf(status, "disruptedPods").size() > kMostDisruptedPods;
  if (allowed < 0 || too_many) {
    return Refuse(refusal::Forbidden({.plural = "poddisruptionbudgets"}, Name(*guard),
                                     too_many ? "too many evictions are not confirmed yet"
                                              : "pdb disruptions allowed is negative"));
  }
  if (allowed == 0) {
    return Refuse(TooManyDisruptions(
        fmt::format("The disruption budget {} needs {} healthy pods and has {} currently",
                    Name(*guard), desired, healthy)));
  }
  json::object updated = *guard;
  json::object& new_status = Child(updated, "status");
  new_status["disruptionsAllowed"] = allowed - 1;
  Child(new_status, "disruptedPods")[Name(pod)] = FormatTime(now);
  return updated;
}

json::object MakeScale(const json::object& object, json::object spec, json::object status) {
  json::object metadata;
  for (const std::string_view field :
       {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (const json::value* value = Find(object, {"metadata", field})) metadata[field] = *value;
  }
  return {{"kind", "Scale"},
          {"apiVersion", "autoscaling/v1"},
          {"metadata", std::move(metadata)},
          {"spec", std::move(spec)},
          {"status", std::move(status)}};
}

json::object ScaleOf(const KindInfo& kind, const json::object& object) {
  json::object spec;
  if (const std::int64_t replicas = GetInt(object, {"spec", "replicas"}); replicas != 0) {
    spec["replicas"] = replicas;
  }
  json::object status{{"replicas", GetInt(object, {"status", "replicas"})}};
  const json::object* selects = FindObject(object, {"spec", "selector"});
  const std::string selector = HasPlainSelector(kind) ? LabelsText(selects) : SelectorText(selects);
  if (selector != "<none>") status["selector"] = selector;
  return MakeScale(object, std::move(spec), std::move(status));
}

ApiResult<std::int64_t> ReplicasOf(const json::object& scale) {
  const std::int64_t replicas = GetInt(scale, {"spec", "replicas"});
  if (replicas >= 0) return replicas;
  FieldErrors errors;
  errors.Invalid("spec.replicas", replicas, "must be greater than or equal to 0");
  return Refuse(refusal::Invalid({.group = "autoscaling", .kind = "Scale"}, Name(scale), errors));
}

}  // namespace basalt::apiserver
