#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/dashboard_role.h"
#include "cli/flag_checks.h"
#include "cli/role_flags.h"

namespace basalt::cli {

void AddDashboardCommand(CLI::App& app, Action& action) {
  struct DashboardCommand {
    RoleFlags role;
    DashboardFlags dashboard;
  };
  auto flags = std::make_shared<DashboardCommand>();
  CLI::App* command = app.add_subcommand(
      "dashboard",
      "Serves a page with nodes, queues, what waits and why, evictions, reservations and history, "
      "from the answers of the leading scheduler; prints its address");
  AddRoleFlags(*command, flags->role);
  command->add_option("--listen", flags->dashboard.listen, "ADDRESS:PORT; port 0: a free one")
      ->capture_default_str()
      ->type_name("ADDRESS:PORT");
  command
      ->add_option("--auth", flags->dashboard.auth,
                   "token: whoever has the printed address sees everything; review: people log in "
                   "with their tokens for the cluster and see the namespaces whose pods they may "
                   "list")
      ->check(OneOf({"token", "review"}))
      ->capture_default_str();
  command->add_option("--tls-cert-file", flags->dashboard.cert_file, "serve HTTPS with it")
      ->type_name("FILE");
  command->add_option("--tls-private-key-file", flags->dashboard.key_file, "its key")
      ->type_name("FILE");
  command
      ->add_option("--scheduler-namespace", flags->dashboard.scheduler_namespace,
                   "where scheduler and descheduler keep the Secrets that say how to ask them")
      ->capture_default_str()
      ->type_name("NAMESPACE");
  command->callback([flags, &action] {
    action = [flags] {
      return RunRole(flags->role, [flags](RoleContext& context) -> Result<std::unique_ptr<Role>> {
        auto role = DashboardRole::Build(context, flags->dashboard);
        if (!role) return std::unexpected(role.error());
        fmt::print("dashboard {}\n", (*role)->address());
        std::fflush(stdout);
        return std::unique_ptr<Role>(std::move(*role));
      });
    };
  });
}

}  // namespace basalt::cli
