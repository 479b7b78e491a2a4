#include "apiserver/kinds/builtin_rules.h"

#include <boost/json/value.hpp>

#include "apiserver/kinds/columns.h"
#include "apiserver/object/object.h"
#include "base/check.h"

namespace basalt::apiserver {
BuiltinRules::BuiltinRules(const TypeSchema& schema, Traits traits)
    : schema_(schema), traits_(traits) {
  if (const TypeSchema::Field* status = schema.FindField("status")) {
    zero_status_ = json::object();
    BASALT_CHECK(Conform(zero_status_, *status->type).has_value());
  }
}

void BuiltinRules::PrepareForCreate(json::object& object, Time /*now*/) const {
  if (!zero_status_.is_null()) object["status"] = zero_status_;
  if (traits_.generation) Metadata(object)["generation"] = 1;
}

void BuiltinRules::PrepareForUpdate(json::object& object, const json::object& old,
                                    Time /*now*/) const {
  if (const json::value* status = old.if_contains("status")) object["status"] = *status;
  if (!traits_.generation) return;
  const std::int64_t generation = GetInt(old, {"metadata", "generation"});
  Metadata(object)["generation"] = generation + (DesiredStateDiffers(object, old) ? 1 : 0);
}

void BuiltinRules::PrepareForStatusUpdate(json::object& object, const json::object& old) const {
  for (const auto& [key, value] : old) {
    if (key != "metadata" && key != "status") object[key] = value;
  }
  std::vector<std::string> added;
  for (const auto& [key, value] : object) {
    if (key != "metadata" && key != "status" && !old.contains(key)) added.emplace_back(key);
  }
  for (const std::string& key : added) object.erase(key);
}

void BuiltinRules::Validate(const json::object& object, FieldErrors& errors) const {
  ValidateObjectMeta(object, traits_.namespaced, traits_.name_check, errors);
  ValidateFinalizerNames(object, errors);
  CheckCreate(object, errors);
}

void BuiltinRules::ValidateUpdate(const json::object& object, const json::object& old,
                                  FieldErrors& errors) const {
  ValidateAnyUpdate(object, old, traits_.namespaced, errors);
  ValidateObjectMetaUpdate(object, old, errors);
  ValidateFinalizerNames(object, errors);
  if (traits_.checks_all_on_update) {
    ValidateObjectMeta(object, traits_.namespaced, traits_.name_check, errors);
    ValidateFinalizerNames(object, errors);
  }
  CheckUpdate(object, old, errors);
}

void BuiltinRules::ValidateStatusUpdate(const json::object& object, const json::object& old,
                                        FieldErrors& errors) const {
  ValidateAnyUpdate(object, old, traits_.namespaced, errors);
  ValidateObjectMetaUpdate(object, old, errors);
  ValidateFinalizerNames(object, errors);
  CheckStatusUpdate(object, old, errors);
}

std::vector<TableColumn> BuiltinRules::Columns() const {
  return BuiltinColumns(std::string_view(schema_.id).substr(schema_.id.find('.') + 1));
}

}  // namespace basalt::apiserver
