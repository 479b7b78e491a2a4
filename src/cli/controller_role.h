#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/role.h"

namespace basalt::cli {

struct ControllerFlags {
  std::vector<std::string> scheduler_names = {"volcano"};
  std::string default_queue = "default";
  std::string controllers = "*";  // which of them run: controller_choice.h
  int max_requeue = 15;           // refusals after which a job is given up
  // Of all requests together; 0: no limit.
  double qps = 0;
  double burst = 0;
  ElectionFlags election;  // from the flags of every role
};

// The controllers of PodGroups, queues, jobs, flows, cron jobs and hypernodes.
Result<std::unique_ptr<Role>> BuildController(RoleContext& context, const ControllerFlags& flags);

}  // namespace basalt::cli
