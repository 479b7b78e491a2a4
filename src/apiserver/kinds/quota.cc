// ResourceQuota and LimitRange. Both are kept and shown; the server does not enforce them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"

namespace basalt::apiserver {
namespace {

class QuotaRules final : public BuiltinRules {
 public:
  QuotaRules() : BuiltinRules(*FindBuiltinType("core.ResourceQuota"), {}) {}

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    for (const auto& [name, amount] : ObjectOf(spec, "hard")) {
      const std::string at = Key("spec.hard", name);
      const syntax::Complaints complaints = syntax::QualifiedName(name);
      AddInvalid(at, std::string_view(name), complaints, errors);
      const std::string_view text = name;
      if (complaints.empty() && text.find('/') == text.npos && !IsStandard(text)) {
        errors.Invalid(at, text, "must be a standard resource type or fully qualified");
        errors.Invalid(at, text, "must be a standard resource for quota");
      }
      ValidateResourceQuantity(name, amount, at, errors);
    }
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
    for (const json::value& item : ListOf(ObjectOf(spec, "scopeSelector"), "matchExpressions")) {
      const std::string_view op = GetString(AsObject(item), {"operator"});
      if (op != "In" && op != "NotIn" && op != "Exists" && op != "DoesNotExist") {
        errors.Invalid("spec.scopeSelector.matchExpressions.operator", op,
                       "not a valid selector operator");
      }
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    const json::object& status = ObjectOf(object, "status");
    std::map<std::string, std::string> requests;
    std::map<std::string, std::string> limits;
    for (const auto& [name, amount] : ObjectOf(status, "hard")) {
      const std::string_view found = GetString(ObjectOf(status, "used"), {name});
      const std::string_view used = found.empty() ? "0" : found;
      std::string text = fmt::format("{}: {}/{}", std::string_view(name), used, AsText(amount));
      const bool limit = std::string_view(name).starts_with("limits.");
      (limit ? limits : requests)[std::string(name)] = std::move(text);
    }
    const auto join = [](const std::map<std::string, std::string>& parts) {
      std::string text;
      for (const auto& [name, part] : parts) {
        if (!text.empty()) text += ", ";
        text += part;
      }
      return json::string(text);
    };
    return {json::string(Name(object)), join(requests), join(limits),
            json::string(Age(object, now))};
  }

 private:
  static constexpr std::array<std::string_view, 7> kScopes{
      "Terminating",          "NotTerminating", "BestEffort",
      "NotBestEffort",        "PriorityClass",  "CrossNamespacePodAffinity",
      "VolumeAttributesClass"};

  static bool IsStandard(std::string_view name) {
    static constexpr std::array<std::string_view, 19> kNames{"cpu",
                                                             "memory",
                                                             "ephemeral-storage",
                                                             "requests.cpu",
                                                             "requests.memory",
                                                             "requests.storage",
                                                             "requests.ephemeral-storage",
                                                             "limits.cpu",
                                                             "limits.memory",
                                                             "limits.ephemeral-storage",
                                                             "pods",
                                                             "resourcequotas",
                                                             "services",
                                                             "replicationcontrollers",
                                                             "secrets",
                                                             "configmaps",
                                                             "persistentvolumeclaims",
                                                             "services.nodeports",
                                                             "services.loadbalancers"};
    return std::ranges::find(kNames, name) != kNames.end() || name.starts_with("hugepages-") ||
           name.starts_with("requests.hugepages-");
  }
};

class LimitRangeRules final : public BuiltinRules {
 public:
  LimitRangeRules() : BuiltinRules(*FindBuiltinType("core.LimitRange"), {}) {}

  // A container's default limit is its maximum, and its default request its default limit.
  void Default(json::object& object) const override {
    json::array* limits = FindArray(object, {"spec", "limits"});
    if (limits == nullptr) return;
    for (json::value& item : *limits) {
      json::object& limit = AsObject(item);
      if (GetString(limit, {"type"}) != "Container") continue;
      const auto fill = [&limit](std::string_view to, std::string_view from) {
        const json::object* source = FindObject(limit, {from});
        if (source == nullptr) return;
        const json::object copy = *source;
        for (const auto& [name, amount] : copy) SetDefault(Child(limit, to), name, amount);
      };
      fill("default", "max");
      fill("defaultRequest", "default");
      fill("defaultRequest", "min");
    }
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::array& limits = ListOf(ObjectOf(object, "spec"), "limits");
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const json::object& limit = AsObject(limits[i]);
      const std::string at = At("spec.limits", i);
      const std::string_view type = GetString(limit, {"type"});
      if (type != "Pod" && type != "Container" && type != "PersistentVolumeClaim" &&
          type.find('/') == type.npos) {
        errors.Invalid(Sub(at, "type"), type, "must be a standard limit type or fully qualified");
      }
      const json::object* most = FindObject(limit, {"max"});
      const json::object* least = FindObject(limit, {"min"});
      const json::object* by_default = FindObject(limit, {"default"});
      const json::object* request = FindObject(limit, {"defaultRequest"});
      for (const auto& [name, amount] : ObjectOf(limit, "max")) {
        CheckOrder(least, most, name, at, "min", "min value", "max value", errors);
      }
      for (const auto& [name, amount] : ObjectOf(limit, "defaultRequest")) {
        CheckOrder(request, by_default, name, at, "defaultRequest", "default request value",
                   "default limit value", errors);
      }
    }
  }

 private:
  // `low` must not be more than `high`.
  static void CheckOrder(const json::object* low, const json::object* high, std::string_view name,
                         const std::string& at, std::string_view field, std::string_view low_text,
                         std::string_view high_text, FieldErrors& errors) {
    const auto lower = FindQuantity(low, name);
    const auto upper = FindQuantity(high, name);
    if (!lower || !upper || *lower <= *upper) return;
    errors.Invalid(Key(Sub(at, field), name), lower->ToString(),
                   fmt::format("{} {} is greater than {} {}", low_text, lower->ToString(),
                               high_text, upper->ToString()));
  }
};

}  // namespace

std::shared_ptr<const KindRules> QuotaRulesInstance() { return std::make_shared<QuotaRules>(); }
std::shared_ptr<const KindRules> LimitRangeRulesInstance() {
  return std::make_shared<LimitRangeRules>();
}

}  // namespace basalt::apiserver
