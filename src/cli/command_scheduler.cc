#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/role_flags.h"
#include "cli/scheduler_role.h"
#include "cli/volcano_flags.h"

namespace basalt::cli {
namespace {

struct SchedulerCommandFlags {
  RoleFlags role;
  SchedulerFlags scheduler;
  VolcanoFlags volcano;
};

int RunScheduler(SchedulerCommandFlags& flags) {
  ApplyVolcanosFlags(flags.volcano, VolcanoProgram::kScheduler, flags.role.listen_address,
                     flags.role.healthz_address);
  flags.scheduler.election = flags.role.election;
  // One budget for its writes, in which binds come first; what it reads is not limited.
  flags.scheduler.qps = flags.role.qps;
  flags.scheduler.burst = flags.role.burst;
  flags.role.qps = flags.role.burst = 0;
  return RunRole(flags.role, [&flags](RoleContext& context) {
    return BuildScheduler(context, flags.scheduler);
  });
}

}  // namespace

void AddSchedulerCommand(CLI::App& app, Action& action) {
  auto flags = std::make_shared<SchedulerCommandFlags>();
  flags->role.qps = flags->scheduler.qps;
  flags->role.burst = flags->scheduler.burst;
  flags->role.connections = 64;
  CLI::App* command = app.add_subcommand("scheduler", "Schedules the pods of a cluster");
  AddRoleFlags(*command, flags->role);
  AddSchedulerFlags(*command, flags->scheduler);
  AddVolcanosFlags(*command, VolcanoProgram::kScheduler, flags->volcano);
  command->callback([flags, &action] { action = [flags] { return RunScheduler(*flags); }; });
}

}  // namespace basalt::cli
