#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <memory>

#include "cli/batch_flags.h"
#include "cli/batch_text.h"
#include "cli/command.h"
#include "cli/json_fields.h"
#include "cli/manifests.h"
#include "cli/showing.h"
#include "cli/yaml_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// `jobflow` and `jobtemplate` differ in their kind only.
struct FlowCommand {
  const kube::Resource& resource;
  std::string word;  // "jobflow"
  BatchFlags batch;
  std::string file;
};

int CreateFlows(const FlowCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  const auto manifests = ReadManifestsOf(command.resource, command.file, ask.ns);
  if (!manifests) return Refused(manifests.error());
  for (const Manifest& manifest : *manifests) {
    auto made = cluster.Send({.method = "POST",
                              .path = PathOf(command.resource, manifest.ns),
                              .body = json::serialize(manifest.object)});
    if (!made) return Refused(made.error().Wrap(manifest.origin));
    ReportChange(ask, made, command.resource, manifest.name,
                 fmt::format("Created {}: {}/{}", command.word, manifest.ns, manifest.name));
  }
  return kExitOk;
}

int DeleteFlows(const FlowCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  std::vector<std::pair<std::string, std::string>> which = {{ask.ns, command.batch.name}};
  if (!command.file.empty()) {
    const auto manifests = ReadManifestsOf(command.resource, command.file, ask.ns);
    if (!manifests) return Refused(manifests.error());
    which.clear();
    for (const Manifest& manifest : *manifests) which.emplace_back(manifest.ns, manifest.name);
  }
  for (const auto& [ns, name] : which) {
    const int code = ReportChange(
        ask, cluster.Send({.method = "DELETE", .path = PathOf(command.resource, ns, name)}),
        command.resource, name, fmt::format("Deleted {}: {}/{}", command.word, ns, name));
    if (code != kExitOk) return code;
  }
  return kExitOk;
}

int ListFlows(const FlowCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  return ShowOrWatch(ask, [&]() -> Result<std::string> {
    auto objects =
        ListObjects(cluster, command.resource, ask.all_namespaces ? "" : ask.ns, {ask.selector});
    if (!objects) return std::unexpected(objects.error());
    return Formatted(ask, ListOf(*std::move(objects)), command.word, [&](const json::value& shown) {
      return FlowsText(ItemsOf(shown), command.word, cluster.Now());
    });
  });
}

int ShowFlow(const FlowCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  return ShowOrWatch(ask, [&]() -> Result<std::string> {
    const auto found = cluster.Send({.path = PathOf(command.resource, ask.ns, command.batch.name)});
    if (!found) return std::unexpected(found.error());
    return Formatted(ask, *found, command.word, [&](const json::value& shown) {
      return command.batch.verb == "describe" ? YamlText(*found)
                                              : FlowsText({shown}, command.word, cluster.Now());
    });
  });
}

int RunFlowCommand(FlowCommand& command) {
  const bool create = command.batch.verb == "create", from_file = !command.file.empty();
  const auto with = [&](int (*run)(const FlowCommand&, ClusterSession&)) {
    return [&command, run](ClusterSession& cluster) { return run(command, cluster); };
  };
  return RunVerb(command.word, command.batch,
                 create && !from_file ? command.word + " create needs --file" : "",
                 {{"create", TakesName::kNo, with(CreateFlows)},
                  {"list", TakesName::kNo, with(ListFlows)},
                  {"get", TakesName::kYes, with(ShowFlow)},
                  {"describe", TakesName::kYes, with(ShowFlow)},
                  {"delete", from_file ? TakesName::kNo : TakesName::kYes, with(DeleteFlows)}});
}

void AddFlowCommand(CLI::App& app, Action& action, const kube::Resource& resource, std::string word,
                    const std::string& about) {
  auto command = std::make_shared<FlowCommand>(resource, std::move(word));
  CLI::App* sub =
      app.add_subcommand(command->word, "create, list, get, describe, delete: " + about);
  AddBatchFlags(*sub, command->batch, {"create", "list", "get", "describe", "delete"},
                {"list", "get", "describe"}, NameLetters::kNamespaced);
  command->batch.rules.Add(
      sub->add_option(
          "-f,--file", command->file,
          "with create and delete: those of this file, which may have several documents"),
      {"create", "delete"});
  sub->callback([command, &action] { action = [command] { return RunFlowCommand(*command); }; });
}

}  // namespace

void AddJobFlowCommands(CLI::App& app, Action& action) {
  AddFlowCommand(app, action, kube::resources::kJobFlows, "jobflow",
                 "jobs that wait for each other");
  AddFlowCommand(app, action, kube::resources::kJobTemplates, "jobtemplate",
                 "what the jobs of a flow are made from");
}

}  // namespace basalt::cli
