// The parts of a pod spec that say where the pod may run.
#include <algorithm>
#include <boost/json/array.hpp>
#include <string>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void CheckNodeExpression(const json::object& expression, const std::string& path,
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

void CheckNodeField(const json::object& expression, const std::string& path, FieldErrors& errors) {
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
    AddInvalid(At(Sub(path, "values"), i), values[i], syntax::Dns1123Subdomain(AsText(values[i])),
               errors);
  }
}

void CheckNodeTerm(const json::object& term, const std::string& path, FieldErrors& errors) {
  ForEachIn(term, "matchExpressions", path, [&](const json::object& item, const std::string& at) {
    CheckNodeExpression(item, at, errors);
  });
  ForEachIn(term, "matchFields", path, [&](const json::object& item, const std::string& at) {
    CheckNodeField(item, at, errors);
  });
}

// Keys of labels, beside a selector that they add to.
void CheckLabelKeys(const json::object& term, std::string_view field, const std::string& path,
                    FieldErrors& errors) {
  const json::array& keys = ListOf(term, field);
  if (keys.empty()) return;
  if (FindObject(term, {"labelSelector"}) == nullptr) {
    errors.Forbidden(Sub(path, field), "must not be specified when labelSelector is not set");
    return;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    AddInvalid(At(Sub(path, field), i), keys[i], syntax::LabelKey(AsText(keys[i])), errors);
  }
}

void CheckPodTerm(const json::object& term, const std::string& path, FieldErrors& errors) {
  for (const json::value& ns : ListOf(term, "namespaces")) {
    AddInvalid(Sub(path, "namespace"), ns, syntax::Dns1123Label(AsText(ns)), errors);
  }
  const json::array& match = ListOf(term, "matchLabelKeys");
  const json::array& mismatch = ListOf(term, "mismatchLabelKeys");
  for (std::size_t i = 0; i < match.size(); ++i) {
    if (std::ranges::find(mismatch, match[i]) != mismatch.end()) {
      errors.Invalid(At(Sub(path, "matchLabelKeys"), i), match[i],
                     "exists in both matchLabelKeys and mismatchLabelKeys");
    }
  }
  CheckLabelKeys(term, "matchLabelKeys", path, errors);
  CheckLabelKeys(term, "mismatchLabelKeys", path, errors);
  const std::string_view key = GetString(term, {"topologyKey"});
  if (key.empty()) errors.Required(Sub(path, "topologyKey"), "can not be empty");
  AddInvalid(Sub(path, "topologyKey"), key, syntax::LabelKey(key), errors);
}

void CheckToleration(const json::object& toleration, const std::string& path, FieldErrors& errors) {
  const std::string_view key = GetString(toleration, {"key"});
  const std::string_view op = GetString(toleration, {"operator"});
  const std::string_view value = GetString(toleration, {"value"});
  const std::string_view effect = GetString(toleration, {"effect"});
  if (key.empty() && op != "Exists") {
    errors.Invalid(Sub(path, "operator"), op,
                   "operator must be Exists when `key` is empty, which means \"match all values "
                   "and all keys\"");
  }
  if (Find(toleration, {"tolerationSeconds"}) != nullptr && effect != "NoExecute") {
    errors.Invalid(Sub(path, "effect"), effect,
                   "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  if (op.empty() || op == "Equal") {
    AddInvalid(Sub(path, "operator"), value, syntax::LabelValue(value), errors);
  } else if (op != "Exists") {
    // Comparing numbers (Gt, Lt) is behind a feature gate that is off by default.
    errors.NotSupported(Sub(path, "operator"), op, {"Equal", "Exists"});
  } else if (!value.empty()) {
    errors.Invalid(Sub(path, "operator"), value, "value must be empty when `operator` is 'Exists'");
  }
}

void CheckSpread(const json::object& constraint, const std::string& path, FieldErrors& errors) {
  const json::value* domains = Find(constraint, {"minDomains"});
  if (domains != nullptr && GetString(constraint, {"whenUnsatisfiable"}) != "DoNotSchedule") {
    errors.Invalid(Sub(path, "minDomains"), *domains,
                   "can only use minDomains if whenUnsatisfiable=DoNotSchedule");
  }
  CheckLabelKeys(constraint, "matchLabelKeys", path, errors);
}

constexpr TypeHooks kAffinityTypes[] = {
    {.type = "core.NodeSelectorTerm", .check = CheckNodeTerm},
    {.type = "core.PodAffinityTerm", .check = CheckPodTerm},
    {.type = "core.Toleration", .check = CheckToleration},
    {.type = "core.TopologySpreadConstraint", .check = CheckSpread},
};

}  // namespace

std::span<const TypeHooks> AffinityHooks() { return kAffinityTypes; }

}  // namespace basalt::apiserver
