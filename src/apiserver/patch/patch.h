#pragma once

#include "apiserver/object/object.h"
#include "base/error.h"

namespace basalt::apiserver {

struct TypeSchema;

// The three patches, on documents. `document` is changed in place; after an error it is
// unspecified.

// RFC 6902. Refused is what is no patch, does not apply to this document, or would make it nest
// deeper than kMostDepth, copy more than kMostCopied or take too long: a patch of a few kilobytes
// could otherwise double a document again and again.
inline constexpr std::size_t kMostPatchOperations = 10'000;
inline constexpr std::size_t kMostCopied = 3 * 1024 * 1024;  // bytes of JSON, all copies together
Result<void> ApplyJsonPatch(const json::array& patch, json::value& document);

// RFC 7396.
void ApplyMergePatch(const json::value& patch, json::value& document);

// Kubernetes' own: lists merge by the keys that the schema names, and directives ($patch,
// $setElementOrder/…, $deleteFromPrimitiveList/…, $retainKeys) say the rest.
Result<void> ApplyStrategicMergePatch(const json::object& patch, const TypeSchema& schema,
                                      json::object& document);

}  // namespace basalt::apiserver
