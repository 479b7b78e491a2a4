#pragma once

#include <string_view>

#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// The schema of a built-in type by its group and Go name ("core.Pod", "apps.DeploymentSpec",
// "meta.DeleteOptions"), or nullptr. Lives as long as the program.
const TypeSchema* FindBuiltinType(std::string_view id);

}  // namespace basalt::apiserver
