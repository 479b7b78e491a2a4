// Deployment, ReplicaSet, StatefulSet, DaemonSet.
#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/pod_spec_checks.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"

namespace basalt::apiserver {
namespace {

const json::object& SpecOf(const json::object& object) { return ObjectOf(object, "spec"); }
const json::object& TemplateOf(const json::object& object) {
  return ObjectOf(SpecOf(object), "template");
}

json::object& DefaultTemplate(json::object& object) {
  json::object& spec = Child(object, "spec");
  DefaultPodSpec(Child(Child(spec, "template"), "spec"));
  return spec;
}

void CheckSelector(const json::object& spec, FieldErrors& errors, bool required = true) {
  const json::object* selector = FindObject(spec, {"selector"});
  if (selector != nullptr) {
    ValidateLabelSelector(*selector, "spec.selector", errors);
  } else if (required) {
    errors.Required("spec.selector");
  }
}

bool HasKnownOperators(const json::object& selector) {
  for (const json::value& item : ListOf(selector, "matchExpressions")) {
    const std::string_view op = GetString(AsObject(item), {"operator"});
    if (op != "In" && op != "NotIn" && op != "Exists" && op != "DoesNotExist") return false;
  }
  return true;
}

// The template: its labels must be what the selector selects, its pods must run for ever.
void CheckTemplate(const json::object& spec, std::string_view owner, FieldErrors& errors) {
  const json::object& pod_template = ObjectOf(spec, "template");
  const json::object* selector = FindObject(spec, {"selector"});
  if (selector != nullptr && !HasKnownOperators(*selector)) {
    errors.Invalid("spec.selector", *selector, "invalid label selector");
    return;
  }
  const json::value* labels = Find(pod_template, {"metadata", "labels"});
  if (!SelectorMatches(selector, labels ? labels->if_object() : nullptr)) {
    errors.Invalid("spec.template.metadata.labels", labels ? *labels : json::value(),
                   "`selector` does not match template `labels`");
  }
  ValidatePodTemplate(pod_template, "spec.template", errors);
  const json::object& pod_spec = ObjectOf(pod_template, "spec");
  const std::string_view policy = GetString(pod_spec, {"restartPolicy"});
  if (policy != "Always") {
    errors.NotSupported("spec.template.spec.restartPolicy", policy, {"Always"});
  }
  if (Find(pod_spec, {"activeDeadlineSeconds"}) != nullptr) {
    errors.Forbidden("spec.template.spec.activeDeadlineSeconds",
                     fmt::format("activeDeadlineSeconds in {} is not Supported", owner));
  }
}

json::array WithContainers(json::array cells, const json::object& object) {
  const json::object& pod_spec = ObjectOf(TemplateOf(object), "spec");
  cells.emplace_back(ContainerNames(pod_spec));
  cells.emplace_back(ContainerImages(pod_spec));
  return cells;
}

class DeploymentRules final : public BuiltinRules {
 public:
  DeploymentRules()
      : BuiltinRules(*FindBuiltinType("apps.Deployment"),
                     {.generation = true, .checks_all_on_update = false}) {}

  void Default(json::object& object) const override {
    json::object& spec = DefaultTemplate(object);
    SetDefault(spec, "replicas", 1);
    SetDefault(spec, "revisionHistoryLimit", 10);
    SetDefault(spec, "progressDeadlineSeconds", 600);
    json::object& strategy = Child(spec, "strategy");
    SetDefault(strategy, "type", "RollingUpdate");
    if (GetString(strategy, {"type"}) == "RollingUpdate") {
      json::object& rolling = Child(strategy, "rollingUpdate");
      SetDefault(rolling, "maxUnavailable", "25%");
      SetDefault(rolling, "maxSurge", "25%");
    }
  }

  // Annotations count as desired state here.
  void PrepareForUpdate(json::object& object, const json::object& old, Time now) const override {
    BuiltinRules::PrepareForUpdate(object, old, now);
    const std::int64_t generation = GetInt(old, {"metadata", "generation"});
    if (ObjectOf(ObjectOf(object, "metadata"), "annotations") !=
        ObjectOf(ObjectOf(old, "metadata"), "annotations")) {
      Metadata(object)["generation"] = generation + 1;
    }
  }

  void PrepareForStatusUpdate(json::object& object, const json::object& old) const override {
    BuiltinRules::PrepareForStatusUpdate(object, old);
    if (const json::value* labels = Find(old, {"metadata", "labels"})) {
      Metadata(object)["labels"] = *labels;
    } else {
      Metadata(object).erase("labels");
    }
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = SpecOf(object);
    RequireNonNegative(spec, "replicas", "spec", errors);
    CheckSelector(spec, errors);
    CheckTemplate(spec, "ReplicaSet", errors);
    CheckStrategy(ObjectOf(spec, "strategy"), errors);
    RequireNonNegative(spec, "minReadySeconds", "spec", errors);
    RequireNonNegative(spec, "revisionHistoryLimit", "spec", errors);
    RequireNonNegative(spec, "progressDeadlineSeconds", "spec", errors);
    const std::int64_t deadline = GetInt(spec, {"progressDeadlineSeconds"});
    if (deadline <= GetInt(spec, {"minReadySeconds"})) {
      errors.Invalid("spec.progressDeadlineSeconds", deadline,
                     "must be greater than minReadySeconds");
    }
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    CheckCreate(object, errors);
    RequireUnchanged(SpecOf(object), SpecOf(old), "selector", "spec.selector", errors);
  }

  json::array Cells(const json::object& object, Time now) const override {
    json::array cells{json::string(Name(object)),
                      json::string(fmt::format("{}/{}", GetInt(object, {"status", "readyReplicas"}),
                                               GetInt(object, {"spec", "replicas"}))),
                      GetInt(object, {"status", "updatedReplicas"}),
                      GetInt(object, {"status", "availableReplicas"}),
                      json::string(Age(object, now))};
    cells = WithContainers(std::move(cells), object);
    cells.emplace_back(SelectorText(FindObject(object, {"spec", "selector"})));
    return cells;
  }

 private:
  static void CheckStrategy(const json::object& strategy, FieldErrors& errors) {
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
    if (rolling == nullptr) {
      errors.Required("spec.strategy.rollingUpdate", "this should be defaulted and never be nil");
      return;
    }
    const json::value& unavailable = rolling->at("maxUnavailable");
    const json::value& surge = rolling->at("maxSurge");
    const std::string path = "spec.strategy.rollingUpdate";
    ValidateIntOrPercent(unavailable, Sub(path, "maxUnavailable"), errors);
    ValidateIntOrPercent(surge, Sub(path, "maxSurge"), errors);
    const auto is_zero = [](const json::value& value) {
      return value.is_int64() ? value.get_int64() == 0 : PercentOf(value) == 0;
    };
    if (is_zero(unavailable) && is_zero(surge)) {
      errors.Invalid(Sub(path, "maxUnavailable"), unavailable, "may not be 0 when `maxSurge` is 0");
    }
    ValidateAtMostHundredPercent(unavailable, Sub(path, "maxUnavailable"), errors);
  }
};

class ReplicaSetRules final : public BuiltinRules {
 public:
  ReplicaSetRules()
      : BuiltinRules(*FindBuiltinType("apps.ReplicaSet"),
                     {.generation = true, .checks_all_on_update = false}) {}

  void Default(json::object& object) const override {
    SetDefault(DefaultTemplate(object), "replicas", 1);
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = SpecOf(object);
    RequireNonNegative(spec, "replicas", "spec", errors);
    RequireNonNegative(spec, "minReadySeconds", "spec", errors);
    CheckSelector(spec, errors);
    CheckTemplate(spec, "ReplicaSet", errors);
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    CheckCreate(object, errors);
    RequireUnchanged(SpecOf(object), SpecOf(old), "selector", "spec.selector", errors);
  }

  void CheckStatusUpdate(const json::object& object, const json::object& /*old*/,
                         FieldErrors& errors) const override {
    const json::object& status = ObjectOf(object, "status");
    for (const std::string_view field : {"replicas", "fullyLabeledReplicas", "readyReplicas",
                                         "availableReplicas", "observedGeneration"}) {
      RequireNonNegative(status, field, "status", errors);
    }
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

  json::array Cells(const json::object& object, Time now) const override {
    json::array cells{json::string(Name(object)), GetInt(object, {"spec", "replicas"}),
                      GetInt(object, {"status", "replicas"}),
                      GetInt(object, {"status", "readyReplicas"}), json::string(Age(object, now))};
    cells = WithContainers(std::move(cells), object);
    cells.emplace_back(SelectorText(FindObject(object, {"spec", "selector"})));
    return cells;
  }

  bool FieldValue(const json::object& object, std::string_view field,
                  std::string& value) const override {
    if (field != "status.replicas") return false;
    value = std::to_string(GetInt(object, {"status", "replicas"}));
    return true;
  }
};

syntax::Complaints StatefulSetName(std::string_view name, bool prefix) {
  if (name.find('.') != name.npos && syntax::NameIsDnsSubdomain(name, prefix).empty()) {
    return {"must not contain dots"};
  }
  return syntax::NameIsDnsLabel(name, prefix);
}

class StatefulSetRules final : public BuiltinRules {
 public:
  StatefulSetRules()
      : BuiltinRules(
            *FindBuiltinType("apps.StatefulSet"),
            {.generation = true, .name_check = StatefulSetName, .checks_all_on_update = false}) {}

  void Default(json::object& object) const override {
    json::object& spec = DefaultTemplate(object);
    SetDefault(spec, "podManagementPolicy", "OrderedReady");
    SetDefault(spec, "replicas", 1);
    SetDefault(spec, "revisionHistoryLimit", 10);
    json::object& strategy = Child(spec, "updateStrategy");
    SetDefault(strategy, "type", "RollingUpdate");
    if (GetString(strategy, {"type"}) == "RollingUpdate") {
      SetDefault(Child(strategy, "rollingUpdate"), "partition", 0);
    }
    json::object& retention = Child(spec, "persistentVolumeClaimRetentionPolicy");
    SetDefault(retention, "whenDeleted", "Retain");
    SetDefault(retention, "whenScaled", "Retain");
    if (json::array* claims = FindArray(spec, {"volumeClaimTemplates"})) {
      for (json::value& item : *claims) {
        json::object& claim = AsObject(item);
        claim["apiVersion"] = "v1";
        claim["kind"] = "PersistentVolumeClaim";
        DefaultClaimSpec(Child(claim, "spec"));
        SetDefault(Child(claim, "status"), "phase", "Pending");
      }
    }
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = SpecOf(object);
    const std::string_view policy = GetString(spec, {"podManagementPolicy"});
    if (policy != "OrderedReady" && policy != "Parallel") {
      errors.Invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'");
    }
    const json::object& strategy = ObjectOf(spec, "updateStrategy");
    const std::string_view type = GetString(strategy, {"type"});
    if (type == "OnDelete") {
      if (FindObject(strategy, {"rollingUpdate"}) != nullptr) {
        errors.Invalid("spec.updateStrategy.rollingUpdate", strategy.at("rollingUpdate"),
                       "only allowed for updateStrategy 'RollingUpdate'");
      }
    } else if (type == "RollingUpdate") {
      RequireNonNegative(ObjectOf(strategy, "rollingUpdate"), "partition",
                         "spec.updateStrategy.rollingUpdate", errors);
    } else {
      errors.Invalid("spec.updateStrategy", strategy, "must be 'RollingUpdate' or 'OnDelete'");
    }
    const json::object& retention = ObjectOf(spec, "persistentVolumeClaimRetentionPolicy");
    for (const std::string_view field : {"whenDeleted", "whenScaled"}) {
      RequireOneOf(retention, field, "spec.persistentVolumeClaimRetentionPolicy",
                   {"Retain", "Delete"}, errors);
    }
    RequireNonNegative(spec, "replicas", "spec", errors);
    RequireNonNegative(spec, "minReadySeconds", "spec", errors);
    CheckSelector(spec, errors);
    CheckTemplate(spec, "StatefulSet", errors);
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    CheckCreate(object, errors);
    json::object rest = SpecOf(object);
    json::object old_rest = SpecOf(old);
    for (const std::string_view field :
         {"replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit",
          "persistentVolumeClaimRetentionPolicy", "minReadySeconds"}) {
      rest.erase(field);
      old_rest.erase(field);
    }
    if (rest != old_rest) {
      errors.Forbidden("spec",
                       "updates to statefulset spec for fields other than 'replicas', 'ordinals', "
                       "'template', 'updateStrategy', 'revisionHistoryLimit', "
                       "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are "
                       "forbidden");
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    return WithContainers(
        {json::string(Name(object)),
         json::string(fmt::format("{}/{}", GetInt(object, {"status", "readyReplicas"}),
                                  GetInt(object, {"spec", "replicas"}))),
         json::string(Age(object, now))},
        object);
  }
};

class DaemonSetRules final : public BuiltinRules {
 public:
  DaemonSetRules()
      : BuiltinRules(*FindBuiltinType("apps.DaemonSet"),
                     {.generation = true, .checks_all_on_update = false}) {}

  void Default(json::object& object) const override {
    json::object& spec = DefaultTemplate(object);
    SetDefault(spec, "revisionHistoryLimit", 10);
    json::object& strategy = Child(spec, "updateStrategy");
    SetDefault(strategy, "type", "RollingUpdate");
    if (GetString(strategy, {"type"}) == "RollingUpdate") {
      json::object& rolling = Child(strategy, "rollingUpdate");
      SetDefault(rolling, "maxUnavailable", 1);
      SetDefault(rolling, "maxSurge", 0);
    }
  }

  void PrepareForCreate(json::object& object, Time now) const override {
    BuiltinRules::PrepareForCreate(object, now);
    SetTemplateGeneration(object, 1);
  }

  void PrepareForUpdate(json::object& object, const json::object& old, Time now) const override {
    BuiltinRules::PrepareForUpdate(object, old, now);
    const std::string_view text = GetString(old, {"metadata", "annotations", kTemplateGeneration});
    const std::int64_t generation = text.empty() ? 0 : std::stoll(std::string(text));
    SetTemplateGeneration(object, generation + (TemplateOf(object) != TemplateOf(old) ? 1 : 0));
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = SpecOf(object);
    CheckSelector(spec, errors, /*required=*/false);
    CheckTemplate(spec, "DaemonSet", errors);
    RequireNonNegative(spec, "minReadySeconds", "spec", errors);
    CheckStrategy(ObjectOf(spec, "updateStrategy"), errors);
    RequireNonNegative(spec, "revisionHistoryLimit", "spec", errors);
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    CheckCreate(object, errors);
    RequireUnchanged(SpecOf(object), SpecOf(old), "selector", "spec.selector", errors);
  }

  json::array Cells(const json::object& object, Time now) const override {
    json::array cells{
        json::string(Name(object)),
        GetInt(object, {"status", "desiredNumberScheduled"}),
        GetInt(object, {"status", "currentNumberScheduled"}),
        GetInt(object, {"status", "numberReady"}),
        GetInt(object, {"status", "updatedNumberScheduled"}),
        GetInt(object, {"status", "numberAvailable"}),
        json::string(LabelsText(FindObject(object, {"spec", "template", "spec", "nodeSelector"}))),
        json::string(Age(object, now))};
    cells = WithContainers(std::move(cells), object);
    cells.emplace_back(SelectorText(FindObject(object, {"spec", "selector"})));
    return cells;
  }

 private:
  static constexpr std::string_view kTemplateGeneration =
      "deprecated.daemonset.template.generation";

  static void SetTemplateGeneration(json::object& object, std::int64_t generation) {
    Child(Metadata(object), "annotations")[kTemplateGeneration] = std::to_string(generation);
  }

  static void CheckStrategy(const json::object& strategy, FieldErrors& errors) {
    const std::string_view type = GetString(strategy, {"type"});
    if (type == "OnDelete") return;
    if (type != "RollingUpdate") {
      errors.NotSupported("spec.updateStrategy", strategy, {"RollingUpdate", "OnDelete"});
      return;
    }
    const json::object& rolling = ObjectOf(strategy, "rollingUpdate");
    const std::string path = "spec.updateStrategy.rollingUpdate";
    const json::value& unavailable = rolling.at("maxUnavailable");
    const json::value& surge = rolling.at("maxSurge");
    ValidateIntOrPercent(unavailable, Sub(path, "maxUnavailable"), errors);
    ValidateAtMostHundredPercent(unavailable, Sub(path, "maxUnavailable"), errors);
    ValidateIntOrPercent(surge, Sub(path, "maxSurge"), errors);
    ValidateAtMostHundredPercent(surge, Sub(path, "maxSurge"), errors);
    const auto is_zero = [](const json::value& value) {
      return value.is_int64() ? value.get_int64() == 0 : PercentOf(value) == 0;
    };
    if (!is_zero(unavailable) && !is_zero(surge)) {
      errors.Invalid(Sub(path, "maxSurge"), surge,
                     "may not be set when maxUnavailable is non-zero");
    } else if (is_zero(unavailable) && is_zero(surge)) {
      errors.Required(Sub(path, "maxUnavailable"), "cannot be 0 when maxSurge is 0");
    }
  }
};

}  // namespace

std::shared_ptr<const KindRules> DeploymentRulesInstance() {
  return std::make_shared<DeploymentRules>();
}
std::shared_ptr<const KindRules> ReplicaSetRulesInstance() {
  return std::make_shared<ReplicaSetRules>();
}
std::shared_ptr<const KindRules> StatefulSetRulesInstance() {
  return std::make_shared<StatefulSetRules>();
}
std::shared_ptr<const KindRules> DaemonSetRulesInstance() {
  return std::make_shared<DaemonSetRules>();
}

}  // namespace basalt::apiserver
