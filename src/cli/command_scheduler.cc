#include <CLI/CLI.hpp>

#include "base/log.h"
#include "cli/command.h"
#include "cli/role_flags.h"
#include "cli/scheduler_role.h"

namespace basalt::cli {
namespace {

struct SchedulerCommandFlags {
  RoleFlags role;
  SchedulerFlags scheduler;
  bool enable_metrics = false;
  bool enable_healthz = false;
  std::vector<std::string> ignored;
};

// What Volcano's manifests give its scheduler and means nothing here: taken, so that switching
// means changing the image.
void AddVolcanosSchedulerFlags(CLI::App& command, SchedulerCommandFlags& flags) {
  command.add_flag("--enable-metrics", flags.enable_metrics,
                   "metrics at Volcano's address, :8080, without --listen-address");
  command.add_flag("--enable-healthz", flags.enable_healthz,
                   "health at Volcano's address, :11251, without --healthz-address");
  const auto ignore = [&](const char* name, bool has_value) {
    const auto note = [&flags, name](const std::string&) { flags.ignored.emplace_back(name); };
    if (has_value) {
      command.add_option_function<std::string>(name, note)->group("");
    } else {
      command.add_flag_callback(name, [&flags, name] { flags.ignored.emplace_back(name); })
          ->group("");
    }
  };
  for (const char* name : {"-v,--v", "--node-worker-threads", "--percentage-nodes-to-find",
                           "--minimum-feasible-nodes", "--minimum-percentage-nodes-to-find",
                           "--resync-period", "--cache-dump-dir", "--resource-sync-timeout"}) {
    ignore(name, true);
  }
  for (const char* name : {"--logtostderr", "--enable-pprof", "--cache-dumper"}) {
    ignore(name, false);
  }
}

int RunScheduler(SchedulerCommandFlags& flags) {
  for (const std::string& name : flags.ignored) {
    log::Info("this flag of Volcano's has no effect here", {{"flag", name}});
  }
  if (flags.enable_metrics && flags.role.listen_address.empty())
    flags.role.listen_address = ":8080";
  if (flags.enable_healthz && flags.role.healthz_address.empty()) {
    flags.role.healthz_address = ":11251";
  }
  flags.scheduler.leader_elect = flags.role.leader_elect;
  flags.scheduler.lock_namespace = flags.role.lock_namespace;
  flags.scheduler.lock_name = flags.role.lock_name;
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
  AddVolcanosSchedulerFlags(*command, *flags);
  command->callback([flags, &action] { action = [flags] { return RunScheduler(*flags); }; });
}

}  // namespace basalt::cli
