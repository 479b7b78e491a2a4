#include "apiserver/kinds/builtin_rules.h"

#include <algorithm>
#include <utility>

#include "apiserver/kinds/field_rules.h"
#include "apiserver/object/object.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

Hooks HooksOf(const TypeSchema& kind) {
  const auto found = std::ranges::find(AllHooks(), kind.id, &Hooks::type);
  return found == AllHooks().end() ? Hooks{} : *found;
}

}  // namespace

const std::vector<Hooks>& AllHooks() {
  static const std::vector<Hooks>* const all = [] {
    auto* hooks = new std::vector<Hooks>();
    for (const std::span<const Hooks> some : {PodHooks(), PodPartHooks(), ClusterHooks(),
                                              EventHooks(), ConfigHooks(), WorkloadHooks()}) {
      hooks->insert(hooks->end(), some.begin(), some.end());
    }
    return hooks;
  }();
  return *all;
}

BuiltinRules::BuiltinRules(const TypeSchema& schema, KindTraits traits)
    : schema_(schema),
      traits_(std::move(traits)),
      hooks_(HooksOf(schema)),
      cells_(traits_.cells, schema) {
  if (const TypeSchema::Field* status = schema.FindField("status")) {
    zero_status_ = json::object();
    BASALT_CHECK(Conform(zero_status_, *status->type).has_value());
  }
}

void BuiltinRules::Default(json::object& object) const { FillDefaults(object, schema_); }

void BuiltinRules::PrepareForCreate(json::object& object, Time now) const {
  if (!zero_status_.is_null() && !traits_.keeps_status) object["status"] = zero_status_;
  if (traits_.generation) Metadata(object)["generation"] = 1;
  if (hooks_.prepare_create != nullptr) hooks_.prepare_create(object, now);
}

void BuiltinRules::PrepareForUpdate(json::object& object, const json::object& old,
                                    Time /*now*/) const {
  if (const json::value* status = old.if_contains("status")) object["status"] = *status;
  if (traits_.generation) {
    const std::int64_t generation = GetInt(old, {"metadata", "generation"});
    Metadata(object)["generation"] = generation + (DesiredStateDiffers(object, old) ? 1 : 0);
  }
  if (hooks_.prepare_update != nullptr) hooks_.prepare_update(object, old);
}

void BuiltinRules::PrepareForStatusUpdate(json::object& object, const json::object& old) const {
  json::object kept = old;
  Restore(kept, object, "metadata");
  Restore(kept, object, "status");
  object = std::move(kept);
  if (hooks_.prepare_status != nullptr) hooks_.prepare_status(object, old);
}

void BuiltinRules::Validate(const json::object& object, FieldErrors& errors) const {
  ValidateObjectMeta(object, traits_.namespaced, traits_.name_check, errors);
  ValidateFinalizerNames(object, errors);
  CheckDesired(object, schema_, errors);
}

void BuiltinRules::ValidateUpdate(const json::object& object, const json::object& old,
                                  FieldErrors& errors) const {
  ValidateObjectMeta(object, traits_.namespaced, traits_.name_check, errors);
  ValidateFinalizerNames(object, errors);
  ValidateObjectMetaUpdate(object, old, errors);
  if (traits_.updates_are_checked) CheckDesired(object, schema_, errors);
  CheckImmutable(object, old, schema_, errors);
  if (hooks_.check_update != nullptr) hooks_.check_update(object, old, errors);
}

void BuiltinRules::ValidateStatusUpdate(const json::object& object, const json::object& old,
                                        FieldErrors& errors) const {
  ValidateObjectMeta(object, traits_.namespaced, traits_.name_check, errors);
  ValidateFinalizerNames(object, errors);
  ValidateObjectMetaUpdate(object, old, errors);
  CheckStatus(object, schema_, errors);
  if (hooks_.check_status != nullptr) hooks_.check_status(object, old, errors);
}

std::vector<TableColumn> BuiltinRules::Columns() const {
  return BuiltinColumns(std::string_view(schema_.id).substr(schema_.id.find('.') + 1));
}

json::array BuiltinRules::Cells(const json::object& object, Time now) const {
  if (hooks_.cells != nullptr) return hooks_.cells(object, now);
  return traits_.cells.empty() ? KindRules::Cells(object, now) : cells_.Of(object, now);
}

json::array BuiltinRules::RowConditions(const json::object& object) const {
  return hooks_.row_conditions == nullptr ? json::array() : hooks_.row_conditions(object);
}

bool BuiltinRules::FieldValue(const json::object& object, std::string_view field,
                              std::string& value) const {
  if (const auto found = traits_.selectable.find(field); found != traits_.selectable.end()) {
    value = TextAt(object, found->second, schema_);
    return true;
  }
  return hooks_.field_value != nullptr && hooks_.field_value(object, field, value);
}

}  // namespace basalt::apiserver
