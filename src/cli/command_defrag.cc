#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <memory>

#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/defrag_text.h"
#include "cli/flag_checks.h"
#include "cli/json_fields.h"
#include "cli/role_client.h"
#include "cli/showing.h"
#include "cli/shown_text.h"
#include "cli/verb_rules.h"
#include "descheduler/service/api_handler.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kRunsPath = "/v1/defragmentation";
constexpr Duration kFollow = 500ms;
// For so long a descheduler may be away while its run is followed.
constexpr Duration kMostAbsence = 30s;

struct DefragCommand {
  AskFlags ask;  // its scheduler's namespace is not used
  std::string ns = "volcano-system";
  std::string verb;
  std::string id;
  std::string resource;
  bool no_wait = false;
  VerbRules rules;
};

Result<std::unique_ptr<RoleClient>> OpenDescheduler(const DefragCommand& command) {
  return RoleClient::Open(
      command.ask, {.role = "descheduler",
                    .secret = descheduler::kApiSecret,
                    .server_name = descheduler::kApiServerName,
                    .ns = command.ns,
                    .how_to_have_one = "Start \"basalt descheduler\", or name its namespace with "
                                       "--descheduler-namespace"});
}

bool OnTerminal() { return isatty(STDOUT_FILENO) == 1; }

std::string PlanText(const DefragCommand& command, const json::object& plan) {
  if (command.ask.output == "name") return fmt::format("plan/{}\n", OneLine(TextAt(&plan, "id")));
  return Formatted(command.ask, plan, "plan", [](const json::value& shown) {
    return DefragText(ObjectOf(shown), OnTerminal());
  });
}

void PrintPlan(const DefragCommand& command, const json::object& plan) {
  fmt::print("{}", PlanText(command, plan));
}

std::string PathOfRun(const std::string& id) {
  return fmt::format("{}/{}", kRunsPath, net::PercentEncode(id));
}

// The plan in an answer. An error has the descheduler's words.
Result<json::object> PlanIn(const Result<RoleClient::Answer>& answer) {
  if (!answer) return std::unexpected(answer.error());
  if (answer->status >= 300 || !answer->body.is_object()) {
    return Fail(answer->status == 404 ? ErrorCode::kNotFound : ErrorCode::kUnknown,
                answer->message);
  }
  return answer->body.get_object();
}

Result<json::object> Post(const DefragCommand& command, RoleClient& descheduler, bool dry) {
  json::object body;
  if (dry) body["dryRun"] = true;
  if (!command.resource.empty()) body["resourceType"] = command.resource;
  if (!command.ask.selector.empty()) body["nodeSelector"] = command.ask.selector;
  return PlanIn(descheduler.Send("POST", std::string(kRunsPath), json::serialize(body)));
}

// What a run would do now.
Result<json::object> NewPlan(const DefragCommand& command) {
  const auto descheduler = OpenDescheduler(command);
  if (!descheduler) return std::unexpected(descheduler.error());
  return Post(command, **descheduler, true);
}

// Asks until the run has ended. A descheduler that is away for a moment is looked for again.
Result<json::object> Follow(const DefragCommand& command, std::unique_ptr<RoleClient> descheduler,
                            json::object plan) {
  const std::string path = PathOfRun(TextAt(&plan, "id"));
  const bool shows = OnTerminal() && command.ask.output.empty();
  Duration absent{0};
  while (TextAt(&plan, "state") == "Running") {
    if (shows) {
      fmt::print("\r{}\x1b[K", DefragProgress(plan));
      std::fflush(stdout);
    }
    descheduler->Wait(kFollow);
    Result<json::object> now = PlanIn(descheduler->Send("GET", path));
    if (now) {
      absent = Duration{0};
      plan = std::move(*now);
      continue;
    }
    absent += kFollow;
    if (now.error().code == ErrorCode::kNotFound || absent > kMostAbsence) {
      if (shows) fmt::print("\n");
      return std::unexpected(now.error().Wrap("the run was not followed to its end"));
    }
    if (auto again = OpenDescheduler(command)) descheduler = std::move(*again);
  }
  if (shows) fmt::print("\r\x1b[K");
  return plan;
}

int DoRun(const DefragCommand& command) {
  auto descheduler = OpenDescheduler(command);
  if (!descheduler) return Refused(descheduler.error());
  Result<json::object> plan = Post(command, **descheduler, false);
  if (!plan) return Refused(plan.error());
  if (command.no_wait) {
    const bool for_people = command.ask.output.empty() || command.ask.output == "wide";
    fmt::print("{}", for_people ? OneLine(TextAt(&*plan, "id")) + "\n" : PlanText(command, *plan));
    return kExitOk;
  }
  if (OnTerminal() && command.ask.output.empty()) PrintPlan(command, *plan);
  plan = Follow(command, std::move(*descheduler), std::move(*plan));
  if (!plan) return Refused(plan.error());
  PrintPlan(command, *plan);
  const std::string state = TextAt(&*plan, "state");
  if (state == "Planned") {
    PrintError(
        "nothing was done: the descheduler's policy, or its flag --dry-run, asks for dry "
        "runs alone");
  }
  return state == "Succeeded" ? kExitOk : kExitFailure;
}

// A plan as it stands, the newest or that with the ID.
Result<json::object> PlanNow(const DefragCommand& command) {
  const auto descheduler = OpenDescheduler(command);
  if (!descheduler) return std::unexpected(descheduler.error());
  if (!command.id.empty()) {
    return PlanIn((*descheduler)->Send("GET", PathOfRun(command.id)));
  }
  const Result<json::object> list = PlanIn((*descheduler)->Send("GET", std::string(kRunsPath)));
  if (!list) return std::unexpected(list.error());
  const json::array& items = ArrayAt(&*list, "items");
  if (items.empty() || !items.front().is_object()) {
    return Fail(ErrorCode::kNotFound, "there is no plan yet: \"basalt defrag plan\" makes one");
  }
  return items.front().get_object();
}

int RunDefrag(const DefragCommand& command) {
  if (const std::string wrong = command.rules.Misplaced("defrag", command.verb); !wrong.empty()) {
    PrintError(wrong);
    return kExitUsage;
  }
  if (command.verb == "run") return DoRun(command);
  return ShowOrWatch(command.ask, [&]() -> Result<std::string> {
    const Result<json::object> plan = command.verb == "plan" ? NewPlan(command) : PlanNow(command);
    if (!plan) return std::unexpected(plan.error());
    return PlanText(command, *plan);
  });
}

}  // namespace

void AddDefragCommand(CLI::App& app, Action& action) {
  auto flags = std::make_shared<DefragCommand>();
  CLI::App* command = app.add_subcommand(
      "defrag", "plan, run, status: makes whole nodes free, by asking the descheduler");
  command
      ->add_option("verb", flags->verb,
                   "plan: what a run would do now; run: move pods, each to a place that is held "
                   "for it; status: a plan as it stands, the newest or ID")
      ->required()
      ->check(OneOf({"plan", "run", "status"}));
  VerbRules& rules = flags->rules;
  rules.Add(command->add_option("id", flags->id, "with status: the plan"), {"status"});
  rules.Add(command->add_option(
                "--resource", flags->resource,
                "the resource whose fragments are put together; without it: the policy's"),
            {"plan", "run"});
  AddListFlags(*command, flags->ask);
  rules.Add(command->get_option("--label-selector")
                ->description("with plan and run: only nodes with these labels"),
            {"plan", "run"});
  rules.Add(command->get_option("--watch")->description(
                "with plan and status: go on, and show what changes; run does so by itself"),
            {"plan", "status"});
  AddAllNamespacesFlag(*command, flags->ask, "as with other commands; pods of all are moved");
  rules.Add(command->add_flag("--no-wait", flags->no_wait,
                              "with run: print the run's id, and do not wait for its end"),
            {"run"});
  command
      ->add_option("--descheduler-namespace", flags->ns,
                   "where the descheduler keeps its Secret basalt-descheduler")
      ->capture_default_str();
  AddOutputFlag(*command, flags->ask);
  AddClusterFlags(*command, flags->ask);
  command->callback([flags, &action] { action = [flags] { return RunDefrag(*flags); }; });
}

}  // namespace basalt::cli
