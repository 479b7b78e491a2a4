// Deployment, ReplicaSet, StatefulSet, DaemonSet, ReplicationController.
#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

const json::object& SpecOf(const json::object& object) { return ObjectOf(object, "spec"); }
const json::object& TemplateOf(const json::object& object) {
  return ObjectOf(SpecOf(object), "template");
}

bool HasKnownOperators(const json::object& selector) {
  for (const json::value& item : ListOf(selector, "matchExpressions")) {
    const std::string_view op = GetString(AsObject(item), {"operator"});
    if (op != "In" && op != "NotIn" && op != "Exists" && op != "DoesNotExist") return false;
  }
  return true;
}

// The template: its labels must be what the selector selects, its pods must run for ever.
void CheckTemplate(const json::object& object, FieldErrors& errors) {
  const json::object& pod_template = TemplateOf(object);
  const json::object* selector = FindObject(SpecOf(object), {"selector"});
  if (selector != nullptr && !HasKnownOperators(*selector)) {
    errors.Invalid("spec.selector", *selector, "invalid label selector");
    return;
  }
  CheckSelected(SpecOf(object), errors);
  const json::object& pod_spec = ObjectOf(pod_template, "spec");
  const std::string_view policy = GetString(pod_spec, {"restartPolicy"});
  if (policy != "Always") {
    errors.NotSupported("spec.template.spec.restartPolicy", policy, {"Always"});
  }
  if (Find(pod_spec, {"activeDeadlineSeconds"}) != nullptr) {
    errors.Forbidden("spec.template.spec.activeDeadlineSeconds",
                     "the pods of a workload run for ever: only a Job has a deadline");
  }
}

bool IsZero(const json::value& value) {
  return value.is_int64() ? value.get_int64() == 0 : PercentOf(value) == 0;
}

// Deployments

// Annotations count as desired state here.
void PrepareDeploymentUpdate(json::object& object, const json::object& old) {
  const std::int64_t generation = GetInt(old, {"metadata", "generation"});
  if (ObjectOf(ObjectOf(object, "metadata"), "annotations") !=
      ObjectOf(ObjectOf(old, "metadata"), "annotations")) {
    Metadata(object)["generation"] = generation + 1;
  }
}

void PrepareDeploymentStatus(json::object& object, const json::object& old) {
  Restore(Metadata(object), ObjectOf(old, "metadata"), "labels");
}

void CheckDeploymentStrategy(const json::object& strategy, FieldErrors& errors) {
  const std::string_view type = GetString(strategy, {"type"});
  const json::object* rolling = FindObject(strategy, {"rollingUpdate"});
  if (type == "Recreate") {
    if (rolling != nullptr) {
      errors.Forbidden("spec.strategy.rollingUpdate",
                       "may not be specified when strategy `type` is 'Recreate'");
    }
    return;
  }
  if (type != "RollingUpdate") {
    errors.NotSupported("spec.strategy", strategy, {"Recreate", "RollingUpdate"});
    return;
  }
  if (rolling == nullptr) return;
  const json::value& unavailable = rolling->at("maxUnavailable");
  if (IsZero(unavailable) && IsZero(rolling->at("maxSurge"))) {
    errors.Invalid("spec.strategy.rollingUpdate.maxUnavailable", unavailable,
                   "may not be 0 when `maxSurge` is 0");
  }
}

void CheckDeployment(const json::object& object, FieldErrors& errors) {
  const json::object& spec = SpecOf(object);
  CheckTemplate(object, errors);
  CheckDeploymentStrategy(ObjectOf(spec, "strategy"), errors);
  const std::int64_t deadline = GetInt(spec, {"progressDeadlineSeconds"});
  if (deadline <= GetInt(spec, {"minReadySeconds"})) {
    errors.Invalid("spec.progressDeadlineSeconds", deadline,
                   "must be greater than minReadySeconds");
  }
}

// Replica sets

void CheckReplicaSetStatus(const json::object& object, const json::object& /*old*/,
                           FieldErrors& errors) {
  const json::object& status = ObjectOf(object, "status");
  const std::int64_t replicas = GetInt(status, {"replicas"});
  for (const std::string_view field :
       {"fullyLabeledReplicas", "readyReplicas", "availableReplicas"}) {
    const std::int64_t count = GetInt(status, {field});
    if (count > replicas) {
      errors.Invalid(Sub("status", field), count, "cannot be greater than status.replicas");
    }
  }
  const std::int64_t available = GetInt(status, {"availableReplicas"});
  if (available > GetInt(status, {"readyReplicas"})) {
    errors.Invalid("status.availableReplicas", available, "cannot be greater than readyReplicas");
  }
}

// Stateful sets

void CheckStatefulSet(const json::object& object, FieldErrors& errors) {
  const json::object& spec = SpecOf(object);
  const std::string_view policy = GetString(spec, {"podManagementPolicy"});
  if (policy != "OrderedReady" && policy != "Parallel") {
    errors.Invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'");
  }
  const json::object& strategy = ObjectOf(spec, "updateStrategy");
  const std::string_view type = GetString(strategy, {"type"});
  const json::value* rolling = Find(strategy, {"rollingUpdate"});
  if (type == "OnDelete" && rolling != nullptr) {
    errors.Invalid("spec.updateStrategy.rollingUpdate", *rolling,
                   "only allowed for updateStrategy 'RollingUpdate'");
  } else if (type != "OnDelete" && type != "RollingUpdate") {
    errors.Invalid("spec.updateStrategy", strategy, "must be 'RollingUpdate' or 'OnDelete'");
  }
  CheckTemplate(object, errors);
}

void CheckStatefulSetUpdate(const json::object& object, const json::object& old,
                            FieldErrors& errors) {
  json::object rest = SpecOf(object);
  for (const std::string_view field :
       {"replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit",
        "persistentVolumeClaimRetentionPolicy", "minReadySeconds"}) {
    Restore(rest, SpecOf(old), field);
  }
  if (rest != SpecOf(old)) {
    errors.Forbidden("spec",
                     "updates to statefulset spec for fields other than 'replicas', 'ordinals', "
                     "'template', 'updateStrategy', 'revisionHistoryLimit', "
                     "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
  }
}

// Daemon sets

constexpr std::string_view kTemplateGeneration = "deprecated.daemonset.template.generation";

void SetTemplateGeneration(json::object& object, std::int64_t generation) {
  Child(Metadata(object), "annotations")[kTemplateGeneration] = std::to_string(generation);
}

void PrepareDaemonSet(json::object& object, Time /*now*/) { SetTemplateGeneration(object, 1); }

void PrepareDaemonSetUpdate(json::object& object, const json::object& old) {
  const std::string_view text = GetString(old, {"metadata", "annotations", kTemplateGeneration});
  const std::int64_t generation = text.empty() ? 0 : std::stoll(std::string(text));
  SetTemplateGeneration(object, generation + (TemplateOf(object) != TemplateOf(old) ? 1 : 0));
}

void CheckDaemonSet(const json::object& object, FieldErrors& errors) {
  CheckTemplate(object, errors);
  const json::object& strategy = ObjectOf(SpecOf(object), "updateStrategy");
  const std::string_view type = GetString(strategy, {"type"});
  if (type == "OnDelete") return;
  if (type != "RollingUpdate") {
    errors.NotSupported("spec.updateStrategy", strategy, {"RollingUpdate", "OnDelete"});
    return;
  }
  const json::object& rolling = ObjectOf(strategy, "rollingUpdate");
  const std::string path = "spec.updateStrategy.rollingUpdate";
  const bool unavailable = !IsZero(rolling.at("maxUnavailable"));
  const bool surge = !IsZero(rolling.at("maxSurge"));
  if (unavailable && surge) {
    errors.Invalid(Sub(path, "maxSurge"), rolling.at("maxSurge"),
                   "may not be set when maxUnavailable is non-zero");
  } else if (!unavailable && !surge) {
    errors.Required(Sub(path, "maxUnavailable"), "cannot be 0 when maxSurge is 0");
  }
}

// Replication controllers select what their template is labelled with.
void FillController(json::object& object) {
  json::object& spec = Child(object, "spec");
  const json::object* labels = FindObject(spec, {"template", "metadata", "labels"});
  if (labels == nullptr) return;
  SetDefault(spec, "selector", *labels);
  SetDefault(Metadata(object), "labels", *labels);
}

}  // namespace

std::span<const KindHooks> WorkloadKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "apps.Deployment",
       .prepare_update = PrepareDeploymentUpdate,
       .prepare_status = PrepareDeploymentStatus,
       .check = CheckDeployment},
      {.type = "apps.ReplicaSet", .check = CheckTemplate, .check_status = CheckReplicaSetStatus},
      {.type = "apps.StatefulSet",
       .check = CheckStatefulSet,
       .check_update = CheckStatefulSetUpdate},
      {.type = "apps.DaemonSet",
       .prepare_create = PrepareDaemonSet,
       .prepare_update = PrepareDaemonSetUpdate,
       .check = CheckDaemonSet},
      {.type = "core.ReplicationController", .fill = FillController},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
