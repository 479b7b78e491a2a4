#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/explanation_text.h"

namespace basalt::cli {

void AddPodGroupCommand(CLI::App& app, Action& action) {
  struct Flags {
    AskFlags ask;
    std::string verb;
    bool all = false;
  };
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand(
      "podgroup",
      "list: every PodGroup, those that exist in the scheduler alone marked \"shadow\"");
  command->add_option("verb", flags->verb, "list")->required()->check(CLI::IsMember({"list"}));
  command->add_option("-n,--namespace", flags->ask.ns, "only of this namespace; without it: all");
  command->add_flag("-A,--all-namespaces", flags->all, "of all namespaces");
  AddAskFlags(*command, flags->ask);
  command->callback([flags, &action] {
    action = [flags] {
      const bool all = flags->all || flags->ask.ns.empty();
      const auto answer =
          AskScheduler(flags->ask, all ? "/v1/podgroups" : "/v1/podgroups/{namespace}");
      if (!answer) return Refused(answer.error());
      if (!PrintForPrograms(flags->ask, *answer)) {
        fmt::print("{}", PodGroupsText(answer->as_object()));
      }
      return kExitOk;
    };
  });
}

}  // namespace basalt::cli
