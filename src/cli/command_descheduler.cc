#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/descheduler_role.h"
#include "cli/role_flags.h"

namespace basalt::cli {
namespace {

struct DeschedulerCommandFlags {
  RoleFlags role;
  DeschedulerFlags descheduler;
};

int RunDescheduler(DeschedulerCommandFlags& flags) {
  flags.descheduler.election = flags.role.election;
  return RunRole(flags.role, [&flags](RoleContext& context) {
    return BuildDescheduler(context, flags.descheduler);
  });
}

}  // namespace

void AddDeschedulerCommand(CLI::App& app, Action& action) {
  auto flags = std::make_shared<DeschedulerCommandFlags>();
  CLI::App* command = app.add_subcommand(
      "descheduler", "Moves pods so that whole nodes become free, each to a place that is held");
  AddRoleFlags(*command, flags->role);
  AddDeschedulingFlags(*command, flags->descheduler);
  command->get_option("--policy")->required();
  command->add_flag("--dry-run", flags->descheduler.dry_run,
                    "every run is a dry run: a plan, and nothing is written");
  command
      ->add_option("--scheduler-name", flags->descheduler.scheduler_names,
                   "pods with this schedulerName may be moved; may be repeated")
      ->take_all()
      ->allow_extra_args(false)
      ->capture_default_str();
  command->callback([flags, &action] { action = [flags] { return RunDescheduler(*flags); }; });
}

}  // namespace basalt::cli
