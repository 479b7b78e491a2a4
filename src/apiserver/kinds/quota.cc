// ResourceQuota and LimitRange. Both are kept and shown; the server does not enforce them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

constexpr std::array<std::string_view, 7> kScopes{
    "Terminating",          "NotTerminating", "BestEffort",
    "NotBestEffort",        "PriorityClass",  "CrossNamespacePodAffinity",
    "VolumeAttributesClass"};

void CheckHard(const json::object& hard, FieldErrors& errors) {
  for (const auto& [key, amount] : hard) {
    const std::string_view name = key;
    const std::string at = Key("spec.hard", name);
    const syntax::Complaints complaints = syntax::QualifiedName(name);
    AddInvalid(at, name, complaints, errors);
    const bool known = IsStandardResource(name) || name.starts_with("requests.hugepages-");
    if (complaints.empty() && name.find('/') == name.npos && (!known || name == "storage")) {
      errors.Invalid(at, name, "must be a standard resource type or fully qualified");
      errors.Invalid(at, name, "must be a standard resource for quota");
    }
    ValidateResourceQuantity(name, amount, at, errors);
  }
}

void CheckQuota(const json::object& object, FieldErrors& errors) {
  const json::object& spec = ObjectOf(object, "spec");
  CheckHard(ObjectOf(spec, "hard"), errors);
  const json::array& scopes = ListOf(spec, "scopes");
  for (const json::value& scope : scopes) {
    if (std::ranges::find(kScopes, AsText(scope)) == kScopes.end()) {
      errors.Invalid("spec.scopes", scopes, "unsupported scope");
    } else if (scope == "BestEffort") {
      for (const auto& [name, amount] : ObjectOf(spec, "hard")) {
        if (name == "pods" || name == "count/pods") continue;
        errors.Invalid("spec.scopes", scopes, "unsupported scope applied to resource");
      }
    }
  }
  for (const json::value& item : ListAt(spec, {"scopeSelector", "matchExpressions"})) {
    const std::string_view op = GetString(AsObject(item), {"operator"});
    if (op != "In" && op != "NotIn" && op != "Exists" && op != "DoesNotExist") {
      errors.Invalid("spec.scopeSelector.matchExpressions.operator", op,
                     "not a valid selector operator");
    }
  }
}

// A container's default limit is its maximum, and its default request its default limit.
void FillLimitRange(json::object& object) {
  json::array* limits = FindArray(object, {"spec", "limits"});
  if (limits == nullptr) return;
  for (json::value& item : *limits) {
    json::object& limit = AsObject(item);
    if (GetString(limit, {"type"}) != "Container") continue;
    const auto fill = [&limit](std::string_view to, std::string_view from) {
      const json::object source = ObjectOf(limit, from);
      for (const auto& [name, amount] : source) SetDefault(Child(limit, to), name, amount);
    };
    fill("default", "max");
    fill("defaultRequest", "default");
    fill("defaultRequest", "min");
  }
}

// Nothing of `low` may be more than it is in `high`.
void CheckOrder(const json::object& limit, std::string_view low, std::string_view high,
                const std::string& at, FieldErrors& errors) {
  for (const auto& [name, amount] : ObjectOf(limit, low)) {
    const auto lower = FindQuantity(FindObject(limit, {low}), name);
    const auto upper = FindQuantity(FindObject(limit, {high}), name);
    if (!lower || !upper || *lower <= *upper) continue;
    errors.Invalid(Key(Sub(at, low), name), amount,
                   fmt::format("is greater than {} {}", high, upper->ToString()));
  }
}

void CheckLimitRange(const json::object& object, FieldErrors& errors) {
  const json::array& limits = ListAt(object, {"spec", "limits"});
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const json::object& limit = AsObject(limits[i]);
    const std::string at = At("spec.limits", i);
    const std::string_view type = GetString(limit, {"type"});
    if (type != "Pod" && type != "Container" && type != "PersistentVolumeClaim" &&
        type.find('/') == type.npos) {
      errors.Invalid(Sub(at, "type"), type, "must be a standard limit type or fully qualified");
    }
    CheckOrder(limit, "min", "max", at, errors);
    CheckOrder(limit, "defaultRequest", "default", at, errors);
  }
}

}  // namespace

std::span<const KindHooks> QuotaKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "core.ResourceQuota", .check = CheckQuota},
      {.type = "core.LimitRange", .fill = FillLimitRange, .check = CheckLimitRange},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
