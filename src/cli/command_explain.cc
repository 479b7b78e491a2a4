#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/explanation_text.h"
#include "net/url.h"

namespace basalt::cli {

void AddExplainCommand(CLI::App& app, Action& action) {
  struct Flags {
    AskFlags ask;
    std::string kind;
    std::string name;
  };
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand(
      "explain", "Why a pod, PodGroup or queue waits, and what would let it run");
  command->add_option("kind", flags->kind, "pod, podgroup or queue")
      ->required()
      ->check(CLI::IsMember({"pod", "podgroup", "queue"}));
  command->add_option("name", flags->name, "its name")->required();
  command->add_option("-n,--namespace", flags->ask.ns,
                      "its namespace; without it: that of the kubeconfig");
  AddAskFlags(*command, flags->ask);
  command->callback([flags, &action] {
    action = [flags] {
      const std::string name = net::PercentEncode(flags->name);
      const auto answer = AskScheduler(
          flags->ask, flags->kind == "queue"
                          ? fmt::format("/v1/explain/queue/{}", name)
                          : fmt::format("/v1/explain/{}/{{namespace}}/{}", flags->kind, name));
      if (!answer) return Refused(answer.error());
      if (!PrintForPrograms(flags->ask, *answer)) {
        fmt::print("{}", ExplanationText(answer->as_object()));
      }
      return kExitOk;
    };
  });
}

}  // namespace basalt::cli
