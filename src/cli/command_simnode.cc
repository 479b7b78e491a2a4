#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/role_flags.h"

namespace basalt::cli {

void AddSimnodeCommand(CLI::App& app, Action& action) {
  struct Flags {
    RoleFlags role;
    SimnodeRoleOptions simnode;
  };
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand(
      "simnode", "Simulates nodes of a cluster: keeps them ready and runs their pods");
  AddRoleFlags(*command, flags->role);
  command->add_option("--node-selector", flags->simnode.node_selector,
                      "only nodes with these labels");
  command->add_option("--node-annotation", flags->simnode.node_annotation,
                      "only nodes with an annotation of this name");
  command
      ->add_option("--heartbeats", flags->simnode.heartbeats,
                   "renew leases and status, as a real control plane wants it")
      ->capture_default_str();
  command->callback([flags, &action] {
    action = [flags] {
      return RunRole(flags->role, [flags](kube::Client& client) {
        return BuildSimnode(client, flags->simnode);
      });
    };
  });
}

}  // namespace basalt::cli
