#pragma once

#include "cli/role.h"

namespace CLI {
class App;
}

namespace basalt::cli {

void AddRoleFlags(CLI::App& command, RoleFlags& flags);

}  // namespace basalt::cli
