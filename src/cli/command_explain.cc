#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/nearest.h"
#include "cli/ask_scheduler.h"
#include "cli/batch_flags.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/explain_job.h"
#include "cli/explain_pods.h"
#include "cli/explanation_text.h"
#include "cli/json_fields.h"
#include "cli/kind_words.h"
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
  auto pods = ExplainPodsOfWorkload(command.ask, kube::resources::kJobs, command.name);
  if (!pods && pods.error().code == ErrorCode::kNotFound && pods.error().http_status != 0) {
    return std::unexpected(job.error());  // neither of them
  }
  return pods;
}

Result<json::value> AskForAll(const ExplainCommand& command);

Result<json::value> AskFor(const ExplainCommand& command) {
  const std::string& kind = command.kind;
  if (kind == "scale") return AskForScale(command);
  if (command.name.empty()) return AskForAll(command);
  if (kind == "job") return AskForJob(command);
  if (const KindWord* found = FindKind(kind); found->workload) {
    return ExplainPodsOfWorkload(command.ask, *found->resource, command.name);
  }
  const std::string name = net::PercentEncode(command.name);
  return AskScheduler(command.ask,
                      kind == "queue" ? fmt::format("/v1/explain/queue/{}", name)
                                      : fmt::format("/v1/explain/{}/{{namespace}}/{}", kind, name));
}

// Those with the labels, the first ones of many: {"items": […], "found": N}.
Result<json::value> AskForAll(const ExplainCommand& command) {
  if (command.kind == "pod") {
    return ExplainPodsWith(command.ask, command.ask.selector,
                           command.ask.selector.empty()
                               ? "the cluster"
                               : fmt::format("the selector {}", command.ask.selector));
  }
  auto cluster = ClusterSession::Open(command.ask.cluster);
  if (!cluster) return std::unexpected(cluster.error());
  const bool everywhere = command.ask.all_namespaces || command.kind == "queue";
  const std::string& own = command.ask.ns.empty() ? (*cluster)->ns() : command.ask.ns;
  const auto listed = ListObjects(**cluster, *FindKind(command.kind)->resource,
                                  everywhere ? "" : own, {command.ask.selector});
  if (!listed) return std::unexpected(listed.error());
  if (listed->empty()) {
    return Fail(ErrorCode::kNotFound, command.ask.selector.empty()
                                          ? fmt::format("there is no {}", command.kind)
                                          : fmt::format("no {} has these labels", command.kind));
  }
  json::array explained;
  for (const json::value& item : *listed) {
    if (explained.size() == kMostExplained) break;
    ExplainCommand one = command;
    one.name = MetaText(ObjectOf(item), "name");
    one.ask.ns = MetaText(ObjectOf(item), "namespace");
    one.ask.all_namespaces = false;
    one.ask.selector.clear();
    auto answer = AskFor(one);
    if (!answer) return std::unexpected(answer.error());
    explained.push_back(std::move(*answer));
  }
  return json::object{{"found", static_cast<std::int64_t>(listed->size())},
                      {"items", std::move(explained)}};
}

std::string ExplainedText(const json::object& explained) {
  if (!explained.contains("items")) return ExplanationText(explained);
  if (explained.contains("pods")) return ExplainedPodsText(explained);
  std::string out;
  const json::array& items = ArrayAt(&explained, "items");
  for (const json::value& item : items) {
    out += (out.empty() ? "" : "\n") + ExplainedText(ObjectOf(item));
  }
  const std::int64_t rest = NumberAt(&explained, "found") - static_cast<std::int64_t>(items.size());
  if (rest > 0) out += fmt::format("\nand {} more\n", rest);
  return out;
}

Result<std::string> ExplainNow(const ExplainCommand& command) {
  const auto answer = AskFor(command);
  if (!answer) return std::unexpected(answer.error());
  const bool scale = command.kind == "scale";
  return Formatted(command.ask, *answer, scale ? "pod" : command.kind,
                   [&](const json::value& shown) {
                     return scale ? ScaleText(ObjectOf(shown)) : ExplainedText(ObjectOf(shown));
                   });
}

// Takes KIND/NAME and short names apart. "": the command makes sense.
std::string WrongExplainUse(ExplainCommand& command) {
  if (const std::size_t slash = command.kind.find('/'); slash != std::string::npos) {
    if (!command.name.empty()) return fmt::format("two names are given: {}", command.name);
    command.name = command.kind.substr(slash + 1);
    command.kind.resize(slash);
  }
  if (const KindWord* kind = FindKind(command.kind)) {
    command.kind = kind->word == "vcjob" ? "job" : kind->word;
  }
  if (std::ranges::find(kKinds, command.kind) == kKinds.end()) {
    const std::string_view nearest = Nearest(command.kind, kKinds);
    return fmt::format("\"{}\" cannot be explained; {} can.{}", command.kind,
                       fmt::join(kKinds, ", "),
                       nearest.empty() ? "" : fmt::format(" Did you mean {}?", nearest));
  }
  const bool scale = command.kind == "scale";
  const bool several = !command.ask.selector.empty() || command.ask.all_namespaces;
  if (scale && !command.name.empty()) {
    return "scale takes no NAME; --queue and --namespace choose pods";
  }
  if (scale && !command.ask.selector.empty()) {
    return "scale takes no labels; --queue and --namespace choose pods";
  }
  if (!scale && several != command.name.empty()) {
    return several ? "either a NAME, or --label-selector and --all-namespaces"
                   : fmt::format("{} needs its NAME, or --label-selector", command.kind);
  }
  if (!scale && !command.queue.empty()) return "--queue is for explain scale";
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
  sub->get_option("--all-namespaces")->description("without a NAME: of all namespaces");
  sub->add_option("--queue", command->queue, "with scale: only of this queue")->type_name("NAME");
  AddListFlags(*sub, command->ask);
  sub->get_option("--label-selector")
      ->description("in place of a NAME: all with these labels, the first ones of many");
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
