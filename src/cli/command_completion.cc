#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/completion.h"
#include "cli/help_text.h"
#include "cli/one_of.h"

namespace basalt::cli {

void AddCompletionCommands(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion =
      app.add_subcommand("completion", "Prints a script that completes commands in a shell");
  completion->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(OneOf({"bash", "zsh", "fish"}));
  completion->callback([shell, &action] {
    action = [shell] {
      fmt::print("{}", CompletionScript(*shell));
      return kExitOk;
    };
  });
  CLI::App* man = app.add_subcommand("man", "Prints the manual page");
  man->callback([&app, &action] {
    action = [&app] {
      fmt::print("{}", ManPage(app));
      return kExitOk;
    };
  });
}

}  // namespace basalt::cli
