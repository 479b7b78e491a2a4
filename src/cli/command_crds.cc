#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/crds.h"

namespace basalt::cli {

void AddCrdsCommand(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("crds", "Prints the CRDs as YAML, for kubectl apply -f -");
  command->callback([&action] {
    action = [] {
      fmt::print("{}", CrdManifests());
      return kExitOk;
    };
  });
}

}  // namespace basalt::cli
