#pragma once

#include <string>
#include <string_view>

#include "apiserver/rest/accept.h"
#include "apiserver/storage/kind_registry.h"
#include "base/clock.h"

namespace basalt::apiserver {

// One object as Accept wants it: itself, a Table of one row, or its metadata.
std::string RenderOne(const ServedKind& kind, OutputFormat format, const json::object& object,
                      Time now, bool with_columns = true);

// A Table's head and rows, for lists. `include_object`: None, Metadata or Object.
json::array TableColumns(const ServedKind& kind);
json::object TableRow(const ServedKind& kind, const json::object& object, Time now,
                      std::string_view include_object);
json::object PartialMetadata(const json::object& object);

}  // namespace basalt::apiserver
