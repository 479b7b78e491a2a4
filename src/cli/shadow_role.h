#pragma once

#include <memory>

#include "cli/role.h"
#include "cli/scheduler_role.h"
#include "scheduler/service/scheduler_service.h"

namespace basalt::cli {

// `basalt scheduler --shadow`: no lease, no Secret, no questions; the report goes to a file.
Result<std::unique_ptr<Role>> BuildShadow(RoleContext& context,
                                          scheduler::SchedulerServiceOptions options,
                                          const SchedulerFlags& flags);

}  // namespace basalt::cli
