#pragma once

#include <string_view>
#include <vector>

#include "apiserver/kind.h"

namespace basalt::apiserver {

// The columns of kubectl's tables of a built-in kind, by its plural.
std::vector<TableColumn> BuiltinColumns(std::string_view plural);

}  // namespace basalt::apiserver
