#include <CLI/CLI.hpp>
#include <memory>
#include <set>
#include <utility>

#include "cli/batch_flags.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/explanation_text.h"
#include "cli/flag_checks.h"
#include "cli/json_fields.h"
#include "cli/showing.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

struct PodGroupCommand {
  AskFlags ask;
  std::string verb;
};

// The scheduler keeps no labels of groups: those that have them are asked for by them.
Result<void> KeepLabelled(const AskFlags& flags, json::value& answer) {
  auto cluster = ClusterSession::Open(flags.cluster);
  if (!cluster) return std::unexpected(cluster.error());
  const auto labelled =
      ListObjects(**cluster, kube::resources::kPodGroups, flags.ns, {flags.selector});
  if (!labelled) return std::unexpected(labelled.error());
  std::set<std::pair<std::string, std::string>> known;
  for (const json::value& group : *labelled) {
    known.emplace(MetaText(ObjectOf(group), "namespace"), MetaText(ObjectOf(group), "name"));
  }
  json::array kept;
  for (const json::value& row : ItemsOf(answer)) {
    const json::object* group = row.if_object();
    if (known.contains({TextAt(group, "namespace"), TextAt(group, "name")})) kept.push_back(row);
  }
  answer = json::object{{"items", std::move(kept)}};
  return {};
}

Result<std::string> PodGroupsNow(const PodGroupCommand& command) {
  const AskFlags& ask = command.ask;
  const bool all = ask.all_namespaces || ask.ns.empty();
  auto answer = AskScheduler(ask, all ? "/v1/podgroups" : "/v1/podgroups/{namespace}");
  if (!answer) return std::unexpected(answer.error());
  if (!ask.selector.empty()) {
    if (auto kept = KeepLabelled(ask, *answer); !kept) return std::unexpected(kept.error());
  }
  return Formatted(ask, *answer, "podgroup.scheduling.volcano.sh",
                   [&](const json::value& shown) { return PodGroupsText(ItemsOf(shown), ask); });
}

}  // namespace

void AddPodGroupCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<PodGroupCommand>();
  CLI::App* sub = app.add_subcommand(
      "podgroup",
      "list: every PodGroup, those that exist in the scheduler alone marked \"shadow\"");
  sub->add_option("verb", command->verb, "list")->required()->check(OneOf({"list"}));
  AddNamespaceFlags(*sub, command->ask, "only of this namespace; without it: all");
  AddListFlags(*sub, command->ask);
  AddAskFlags(*sub, command->ask);
  sub->callback([command, &action] {
    action = [command] {
      return ShowOrWatch(command->ask, [command] { return PodGroupsNow(*command); });
    };
  });
}

}  // namespace basalt::cli
