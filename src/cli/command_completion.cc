#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/crds.h"
#include "cli/flag_checks.h"
#include "cli/help_text.h"
#include "cli/manifests.h"
#include "cli/reference_text.h"
#include "scheduler/config/config.h"

namespace basalt::cli {
namespace {

int PrintReference(const CLI::App& app, const std::string& page) {
  if (page == "commands") {
    fmt::print("{}", CommandsReference(app));
    return kExitOk;
  }
  if (page == "configuration") {
    fmt::print("{}", scheduler::DefaultConfigYaml());
    return kExitOk;
  }
  auto manifests = ParseManifests(CrdManifests(), "built-in CRDs");
  if (!manifests) return Refused(manifests.error());
  std::vector<boost::json::object> crds;
  for (Manifest& manifest : *manifests) crds.push_back(std::move(manifest.object));
  fmt::print("{}", CrdsReference(crds));
  return kExitOk;
}

}  // namespace

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
  // For scripts/reference.
  auto page = std::make_shared<std::string>();
  CLI::App* reference = app.add_subcommand("reference", "Prints a page of docs/reference");
  reference->group("");
  reference->add_option("page", *page, "commands, crds or configuration")
      ->required()
      ->check(OneOf({"commands", "crds", "configuration"}));
  reference->callback(
      [&app, page, &action] { action = [&app, page] { return PrintReference(app, *page); }; });
  CLI::App* man = app.add_subcommand("man", "Prints the manual page");
  man->callback([&app, &action] {
    action = [&app] {
      fmt::print("{}", ManPage(app));
      return kExitOk;
    };
  });
}

}  // namespace basalt::cli
