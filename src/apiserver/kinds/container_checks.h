#pragma once

#include <string>

#include "apiserver/field_errors.h"
#include "apiserver/kind.h"

namespace basalt::apiserver {

// All containers of a pod spec, init containers included.
void ValidateContainers(const json::object& spec, const std::string& path, FieldErrors& errors);

}  // namespace basalt::apiserver
