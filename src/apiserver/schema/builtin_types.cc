#include "apiserver/schema/builtin_types.h"

#include "apiserver/data/tables.h"
#include "apiserver/schema/type_table.h"
#include "base/check.h"

namespace basalt::apiserver {

const TypeSchema* FindBuiltinType(std::string_view id) {
  static const TypeTable* const table = [] {
    Result<TypeTable> parsed = TypeTable::Parse(TypesText());
    BASALT_CHECK(parsed.has_value());
    return new TypeTable(std::move(*parsed));
  }();
  return table->Find(id);
}

}  // namespace basalt::apiserver
