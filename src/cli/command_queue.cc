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
  const json::object queue{{"apiVersion", kQueues.ApiVersion()},
                           {"kind", kQueues.kind},
                           {"metadata", json::object{{"name", command.batch.name}}},
                           {"spec", json::object{{"weight", command.weight.value_or(1)}}}};
  const auto made =
      cluster.Send({.method = "POST", .path = PathOf(kQueues, ""), .body = json::serialize(queue)});
  if (!made) return Refused(made.error());
  if (!PrintForPrograms(command.batch.ask, *made)) {
    fmt::print("create queue {} successfully\n", command.batch.name);
  }
  return kExitOk;
}

int DeleteQueue(const QueueCommand& command, ClusterSession& cluster) {
  const auto gone =
      cluster.Send({.method = "DELETE", .path = PathOf(kQueues, "", command.batch.name)});
  if (!gone) return Refused(gone.error());
  fmt::print("delete queue {} successfully\n", command.batch.name);
  return kExitOk;
}

// Opening and closing is the controller's: it is asked by a Command.
int OperateQueue(const QueueCommand& command, ClusterSession& cluster) {
  const std::string& name = command.batch.name;
  if (command.action == "update") {
    const json::object patch{{"spec", json::object{{"weight", *command.weight}}}};
    const auto patched = cluster.Send({.method = "PATCH",
                                       .path = PathOf(kQueues, "", name),
                                       .body = json::serialize(patch),
                                       .content_type = "application/merge-patch+json"});
    if (!patched) return Refused(patched.error());
  } else {
    const auto queue = cluster.Send({.path = PathOf(kQueues, "", name)});
    if (!queue) return Refused(queue.error());
    const auto made =
        cluster.Send({.method = "POST",
                      .path = PathOf(kube::resources::kCommands, "default"),
                      .body = json::serialize(CommandBody(
                          queue->is_object() ? queue->get_object() : json::object(), "default",
                          command.action == "open" ? "OpenQueue" : "CloseQueue"))});
    if (!made) return Refused(made.error());
  }
  fmt::print("{} queue {} successfully\n", command.action, name);
  return kExitOk;
}

Result<std::string> QueuesNow(const QueueCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  auto queues = ListItems(cluster, ask, {.path = PathOf(kQueues, "")});
  if (!queues) return std::unexpected(queues.error());
  return Formatted(ask, ListOf(*queues), "queue",
                   [&] { return QueueTable(*queues, ask.output == "wide"); });
}

// As the scheduler counts it; where none answers, as it stands in the API.
Result<std::string> QueueNow(const QueueCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  const auto queue = cluster.Send({.path = PathOf(kQueues, "", command.batch.name)});
  if (!queue) return std::unexpected(queue.error());
  return Formatted(ask, *queue, "queue", [&] {
    std::string out = QueueTable({*queue}, ask.output == "wide");
    const auto answer = AskScheduler(ask, "/v1/queues/" + net::PercentEncode(command.batch.name));
    if (answer && answer->is_object()) out += "\n" + QueueText(answer->get_object());
    return out;
  });
}

int ListQueues(const QueueCommand& command, ClusterSession& cluster) {
  return ShowOrWatch(command.batch.ask, [&] { return QueuesNow(command, cluster); });
}

int GetQueue(const QueueCommand& command, ClusterSession& cluster) {
  return ShowOrWatch(command.batch.ask, [&] { return QueueNow(command, cluster); });
}

// "": the command makes sense.
std::string WrongQueueUse(QueueCommand& command) {
  const std::string& verb = command.batch.verb;
  if (std::string wrong = TakeName(command.batch, verb != "list"); !wrong.empty()) return wrong;
  if (verb == "list" && !command.batch.name.empty()) return "list takes no NAME";
  if (verb == "operate" && command.action.empty()) {
    return "operate needs --action open, close or update";
  }
  if (command.action == "update" && !command.weight)
    return "operate --action update needs --weight";
  return "";
}

int RunQueueCommand(QueueCommand& command) {
  if (const std::string wrong = WrongQueueUse(command); !wrong.empty()) {
    PrintError("queue: " + wrong);
    return kExitUsage;
  }
  auto cluster = OpenSession(command.batch);
  if (!cluster) return Refused(cluster.error());
  const std::string& verb = command.batch.verb;
  if (verb == "create") return CreateQueue(command, **cluster);
  if (verb == "delete") return DeleteQueue(command, **cluster);
  if (verb == "operate") return OperateQueue(command, **cluster);
  return verb == "list" ? ListQueues(command, **cluster) : GetQueue(command, **cluster);
}

}  // namespace

void AddQueueCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<QueueCommand>();
  CLI::App* sub = app.add_subcommand("queue", "create, delete, operate, list, get: queues");
  AddBatchFlags(*sub, command->batch, {"create", "delete", "operate", "list", "get"},
                NameLetters::kCluster);
  sub->add_option("-w,--weight", command->weight,
                  "with create (1 without it) and operate --action update: its share; with list "
                  "and get -w is --watch")
      ->check(CLI::Range(1, 65535));
  sub->add_option("-a,--action", command->action, "with operate: open, close or update")
      ->check(OneOf({"open", "close", "update"}));
  AddSchedulerNamespaceFlag(*sub, command->batch.ask);
  sub->callback([command, &action] { action = [command] { return RunQueueCommand(*command); }; });
}

}  // namespace basalt::cli
