#pragma once

#include <string_view>

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

// Reads and checks dryRun, fieldManager and fieldValidation of a call that writes.
ApiResult<void> ReadWriteOptions(Call& call);

// A refusal of the parameters themselves: `CreateOptions.meta.k8s.io "" is invalid: …`.
ApiStatus InvalidOptions(std::string_view options_kind, const FieldErrors& errors);

}  // namespace basalt::apiserver
