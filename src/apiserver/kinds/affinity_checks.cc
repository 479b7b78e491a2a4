#include "apiserver/kinds/affinity_checks.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <map>
#include <set>
#include <utility>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void ValidateNodeExpression(const json::object& expression, const std::string& path,
                            FieldErrors& errors) {
  const std::string_view op = GetString(expression, {"operator"});
  const json::array& values = ListOf(expression, "values");
  if (op == "In" || op == "NotIn") {
    if (values.empty()) {
      errors.Required(Sub(path, "values"), "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!values.empty()) {
      errors.Forbidden(Sub(path, "values"),
                       "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else if (op == "Gt" || op == "Lt") {
    if (values.size() != 1) {
      errors.Required(Sub(path, "values"),
                      "must be specified single value when `operator` is 'Lt' or 'Gt'");
    }
  } else {
    errors.Invalid(Sub(path, "operator"), op, "not a valid selector operator");
  }
  const std::string_view key = GetString(expression, {"key"});
  AddInvalid(Sub(path, "key"), key, syntax::LabelKey(key), errors);
}

void ValidateNodeField(const json::object& expression, const std::string& path,
                       FieldErrors& errors) {
  const std::string_view op = GetString(expression, {"operator"});
  const json::array& values = ListOf(expression, "values");
  if (op != "In" && op != "NotIn") {
    errors.Invalid(Sub(path, "operator"), op, "not a valid selector operator");
  } else if (values.size() != 1) {
    errors.Required(Sub(path, "values"),
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field "
                    "selector");
  }
  const std::string_view key = GetString(expression, {"key"});
  if (key != "metadata.name") {
    errors.Invalid(Sub(path, "key"), key, "not a valid field selector key");
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    AddInvalid(At(Sub(path, "values"), i), values[i],
               syntax::NameIsDnsSubdomain(AsText(values[i]), false), errors);
  }
}

void ValidateNodeTerm(const json::object& term, const std::string& path, FieldErrors& errors) {
  const json::array& expressions = ListOf(term, "matchExpressions");
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    ValidateNodeExpression(AsObject(expressions[i]), At(Sub(path, "matchExpressions"), i), errors);
  }
  const json::array& fields = ListOf(term, "matchFields");
  for (std::size_t i = 0; i < fields.size(); ++i) {
    ValidateNodeField(AsObject(fields[i]), At(Sub(path, "matchFields"), i), errors);
  }
}

void ValidateWeight(const json::object& preference, const std::string& path, FieldErrors& errors) {
  const std::int64_t weight = GetInt(preference, {"weight"});
  if (weight < 1 || weight > 100) {
    errors.Invalid(Sub(path, "weight"), weight, "must be in the range 1-100");
  }
}

void ValidateLabelKeys(const json::object& term, const std::string& path, FieldErrors& errors) {
  const json::array& match = ListOf(term, "matchLabelKeys");
  const json::array& mismatch = ListOf(term, "mismatchLabelKeys");
  if (match.empty() && mismatch.empty()) return;
  for (std::size_t i = 0; i < match.size(); ++i) {
    if (std::ranges::find(mismatch, match[i]) != mismatch.end()) {
      errors.Invalid(At(Sub(path, "matchLabelKeys"), i), match[i],
                     "exists in both matchLabelKeys and mismatchLabelKeys");
    }
  }
  if (FindObject(term, {"labelSelector"}) == nullptr) {
    if (!match.empty()) {
      errors.Forbidden(Sub(path, "matchLabelKeys"),
                       "must not be specified when labelSelector is not set");
    }
    if (!mismatch.empty()) {
      errors.Forbidden(Sub(path, "mismatchLabelKeys"),
                       "must not be specified when labelSelector is not set");
    }
    return;
  }
  for (std::size_t i = 0; i < match.size(); ++i) {
    AddInvalid(At(Sub(path, "matchLabelKeys"), i), match[i], syntax::LabelKey(AsText(match[i])),
               errors);
  }
  for (std::size_t i = 0; i < mismatch.size(); ++i) {
    AddInvalid(At(Sub(path, "mismatchLabelKeys"), i), mismatch[i],
               syntax::LabelKey(AsText(mismatch[i])), errors);
  }
}

void ValidatePodTerm(const json::object& term, const std::string& path, FieldErrors& errors) {
  for (const std::string_view field : {"labelSelector", "namespaceSelector"}) {
    if (const json::object* selector = FindObject(term, {field})) {
      ValidateLabelSelector(*selector, Sub(path, field), errors);
    }
  }
  for (const json::value& ns : ListOf(term, "namespaces")) {
    AddInvalid(Sub(path, "namespace"), ns, syntax::Dns1123Label(AsText(ns)), errors);
  }
  ValidateLabelKeys(term, path, errors);
  const std::string_view key = GetString(term, {"topologyKey"});
  if (key.empty()) errors.Required(Sub(path, "topologyKey"), "can not be empty");
  AddInvalid(Sub(path, "topologyKey"), key, syntax::LabelKey(key), errors);
}

void ValidatePodAffinity(const json::object& affinity, const std::string& path,
                         FieldErrors& errors) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";
  const json::array& required = ListOf(affinity, kRequired);
  for (std::size_t i = 0; i < required.size(); ++i) {
    ValidatePodTerm(AsObject(required[i]), At(Sub(path, kRequired), i), errors);
  }
  const json::array& preferred = ListOf(affinity, kPreferred);
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const std::string at = At(Sub(path, kPreferred), i);
    ValidateWeight(AsObject(preferred[i]), at, errors);
    if (const json::object* term = FindObject(AsObject(preferred[i]), {"podAffinityTerm"})) {
      ValidatePodTerm(*term, Sub(at, "podAffinityTerm"), errors);
    }
  }
}

}  // namespace

void ValidateNodeSelector(const json::object& selector, const std::string& path,
                          FieldErrors& errors) {
  const json::array& terms = ListOf(selector, "nodeSelectorTerms");
  if (terms.empty()) {
    errors.Required(Sub(path, "nodeSelectorTerms"), "must have at least one node selector term");
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    ValidateNodeTerm(AsObject(terms[i]), At(Sub(path, "nodeSelectorTerms"), i), errors);
  }
}

void ValidateAffinity(const json::object& affinity, const std::string& path, FieldErrors& errors) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";
  if (const json::object* node = FindObject(affinity, {"nodeAffinity"})) {
    const std::string at = Sub(path, "nodeAffinity");
    if (const json::object* required = FindObject(*node, {kRequired})) {
      ValidateNodeSelector(*required, Sub(at, kRequired), errors);
    }
    const json::array& preferred = ListOf(*node, kPreferred);
    for (std::size_t i = 0; i < preferred.size(); ++i) {
      const std::string term_path = At(Sub(at, kPreferred), i);
      ValidateWeight(AsObject(preferred[i]), term_path, errors);
      if (const json::object* term = FindObject(AsObject(preferred[i]), {"preference"})) {
        ValidateNodeTerm(*term, Sub(term_path, "preference"), errors);
      }
    }
  }
  for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
    if (const json::object* pods = FindObject(affinity, {kind})) {
      ValidatePodAffinity(*pods, Sub(path, kind), errors);
    }
  }
}

void ValidateTolerations(const json::array& tolerations, const std::string& path,
                         FieldErrors& errors) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const json::object& toleration = AsObject(tolerations[i]);
    const std::string at = At(path, i);
    const std::string_view key = GetString(toleration, {"key"});
    const std::string_view op = GetString(toleration, {"operator"});
    const std::string_view value = GetString(toleration, {"value"});
    const std::string_view effect = GetString(toleration, {"effect"});
    if (!key.empty()) AddInvalid(Sub(at, "key"), key, syntax::LabelKey(key), errors);
    if (key.empty() && op != "Exists") {
      errors.Invalid(Sub(at, "operator"), op,
                     "operator must be Exists when `key` is empty, which means \"match all values "
                     "and all keys\"");
    }
    if (Find(toleration, {"tolerationSeconds"}) != nullptr && effect != "NoExecute") {
      errors.Invalid(Sub(at, "effect"), effect,
                     "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (op.empty() || op == "Equal") {
      AddInvalid(Sub(at, "operator"), value, syntax::LabelValue(value), errors);
    } else if (op == "Exists") {
      if (!value.empty()) {
        errors.Invalid(Sub(at, "operator"), value,
                       "value must be empty when `operator` is 'Exists'");
      }
    } else if (op == "Gt" || op == "Lt") {
      // Numeric comparison is behind a feature gate that is off by default.
      errors.NotSupported(Sub(at, "operator"), op, {"Equal", "Exists", "Lt", "Gt"});
    } else {
      errors.NotSupported(Sub(at, "operator"), op, {"Equal", "Exists"});
    }
    if (!effect.empty() && effect != "NoSchedule" && effect != "PreferNoSchedule" &&
        effect != "NoExecute") {
      errors.NotSupported(Sub(at, "effect"), effect,
                          {"NoSchedule", "PreferNoSchedule", "NoExecute"});
    }
  }
}

void ValidateTopologySpread(const json::array& constraints, const std::string& path,
                            FieldErrors& errors) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> last;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const json::object& constraint = AsObject(constraints[i]);
    last[{GetString(constraint, {"topologyKey"}), GetString(constraint, {"whenUnsatisfiable"})}] =
        i;
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const json::object& constraint = AsObject(constraints[i]);
    const std::string at = At(path, i);
    const std::int64_t skew = GetInt(constraint, {"maxSkew"});
    if (skew <= 0) errors.Invalid(Sub(at, "maxSkew"), skew, "must be greater than zero");
    const std::string_view key = GetString(constraint, {"topologyKey"});
    if (key.empty()) {
      errors.Required(Sub(at, "topologyKey"), "can not be empty");
    } else {
      AddInvalid(Sub(at, "topologyKey"), key, syntax::LabelKey(key), errors);
    }
    const std::string_view when = GetString(constraint, {"whenUnsatisfiable"});
    if (when != "DoNotSchedule" && when != "ScheduleAnyway") {
      errors.NotSupported(Sub(at, "whenUnsatisfiable"), when, {"DoNotSchedule", "ScheduleAnyway"});
    }
    if (last[{key, when}] > i) {
      errors.Duplicate(Sub(at, "{topologyKey, whenUnsatisfiable}"),
                       fmt::format("{{{}, {}}}", key, when));
    }
    if (const json::value* domains = Find(constraint, {"minDomains"})) {
      if (GetInt(constraint, {"minDomains"}) <= 0) {
        errors.Invalid(Sub(at, "minDomains"), *domains, "must be greater than zero");
      }
      if (when != "DoNotSchedule") {
        errors.Invalid(Sub(at, "minDomains"), *domains,
                       fmt::format("can only use minDomains if whenUnsatisfiable=DoNotSchedule, "
                                   "not {}",
                                   when));
      }
    }
    for (const std::string_view policy : {"nodeAffinityPolicy", "nodeTaintsPolicy"}) {
      const json::value* value = Find(constraint, {policy});
      if (value == nullptr || *value == "Honor" || *value == "Ignore") continue;
      errors.NotSupported(Sub(at, policy), *value, {"Honor", "Ignore"});
    }
    const json::object* selector = FindObject(constraint, {"labelSelector"});
    const json::array& keys = ListOf(constraint, "matchLabelKeys");
    if (!keys.empty() && selector == nullptr) {
      errors.Forbidden(Sub(at, "matchLabelKeys"),
                       "must not be specified when labelSelector is not set");
    } else if (selector != nullptr) {
      for (std::size_t j = 0; j < keys.size(); ++j) {
        AddInvalid(At(Sub(at, "matchLabelKeys"), j), keys[j], syntax::LabelKey(AsText(keys[j])),
                   errors);
      }
    }
    if (selector != nullptr) ValidateLabelSelector(*selector, Sub(at, "labelSelector"), errors);
  }
}

void ValidateSchedulingGates(const json::array& gates, const std::string& path,
                             FieldErrors& errors) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::string_view name = GetString(AsObject(gates[i]), {"name"});
    AddInvalid(At(path, i), name, syntax::QualifiedName(name), errors);
    if (!seen.insert(name).second) errors.Duplicate(At(path, i), name);
  }
}

}  // namespace basalt::apiserver
