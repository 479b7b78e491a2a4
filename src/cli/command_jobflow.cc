#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <memory>

#include "cli/batch_flags.h"
#include "cli/batch_text.h"
#include "cli/command.h"
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

// What the file holds, all of the command's kind.
Result<std::vector<Manifest>> ReadFlows(const FlowCommand& command) {
  auto manifests = ReadManifests(command.file);
  if (!manifests) return manifests;
  for (Manifest& manifest : *manifests) {
    if (manifest.api_version != command.resource.ApiVersion() ||
        manifest.kind != command.resource.kind) {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: want a {} of {}, not {} of {}", manifest.origin, command.resource.kind,
                      command.resource.ApiVersion(), manifest.kind, manifest.api_version));
    }
    if (manifest.ns.empty()) manifest.ns = command.batch.ask.ns;
  }
  return manifests;
}

int CreateFlows(const FlowCommand& command, ClusterSession& cluster) {
  const auto manifests = ReadFlows(command);
  if (!manifests) return Refused(manifests.error());
  for (const Manifest& manifest : *manifests) {
    const auto made = cluster.Send({.method = "POST",
                                    .path = PathOf(command.resource, manifest.ns),
                                    .body = json::serialize(manifest.object)});
    if (!made) return Refused(made.error().Wrap(manifest.origin));
    if (!PrintForPrograms(command.batch.ask, *made)) {
      fmt::print("Created {}: {}/{}\n", command.word, manifest.ns, manifest.name);
    }
  }
  return kExitOk;
}

int DeleteFlows(const FlowCommand& command, ClusterSession& cluster) {
  std::vector<std::pair<std::string, std::string>> which;
  if (command.file.empty()) {
    which.emplace_back(command.batch.ask.ns, command.batch.name);
  } else {
    const auto manifests = ReadFlows(command);
    if (!manifests) return Refused(manifests.error());
    for (const Manifest& manifest : *manifests) which.emplace_back(manifest.ns, manifest.name);
  }
  for (const auto& [ns, name] : which) {
    const auto gone =
        cluster.Send({.method = "DELETE", .path = PathOf(command.resource, ns, name)});
    if (!gone) return Refused(gone.error());
    fmt::print("Deleted {}: {}/{}\n", command.word, ns, name);
  }
  return kExitOk;
}

Result<std::string> FlowsNow(const FlowCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  auto objects =
      ListItems(cluster, ask, {.path = PathOf(command.resource, ask.all_namespaces ? "" : ask.ns)});
  if (!objects) return std::unexpected(objects.error());
  return Formatted(ask, ListOf(*objects), command.word,
                   [&] { return FlowsText(*objects, command.word, cluster.Now()); });
}

int ListFlows(const FlowCommand& command, ClusterSession& cluster) {
  return ShowOrWatch(command.batch.ask, [&] { return FlowsNow(command, cluster); });
}

int ShowFlow(const FlowCommand& command, ClusterSession& cluster) {
  const auto found =
      cluster.Send({.path = PathOf(command.resource, command.batch.ask.ns, command.batch.name)});
  if (!found) return Refused(found.error());
  if (PrintForPrograms(command.batch.ask, *found)) return kExitOk;
  fmt::print("{}", command.batch.verb == "describe"
                       ? YamlText(*found)
                       : FlowsText({*found}, command.word, cluster.Now()));
  return kExitOk;
}

// "": the command makes sense.
std::string WrongFlowUse(FlowCommand& command) {
  const std::string& verb = command.batch.verb;
  const bool needs_name =
      verb == "get" || verb == "describe" || (verb == "delete" && command.file.empty());
  if (std::string wrong = TakeName(command.batch, needs_name); !wrong.empty()) return wrong;
  if (verb == "create" && command.file.empty()) return "create needs --file";
  if (verb == "list" && !command.batch.name.empty()) return "list takes no NAME";
  return "";
}

int RunFlowCommand(FlowCommand& command) {
  if (const std::string wrong = WrongFlowUse(command); !wrong.empty()) {
    PrintError(fmt::format("{}: {}", command.word, wrong));
    return kExitUsage;
  }
  auto cluster = OpenSession(command.batch);
  if (!cluster) return Refused(cluster.error());
  const std::string& verb = command.batch.verb;
  if (verb == "create") return CreateFlows(command, **cluster);
  if (verb == "delete") return DeleteFlows(command, **cluster);
  return verb == "list" ? ListFlows(command, **cluster) : ShowFlow(command, **cluster);
}

void AddFlowCommand(CLI::App& app, Action& action, const kube::Resource& resource, std::string word,
                    const std::string& about) {
  auto command = std::make_shared<FlowCommand>(resource, std::move(word));
  CLI::App* sub =
      app.add_subcommand(command->word, "create, list, get, describe, delete: " + about);
  AddBatchFlags(*sub, command->batch, {"create", "list", "get", "describe", "delete"},
                NameLetters::kNamespaced);
  sub->add_option("-f,--file", command->file,
                  "with create and delete: those of this file, which may have several documents");
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
