#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/role.h"

namespace CLI {
class App;
}

namespace basalt::cli {

// The scheduler's own flags. Names and defaults are Volcano's where it has them.
struct SchedulerFlags {
  std::string conf;                   // "": the default configuration
  bool disable_default_conf = false;  // a file that is missing or wrong at the start ends it
  std::vector<std::string> names = {"volcano"};
  std::string period = "1s";
  std::string cycle_budget = "500ms";
  std::string default_queue = "default";
  std::vector<std::string> node_selector;  // "key:value"
  int gate_removal_workers = 16;
  std::string feature_gates;  // "Name=true,Other=false"
  int metrics_max_jobs = 5000;
  std::string query_address = "127.0.0.1:0";  // "": no questions are answered
  // Of all writes together.
  double qps = 2000;
  double burst = 2000;
  bool shadow = false;  // writes nothing, and reports what it would have done otherwise
  std::string shadow_report = "/tmp/basalt-shadow.json";
  ElectionFlags election;  // from the flags of every role
};

// Those that `basalt up` has too: --scheduler-conf and the like.
void AddSchedulingFlags(CLI::App& command, SchedulerFlags& flags);
// The others of `basalt scheduler`.
void AddSchedulerFlags(CLI::App& command, SchedulerFlags& flags);

Result<std::unique_ptr<Role>> BuildScheduler(RoleContext& context, const SchedulerFlags& flags);

}  // namespace basalt::cli
