#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/nearest.h"
#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/explain_job.h"
#include "cli/explain_pods.h"
#include "cli/explanation_text.h"
#include "cli/showing.h"
#include "net/url.h"

namespace basalt::cli {

namespace {

namespace json = boost::json;

struct ExplainCommand {
  AskFlags ask;
  std::string kind;
  std::string name;
  std::string queue;
};

const std::vector<std::string> kKinds = {"pod",         "podgroup", "job",        "queue",
                                         "reservation", "scale",    "deployment", "replicaset",
                                         "statefulset", "daemonset"};

// As kubectl has them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kAliases{
    {{"po", "pod"},
     {"pods", "pod"},
     {"pg", "podgroup"},
     {"podgroups", "podgroup"},
     {"vcjob", "job"},
     {"vj", "job"},
     {"jobs", "job"},
     {"q", "queue"},
     {"queues", "queue"},
     {"rsv", "reservation"},
     {"reservations", "reservation"},
     {"deploy", "deployment"},
     {"deployments", "deployment"},
     {"rs", "replicaset"},
     {"replicasets", "replicaset"},
     {"sts", "statefulset"},
     {"statefulsets", "statefulset"},
     {"ds", "daemonset"},
     {"daemonsets", "daemonset"}}};

bool IsWorkload(std::string_view kind) {
  return kind == "deployment" || kind == "replicaset" || kind == "statefulset" ||
         kind == "daemonset";
}

Result<json::value> AskForScale(const ExplainCommand& command) {
  std::string path = "/v1/explain/scale";
  if (!command.ask.all_namespaces && !command.ask.ns.empty()) path += "/{namespace}";
  if (!command.queue.empty()) path += "?queue=" + net::PercentEncode(command.queue);
  return AskScheduler(command.ask, path);
}

// A Job of Volcano's or, where there is none of that name, of Kubernetes.
Result<json::value> AskForJob(const ExplainCommand& command) {
  Result<json::object> job = ExplainJobOf(command.ask, command.name);
  if (job) return json::value(std::move(*job));
  if (job.error().code != ErrorCode::kNotFound) return std::unexpected(job.error());
  auto pods = ExplainPodsOfWorkload(command.ask, "batchjob", command.name);
  if (!pods && pods.error().code == ErrorCode::kNotFound && pods.error().http_status != 0) {
    return std::unexpected(job.error());  // neither of them
  }
  return pods;
}

Result<json::value> AskFor(const ExplainCommand& command) {
  const std::string& kind = command.kind;
  if (kind == "scale") return AskForScale(command);
  if (kind == "job") return AskForJob(command);
  if (IsWorkload(kind)) return ExplainPodsOfWorkload(command.ask, kind, command.name);
  if (!command.ask.selector.empty()) {
    return ExplainPodsWith(command.ask, command.ask.selector,
                           fmt::format("the selector {}", command.ask.selector));
  }
  const std::string name = net::PercentEncode(command.name);
  return AskScheduler(command.ask,
                      kind == "queue" ? fmt::format("/v1/explain/queue/{}", name)
                                      : fmt::format("/v1/explain/{}/{{namespace}}/{}", kind, name));
}

Result<std::string> ExplainNow(const ExplainCommand& command) {
  const auto answer = AskFor(command);
  if (!answer) return std::unexpected(answer.error());
  return Formatted(command.ask, *answer, command.kind, [&]() -> std::string {
    const json::object* object = answer->if_object();
    if (!object) return "";
    if (command.kind == "scale") return ScaleText(*object);
    return object->contains("items") ? ExplainedPodsText(*object) : ExplanationText(*object);
  });
}

// Takes KIND/NAME and short names apart. "": the command makes sense.
std::string WrongExplainUse(ExplainCommand& command) {
  if (const std::size_t slash = command.kind.find('/'); slash != std::string::npos) {
    if (!command.name.empty()) return fmt::format("two names are given: {}", command.name);
    command.name = command.kind.substr(slash + 1);
    command.kind.resize(slash);
  }
  for (const auto& [alias, kind] : kAliases) {
    if (command.kind == alias) command.kind = kind;
  }
  if (std::ranges::find(kKinds, command.kind) == kKinds.end()) {
    const std::string_view nearest = Nearest(command.kind, kKinds);
    return fmt::format("\"{}\" cannot be explained; {} can.{}", command.kind,
                       fmt::join(kKinds, ", "),
                       nearest.empty() ? "" : fmt::format(" Did you mean {}?", nearest));
  }
  const bool scale = command.kind == "scale";
  const bool by_label = command.kind == "pod" && !command.ask.selector.empty();
  if (scale && !command.name.empty()) {
    return "scale takes no NAME; --queue and --namespace choose pods";
  }
  if (!command.ask.selector.empty() && !by_label) return "--label-selector is for explain pod";
  if (!scale && by_label != command.name.empty()) {
    return by_label ? "either a NAME or --label-selector"
                    : fmt::format("{} needs its NAME", command.kind);
  }
  if (!scale && (command.ask.all_namespaces || !command.queue.empty())) {
    return "--queue and --all-namespaces are for explain scale";
  }
  return "";
}

}  // namespace

void AddExplainCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<ExplainCommand>();
  CLI::App* sub = app.add_subcommand(
      "explain",
      "Says why a pod, podgroup, job, queue, reservation or workload waits, and what would let it "
      "run; scale: what Cluster Autoscaler and Karpenter make of every pod without a node");
  sub->add_option("kind", command->kind,
                  "pod, podgroup, job, queue, reservation, deployment, replicaset, statefulset, "
                  "daemonset or scale; also KIND/NAME")
      ->required()
      ->type_name(fmt::format("KIND:{}", fmt::join(kKinds, "|")));
  sub->add_option("name", command->name, "its name; scale has none");
  AddNamespaceFlags(*sub, command->ask,
                    "its namespace; without it: that of the kubeconfig; with scale: only of this "
                    "namespace; without it: of all");
  sub->get_option("--all-namespaces")->description("with scale: of all namespaces");
  sub->add_option("--queue", command->queue, "with scale: only of this queue")->type_name("NAME");
  AddListFlags(*sub, command->ask);
  sub->get_option("--label-selector")->description("with pod: all pods with these labels");
  AddAskFlags(*sub, command->ask);
  sub->callback([command, &action] {
    action = [command] {
      if (const std::string wrong = WrongExplainUse(*command); !wrong.empty()) {
        PrintError("explain: " + wrong);
        return kExitUsage;
      }
      return ShowOrWatch(command->ask, [command] { return ExplainNow(*command); });
    };
  });
}

}  // namespace basalt::cli
