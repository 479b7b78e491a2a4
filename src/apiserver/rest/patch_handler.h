#pragma once

#include <functional>
#include <string_view>

#include "apiserver/rest/call.h"
#include "apiserver/rest/update.h"

namespace basalt::apiserver {

struct TypeSchema;
using PatchFunction = std::function<ApiResult<json::object>(json::object object)>;

// The request's patch, by its content type. `schema` (for strategic merge patches) may be null:
// then those are refused.
ApiResult<PatchFunction> ReadPatch(const Call& call, const TypeSchema* schema);

// What came of a patch is not an object of the kind. `shown`: the patch, or what came of it.
ApiStatus BadPatchResult(std::string_view shown, std::string_view why);

// Applies it to an object of the call's kind, and makes sure that the result is one too.
ApiResult<json::object> PatchAndConform(Call& call, const PatchFunction& patch,
                                        const json::object& old);

}  // namespace basalt::apiserver
