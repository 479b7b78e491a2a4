#pragma once

#include <vector>

#include "apiserver/rest/call.h"
#include "base/error.h"

namespace basalt::apiserver {

// The body of a create or update as an object of the call's kind: parsed, its kind and apiVersion
// checked and filled in, its fields checked against the schema, unknown ones dropped or, as
// fieldValidation says, warned about or refused.
ApiResult<json::object> DecodeBody(Call& call);
// The same for a body of another built-in type: a Binding, an Eviction, …
ApiResult<json::object> DecodeBodyAs(Call& call, const KindInfo& kind);

// Brings an object that a patch has made back into the form of its kind. Unknown fields are dropped
// and named in `unknown`, where it is not null.
Result<void> ConformToKind(const ServedKind& kind, json::object& object,
                           std::vector<std::string>* unknown);
// Applies fieldValidation to them.
Result<void> JudgeUnknownFields(Call& call, const std::vector<std::string>& unknown);

}  // namespace basalt::apiserver
