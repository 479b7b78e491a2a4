#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/controller_choice.h"
#include "cli/controller_role.h"
#include "cli/flag_checks.h"
#include "cli/role_flags.h"
#include "cli/volcano_flags.h"

namespace basalt::cli {
namespace {

struct ControllerCommandFlags {
  RoleFlags role;
  ControllerFlags controller;
  VolcanoFlags volcano;
};

int RunController(ControllerCommandFlags& flags) {
  ApplyVolcanosFlags(flags.volcano, VolcanoProgram::kControllerManager, flags.role.listen_address,
                     flags.role.healthz_address);
  flags.controller.qps = flags.role.qps;
  flags.controller.burst = flags.role.burst;
  flags.controller.election = flags.role.election;
  return RunRole(flags.role, [&flags](RoleContext& context) {
    return BuildController(context, flags.controller);
  });
}

}  // namespace

void AddControllerCommand(CLI::App& app, Action& action) {
  auto flags = std::make_shared<ControllerCommandFlags>();
  CLI::App* command = app.add_subcommand("controller",
                                         "Runs jobs, flows and cron jobs, makes PodGroups for "
                                         "workloads that ask, opens and closes queues");
  AddRoleFlags(*command, flags->role);
  command
      ->add_option("--scheduler-name", flags->controller.scheduler_names,
                   "pods with this schedulerName are looked at; may be repeated")
      ->take_all()
      ->allow_extra_args(false)
      ->capture_default_str();
  command
      ->add_option("--default-queue", flags->controller.default_queue,
                   "the queue of what names none; made where it is missing")
      ->capture_default_str();
  command
      ->add_option("--controllers", flags->controller.controllers,
                   "which run: * for all, NAME, -NAME, a comma in between; " + ControllerNames())
      ->capture_default_str();
  command
      ->add_option("--max-requeue-num", flags->controller.max_requeue,
                   "how often a step of a job that is refused is tried before the job is given up")
      ->check(Positive())
      ->capture_default_str();
  AddVolcanosFlags(*command, VolcanoProgram::kControllerManager, flags->volcano);
  command->callback([flags, &action] { action = [flags] { return RunController(*flags); }; });
}

}  // namespace basalt::cli
