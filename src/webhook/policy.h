#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::webhook {

// What the flags say about how to judge.
struct Policy {
  std::vector<std::string> scheduler_names = {"volcano"};
  bool queue_allocation_gates = true;  // --feature-gates=SchedulingGatesQueueAdmission
  int max_queue_depth = 5;             // levels below root
  // The users that Basalt's roles are: their writes are right, and are let in while no webhook
  // answers.
  std::vector<std::string> own_users = {};

  bool Schedules(std::string_view scheduler_name) const {
    return std::ranges::find(scheduler_names, scheduler_name) != scheduler_names.end();
  }
};

}  // namespace basalt::webhook
