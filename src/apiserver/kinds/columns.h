#pragma once

#include <string_view>
#include <vector>

#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// The columns of kubectl's tables of a built-in kind, by its name.
std::vector<TableColumn> BuiltinColumns(std::string_view kind);

}  // namespace basalt::apiserver
