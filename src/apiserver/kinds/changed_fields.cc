#include "apiserver/kinds/changed_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/apply/merge.h"
#include "apiserver/schema/builtin_types.h"
#include "base/check.h"

namespace basalt::apiserver {

std::string ChangedFields(const boost::json::object& before, const boost::json::object& after,
                          std::string_view type) {
  const TypeSchema* schema = FindBuiltinType(type);
  BASALT_CHECK(schema != nullptr);
  const Comparison changes = Compare(before, after, *schema);
  const FieldSet all = changes.removed | changes.modified | changes.added;
  return fmt::format("{}", fmt::join(all.Paths(), ", "));
}

}  // namespace basalt::apiserver
