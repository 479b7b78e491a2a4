#pragma once

#include <string>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// All containers of a pod spec, init containers included.
void ValidateContainers(const json::object& spec, const std::string& path, FieldErrors& errors);

}  // namespace basalt::apiserver
