#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/explanation_text.h"
#include "net/url.h"

namespace basalt::cli {

void AddQueueCommand(CLI::App& app, Action& action) {
  struct Flags {
    AskFlags ask;
    std::string verb;
    std::string name;
  };
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      app.add_subcommand("queue", "list, get NAME: queues as the scheduler sees them");
  command->add_option("verb", flags->verb, "list or get")
      ->required()
      ->check(CLI::IsMember({"list", "get"}));
  command->add_option("name", flags->name, "with get: the queue");
  AddAskFlags(*command, flags->ask);
  command->callback([flags, &action] {
    action = [flags] {
      const bool get = flags->verb == "get";
      if (get == flags->name.empty()) {
        PrintError(get ? "queue get needs the queue's NAME" : "queue list takes no NAME");
        return kExitUsage;
      }
      const auto answer = AskScheduler(
          flags->ask, get ? "/v1/queues/" + net::PercentEncode(flags->name) : "/v1/queues");
      if (!answer) return Refused(answer.error());
      if (!PrintForPrograms(flags->ask, *answer)) {
        fmt::print("{}", get ? QueueText(answer->as_object()) : QueuesText(answer->as_object()));
      }
      return kExitOk;
    };
  });
}

}  // namespace basalt::cli
