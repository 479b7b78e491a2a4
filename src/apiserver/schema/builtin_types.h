#pragma once

#include <string>
#include <string_view>

#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// The schema of a built-in type by its group and Go name ("core.Pod", "apps.DeploymentSpec",
// "meta.DeleteOptions"), or nullptr. Lives as long as the program.
const TypeSchema* FindBuiltinType(std::string_view id);

// Of "apps/v1" and "Deployment": apps.Deployment. Options are the same in every group.
std::string TypeIdOf(std::string_view api_version, std::string_view kind);

}  // namespace basalt::apiserver
