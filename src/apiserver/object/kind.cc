#include "apiserver/object/kind.h"

#include <algorithm>

namespace basalt::apiserver {

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

bool KindInfo::Has(std::string_view subresource) const {
  if (subresource == "status") return has_status;
  if (subresource == "scale") return has_scale;
  return std::ranges::find(subresources, subresource) != subresources.end();
}

}  // namespace basalt::apiserver
