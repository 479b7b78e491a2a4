#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/explain_job.h"
#include "cli/explanation_text.h"
#include "net/url.h"

namespace basalt::cli {

namespace {

struct Flags {
  AskFlags ask;
  std::string kind;
  std::string name;
  std::string queue;
  bool all = false;
};

int ExplainScale(const Flags& flags) {
  std::string path = "/v1/explain/scale";
  if (!flags.all && !flags.ask.ns.empty()) path += "/{namespace}";
  if (!flags.queue.empty()) path += "?queue=" + net::PercentEncode(flags.queue);
  const auto answer = AskScheduler(flags.ask, path);
  if (!answer) return Refused(answer.error());
  if (!PrintForPrograms(flags.ask, *answer)) fmt::print("{}", ScaleText(answer->as_object()));
  return kExitOk;
}

int ExplainJobByName(const Flags& flags) {
  const auto answer = ExplainJobOf(flags.ask, flags.name);
  if (!answer) return Refused(answer.error());
  if (!PrintForPrograms(flags.ask, *answer)) fmt::print("{}", ExplanationText(*answer));
  return kExitOk;
}

int ExplainOne(const Flags& flags) {
  if (flags.kind == "job") return ExplainJobByName(flags);
  const std::string name = net::PercentEncode(flags.name);
  const auto answer = AskScheduler(
      flags.ask, flags.kind == "queue"
                     ? fmt::format("/v1/explain/queue/{}", name)
                     : fmt::format("/v1/explain/{}/{{namespace}}/{}", flags.kind, name));
  if (!answer) return Refused(answer.error());
  if (!PrintForPrograms(flags.ask, *answer)) {
    fmt::print("{}", ExplanationText(answer->as_object()));
  }
  return kExitOk;
}

}  // namespace

void AddExplainCommand(CLI::App& app, Action& action) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand(
      "explain",
      "pod, podgroup, job, queue, reservation NAME: why it waits, and what would "
      "let it run; scale: what Cluster "
      "Autoscaler and Karpenter make of every pod without a node, and why");
  command->add_option("kind", flags->kind, "pod, podgroup, job, queue, reservation or scale")
      ->required()
      ->check(CLI::IsMember({"pod", "podgroup", "job", "queue", "reservation", "scale"}));
  command->add_option("name", flags->name, "its name; scale has none");
  command->add_option("-n,--namespace", flags->ask.ns,
                      "its namespace; without it: that of the kubeconfig; with scale: only of this "
                      "namespace; without it: of all");
  command->add_flag("-A,--all-namespaces", flags->all, "with scale: of all namespaces");
  command->add_option("--queue", flags->queue, "with scale: only of this queue");
  AddAskFlags(*command, flags->ask);
  command->callback([flags, &action] {
    action = [flags] {
      const bool scale = flags->kind == "scale";
      if (scale != flags->name.empty()) {
        PrintError(scale ? "explain scale takes no NAME; --queue and --namespace choose pods"
                         : fmt::format("explain {} needs its NAME", flags->kind));
        return kExitUsage;
      }
      if (!scale && (flags->all || !flags->queue.empty())) {
        PrintError("--queue and --all-namespaces are for explain scale");
        return kExitUsage;
      }
      return scale ? ExplainScale(*flags) : ExplainOne(*flags);
    };
  });
}

}  // namespace basalt::cli
