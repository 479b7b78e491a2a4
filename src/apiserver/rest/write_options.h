#pragma once

#include <string_view>

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

// Reads and checks dryRun, fieldManager and fieldValidation. `options_kind`: "CreateOptions", …
ApiResult<void> ReadWriteOptions(Call& call, std::string_view options_kind);

// A refusal of the parameters themselves: `CreateOptions.meta.k8s.io "" is invalid: …`.
ApiStatus InvalidOptions(std::string_view options_kind, const FieldErrors& errors);

}  // namespace basalt::apiserver
