#include "apiserver/object/kind.h"

#include <algorithm>

namespace basalt::apiserver {

void KindRules::PrepareForCreate(json::object& object, Time /*now*/) const {
  object.erase("status");
  Metadata(object)["generation"] = 1;
}

void KindRules::PrepareForUpdate(json::object& object, const json::object& old,
                                 Time /*now*/) const {
  Restore(object, old, "status");
  const std::int64_t generation = GetInt(old, {"metadata", "generation"});
  Metadata(object)["generation"] = generation + (DesiredStateDiffers(object, old) ? 1 : 0);
}

void KindRules::PrepareForStatusUpdate(json::object& object, const json::object& old) const {
  json::object result = old;
  Restore(result, object, "status");
  object = std::move(result);
}

std::vector<TableColumn> KindRules::Columns() const {
  return {{.name = "Name", .format = "name"}, {.name = "Created At", .type = "date"}};
}

json::array KindRules::Cells(const json::object& object, Time /*now*/) const {
  return {json::string(GetString(object, {"metadata", "name"})),
          json::string(GetString(object, {"metadata", "creationTimestamp"}))};
}

bool KindRules::FieldValue(const json::object& /*object*/, std::string_view /*field*/,
                           std::string& /*value*/) const {
  return false;
}

bool KindInfo::Has(std::string_view subresource) const {
  if (subresource == "status") return has_status;
  if (subresource == "scale") return has_scale;
  return std::ranges::find(subresources, subresource) != subresources.end();
}

std::string KindInfo::ApiVersion() const { return group.empty() ? version : group + "/" + version; }

std::string KindInfo::QualifiedResource() const {
  return group.empty() ? plural : plural + "." + group;
}

}  // namespace basalt::apiserver
