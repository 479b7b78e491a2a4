#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/role_flags.h"

namespace basalt::cli {

void AddWorkloadsCommand(CLI::App& app, Action& action) {
  auto flags = std::make_shared<RoleFlags>();
  CLI::App* command = app.add_subcommand(
      "workloads",
      "Runs the ReplicaSet, Deployment, StatefulSet, DaemonSet and Job controllers on a cluster");
  AddRoleFlags(*command, *flags);
  command->callback([flags, &action] {
    action = [flags] {
      return RunRole(*flags, [](kube::Client& client) -> Result<std::unique_ptr<Role>> {
        return BuildWorkloads(client);
      });
    };
  });
}

}  // namespace basalt::cli
