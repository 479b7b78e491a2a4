#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"

namespace basalt::cli {

void AddVersionCommand(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("version", "Prints the version");
  command->callback([&action] {
    action = [] {
      fmt::print("basalt {}\n", BASALT_VERSION);
      return kExitOk;
    };
  });
}

}  // namespace basalt::cli
