#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <optional>

#include "cli/batch_flags.h"
#include "cli/batch_text.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/explanation_text.h"
#include "cli/flag_checks.h"
#include "cli/job_body.h"
#include "cli/json_fields.h"
#include "cli/showing.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
using kube::resources::kQueues;

struct QueueCommand {
  BatchFlags batch;
  std::optional<std::int32_t> weight;
  std::string action;
};

int CreateQueue(const QueueCommand& command, ClusterSession& cluster) {
  const std::string& name = command.batch.name;
  const json::object queue{{"apiVersion", kQueues.ApiVersion()},
                           {"kind", kQueues.kind},
                           {"metadata", json::object{{"name", name}}},
                           {"spec", json::object{{"weight", command.weight.value_or(1)}}}};
  return ReportChange(
      command.batch.ask,
      cluster.Send({.method = "POST", .path = PathOf(kQueues, ""), .body = json::serialize(queue)}),
      kQueues, name, fmt::format("create queue {} successfully", name));
}

int DeleteQueue(const QueueCommand& command, ClusterSession& cluster) {
  const std::string& name = command.batch.name;
  return ReportChange(command.batch.ask,
                      cluster.Send({.method = "DELETE", .path = PathOf(kQueues, "", name)}),
                      kQueues, name, fmt::format("delete queue {} successfully", name));
}

// Opening and closing is the controller's: it is asked by a Command.
Result<json::value> Operate(const QueueCommand& command, ClusterSession& cluster) {
  const std::string path = PathOf(kQueues, "", command.batch.name);
  if (command.action == "update") {
    const json::object patch{{"spec", json::object{{"weight", *command.weight}}}};
    return cluster.Send({.method = "PATCH",
                         .path = path,
                         .body = json::serialize(patch),
                         .content_type = "application/merge-patch+json"});
  }
  const auto queue = cluster.Send({.path = path});
  if (!queue) return queue;
  return cluster.Send(
      {.method = "POST",
       .path = PathOf(kube::resources::kCommands, "default"),
       .body = json::serialize(CommandBody(
           ObjectOf(*queue), "default", command.action == "open" ? "OpenQueue" : "CloseQueue"))});
}

int OperateQueue(const QueueCommand& command, ClusterSession& cluster) {
  const std::string& name = command.batch.name;
  return ReportChange(command.batch.ask, Operate(command, cluster), kQueues, name,
                      fmt::format("{} queue {} successfully", command.action, name));
}

int ListQueues(const QueueCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  return ShowOrWatch(ask, [&]() -> Result<std::string> {
    auto queues = ListObjects(cluster, kQueues, "", {ask.selector});
    if (!queues) return std::unexpected(queues.error());
    return Formatted(ask, ListOf(*std::move(queues)), "queue",
                     [&](const json::value& shown) { return QueueTable(ItemsOf(shown), ask); });
  });
}

// As the scheduler counts it; where none answers, as it stands in the API.
int GetQueue(const QueueCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  const std::string& name = command.batch.name;
  return ShowOrWatch(ask, [&]() -> Result<std::string> {
    const auto queue = cluster.Send({.path = PathOf(kQueues, "", name)});
    if (!queue) return std::unexpected(queue.error());
    return Formatted(ask, *queue, "queue", [&](const json::value& shown) {
      std::string out = QueueTable({shown}, ask);
      const auto answer = AskScheduler(ask, "/v1/queues/" + net::PercentEncode(name));
      if (answer && answer->is_object()) out += "\n" + QueueText(answer->get_object());
      return out;
    });
  });
}

// "": the command makes sense.
std::string WrongQueueUse(const QueueCommand& command) {
  if (command.batch.verb == "operate" && command.action.empty()) {
    return "queue operate needs --action open, close or update";
  }
  if (command.action == "update" && !command.weight) {
    return "queue operate --action update needs --weight";
  }
  return "";
}

int RunQueueCommand(QueueCommand& command) {
  const auto with = [&](int (*run)(const QueueCommand&, ClusterSession&)) {
    return [&command, run](ClusterSession& cluster) { return run(command, cluster); };
  };
  return RunVerb("queue", command.batch, WrongQueueUse(command),
                 {{"create", TakesName::kYes, with(CreateQueue)},
                  {"delete", TakesName::kYes, with(DeleteQueue)},
                  {"operate", TakesName::kYes, with(OperateQueue)},
                  {"list", TakesName::kNo, with(ListQueues)},
                  {"get", TakesName::kYes, with(GetQueue)}});
}

}  // namespace

void AddQueueCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<QueueCommand>();
  CLI::App* sub = app.add_subcommand("queue", "create, delete, operate, list, get: queues");
  AddBatchFlags(*sub, command->batch, {"create", "delete", "operate", "list", "get"},
                {"list", "get"}, NameLetters::kCluster);
  VerbRules& rules = command->batch.rules;
  rules.Add(sub->add_option("-w,--weight", command->weight,
                            "with create (1 without it) and operate --action update: its share; "
                            "with list and get -w is --watch")
                ->check(CLI::Range(1, 65535)),
            {"create", "operate"});
  rules.Add(sub->add_option("-a,--action", command->action, "with operate: open, close or update")
                ->check(OneOf({"open", "close", "update"})),
            {"operate"});
  AddSchedulerNamespaceFlag(*sub, command->batch.ask);
  sub->callback([command, &action] { action = [command] { return RunQueueCommand(*command); }; });
}

}  // namespace basalt::cli
