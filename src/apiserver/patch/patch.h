#pragma once

#include <boost/json/object.hpp>
#include <string_view>

#include "base/error.h"

namespace basalt::apiserver {

namespace json = boost::json;
struct TypeSchema;

// The three patches, on documents. `document` is changed in place; after an error it is
// unspecified.

// RFC 6902. kInvalidArgument: not a patch; kInvalid: it does not apply to this document.
Result<void> ApplyJsonPatch(const json::array& patch, json::value& document);

// RFC 7396.
void ApplyMergePatch(const json::value& patch, json::value& document);

// Kubernetes' own: lists merge by the keys that the schema names, and directives ($patch,
// $setElementOrder/…, $deleteFromPrimitiveList/…, $retainKeys) say the rest.
Result<void> ApplyStrategicMergePatch(const json::object& patch, const TypeSchema& schema,
                                      json::object& document);

}  // namespace basalt::apiserver
