// PodDisruptionBudget, PriorityClass, Lease.
#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"

namespace basalt::apiserver {
namespace {

class BudgetRules final : public BuiltinRules {
 public:
  BudgetRules()
      : BuiltinRules(*FindBuiltinType("policy.PodDisruptionBudget"),
                     {.generation = true, .checks_all_on_update = false}) {}

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    const json::value* least = Find(spec, {"minAvailable"});
    const json::value* most = Find(spec, {"maxUnavailable"});
    if (least != nullptr && most != nullptr) {
      errors.Invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set");
    }
    if (least != nullptr) {
      ValidateIntOrPercent(*least, "spec.minAvailable", errors);
      ValidateAtMostHundredPercent(*least, "spec.minAvailable", errors);
    }
    if (most != nullptr) {
      ValidateIntOrPercent(*most, "spec.maxUnavailable", errors);
      ValidateAtMostHundredPercent(*most, "spec.maxUnavailable", errors);
    }
    if (const json::object* selector = FindObject(spec, {"selector"})) {
      ValidateLabelSelector(*selector, "spec.selector", errors);
    }
    RequireOneOf(spec, "unhealthyPodEvictionPolicy", "spec", {"AlwaysAllow", "IfHealthyBudget"},
                 errors);
  }

  json::array Cells(const json::object& object, Time now) const override {
    const auto amount = [&](std::string_view field) {
      const json::value* value = Find(object, {"spec", field});
      if (value == nullptr) return json::string("N/A");
      return value->is_string() ? value->get_string()
                                : json::string(std::to_string(value->get_int64()));
    };
    return {json::string(Name(object)), amount("minAvailable"), amount("maxUnavailable"),
            GetInt(object, {"status", "disruptionsAllowed"}), json::string(Age(object, now))};
  }
};

class PriorityClassRules final : public BuiltinRules {
 public:
  PriorityClassRules()
      : BuiltinRules(*FindBuiltinType("scheduling.PriorityClass"),
                     {.namespaced = false, .checks_all_on_update = false}) {}

  void Default(json::object& object) const override {
    SetDefault(object, "preemptionPolicy", "PreemptLowerPriority");
  }

  void PrepareForCreate(json::object& object, Time /*now*/) const override {
    Metadata(object)["generation"] = 1;
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    constexpr std::int64_t kHighestUserPriority = 1'000'000'000;
    const std::string_view name = Name(object);
    const std::int64_t value = GetInt(object, {"value"});
    if (name.starts_with("system-")) {
      std::string problem;
      if (name != "system-node-critical" && name != "system-cluster-critical") {
        problem = fmt::format("{} is not a known system priority class", name);
      } else if (value != (name == "system-node-critical" ? 2000001000 : 2000000000)) {
        problem = fmt::format("value of {} PriorityClass must be {}", name,
                              name == "system-node-critical" ? 2000001000 : 2000000000);
      }
      if (!problem.empty()) {
        errors.Forbidden("metadata.name",
                         "priority class names with 'system-' prefix are reserved for system use "
                         "only. error: " +
                             problem);
      }
    } else if (value > kHighestUserPriority) {
      errors.Forbidden("value",
                       fmt::format("maximum allowed value of a user defined priority is {}",
                                   kHighestUserPriority));
    }
    RequireOneOf(object, "preemptionPolicy", "", {"PreemptLowerPriority", "Never"}, errors);
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    if (GetInt(object, {"value"}) != GetInt(old, {"value"})) {
      errors.Forbidden("value", "may not be changed in an update.");
    }
    RequireUnchanged(object, old, "preemptionPolicy", "preemptionPolicy", errors);
  }

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)), GetInt(object, {"value"}),
            GetBool(object, {"globalDefault"}), json::string(Age(object, now)),
            json::string(GetString(object, {"preemptionPolicy"}))};
  }
};

class LeaseRules final : public BuiltinRules {
 public:
  LeaseRules() : BuiltinRules(*FindBuiltinType("coordination.Lease"), {}) {}

  // Coordinated leader election is behind a feature gate that is off by default.
  void Default(json::object& object) const override {
    json::object& spec = Child(object, "spec");
    spec.erase("strategy");
    spec.erase("preferredHolder");
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    if (const json::value* seconds = Find(spec, {"leaseDurationSeconds"});
        seconds != nullptr && GetInt(spec, {"leaseDurationSeconds"}) <= 0) {
      errors.Invalid("spec.leaseDurationSeconds", *seconds, "must be greater than 0");
    }
    RequireNonNegative(spec, "leaseTransitions", "spec", errors);
  }

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)), json::string(GetString(object, {"spec", "holderIdentity"})),
            json::string(Age(object, now))};
  }
};

}  // namespace

std::shared_ptr<const KindRules> BudgetRulesInstance() { return std::make_shared<BudgetRules>(); }
std::shared_ptr<const KindRules> PriorityClassRulesInstance() {
  return std::make_shared<PriorityClassRules>();
}
std::shared_ptr<const KindRules> LeaseRulesInstance() { return std::make_shared<LeaseRules>(); }

}  // namespace basalt::apiserver
