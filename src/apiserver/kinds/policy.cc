// PodDisruptionBudget, PriorityClass, Lease.
#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void CheckBudget(const json::object& object, FieldErrors& errors) {
  const json::object& spec = ObjectOf(object, "spec");
  if (spec.contains("minAvailable") && spec.contains("maxUnavailable")) {
    errors.Invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set");
  }
}

void PreparePriorityClass(json::object& object, Time /*now*/) {
  Metadata(object)["generation"] = 1;
}

void CheckPriorityClass(const json::object& object, FieldErrors& errors) {
  constexpr std::int64_t kHighestUserPriority = 1'000'000'000;
  const std::string_view name = Name(object);
  const std::int64_t value = GetInt(object, {"value"});
  const std::int64_t of_system = name == "system-node-critical"      ? 2000001000
                                 : name == "system-cluster-critical" ? 2000000000
                                                                     : 0;
  if (name.starts_with("system-") && (of_system == 0 || value != of_system)) {
    errors.Forbidden("metadata.name",
                     "names with the prefix 'system-' are for system-node-critical (2000001000) "
                     "and system-cluster-critical (2000000000) alone");
  } else if (of_system == 0 && value > kHighestUserPriority) {
    errors.Forbidden("value", fmt::format("maximum allowed value of a user defined priority is {}",
                                          kHighestUserPriority));
  }
}

void CheckPriorityClassUpdate(const json::object& object, const json::object& old,
                              FieldErrors& errors) {
  if (GetInt(object, {"value"}) != GetInt(old, {"value"})) {
    errors.Forbidden("value", "may not be changed in an update.");
  }
}

// Coordinated leader election is behind a feature gate that is off by default.
void FillLease(json::object& object) {
  json::object& spec = Child(object, "spec");
  spec.erase("strategy");
  spec.erase("preferredHolder");
}

}  // namespace

std::span<const KindHooks> PolicyKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "policy.PodDisruptionBudget", .check = CheckBudget},
      {.type = "scheduling.PriorityClass",
       .prepare_create = PreparePriorityClass,
       .check = CheckPriorityClass,
       .check_update = CheckPriorityClassUpdate},
      {.type = "coordination.Lease", .fill = FillLease},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
