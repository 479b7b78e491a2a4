#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/election.h"
#include "cli/role.h"

namespace CLI {
class App;
}

namespace basalt::cli {

// The descheduler's own flags. Names are Volcano's where it has them.
struct DeschedulerFlags {
  std::string policy;  // "": the built-in one, which starts nothing by itself
  std::string interval;
  std::string cron;
  bool dry_run = false;
  std::string query_address = "127.0.0.1:0";
  std::string token_file;  // "": a fresh token at each start
  std::vector<std::string> scheduler_names = {"volcano"};
  ElectionFlags election;  // from the flags of every role
};

// Those that `basalt up` has too: --policy and the like.
void AddDeschedulingFlags(CLI::App& command, DeschedulerFlags& flags);

Result<std::unique_ptr<Role>> BuildDescheduler(RoleContext& context, const DeschedulerFlags& flags);

}  // namespace basalt::cli
