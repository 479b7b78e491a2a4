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
#include "cli/json_fields.h"
#include "cli/one_of.h"
#include "cli/role_client.h"
#include "descheduler/service/api_handler.h"

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

void PrintPlan(const DefragCommand& command, const json::value& plan) {
  if (PrintForPrograms(command.ask, plan)) return;
  fmt::print("{}", DefragText(plan.as_object(), OnTerminal()));
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

int PlanRun(const DefragCommand& command) {
  const auto descheduler = OpenDescheduler(command);
  if (!descheduler) return Refused(descheduler.error());
  const Result<json::object> plan = Post(command, **descheduler, true);
  if (!plan) return Refused(plan.error());
  PrintPlan(command, *plan);
  return kExitOk;
}

// Asks until the run has ended. A descheduler that is away for a moment is looked for again.
Result<json::object> Follow(const DefragCommand& command, std::unique_ptr<RoleClient> descheduler,
                            json::object plan) {
  const std::string path = fmt::format("{}/{}", kRunsPath, TextAt(&plan, "id"));
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
    if (!PrintForPrograms(command.ask, *plan)) fmt::print("{}\n", TextAt(&*plan, "id"));
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

int ShowStatus(const DefragCommand& command) {
  const auto descheduler = OpenDescheduler(command);
  if (!descheduler) return Refused(descheduler.error());
  if (!command.id.empty()) {
    const Result<json::object> plan =
        PlanIn((*descheduler)->Send("GET", fmt::format("{}/{}", kRunsPath, command.id)));
    if (!plan) return Refused(plan.error());
    PrintPlan(command, *plan);
    return kExitOk;
  }
  const Result<json::object> list = PlanIn((*descheduler)->Send("GET", std::string(kRunsPath)));
  if (!list) return Refused(list.error());
  const json::array& items = ArrayAt(&*list, "items");
  if (items.empty() || !items.front().is_object()) {
    PrintError("there is no plan yet: \"basalt defrag plan\" makes one");
    return kExitFailure;
  }
  PrintPlan(command, items.front());
  return kExitOk;
}

// "": the command makes sense.
std::string WrongDefragUse(const DefragCommand& command) {
  const bool status = command.verb == "status";
  if (!status && !command.id.empty()) {
    return fmt::format("defrag {} takes no ID; defrag status does", command.verb);
  }
  if (status && (!command.resource.empty() || !command.ask.selector.empty())) {
    return "--resource and --label-selector are for defrag plan and defrag run";
  }
  if (command.no_wait && command.verb != "run") return "--no-wait is for defrag run";
  return "";
}

int RunDefrag(const DefragCommand& command) {
  if (const std::string wrong = WrongDefragUse(command); !wrong.empty()) {
    PrintError(wrong);
    return kExitUsage;
  }
  if (command.verb == "plan") return PlanRun(command);
  if (command.verb == "run") return DoRun(command);
  return ShowStatus(command);
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
  command->add_option("id", flags->id, "with status: the plan");
  command->add_option("--resource", flags->resource,
                      "the resource whose fragments are put together; without it: the policy's");
  command->add_option("-l,--label-selector", flags->ask.selector, "only nodes with these labels");
  command->add_flag("--no-wait", flags->no_wait,
                    "with run: print the run's id, and do not wait for its end");
  command
      ->add_option("--descheduler-namespace", flags->ns,
                   "where the descheduler keeps its Secret basalt-descheduler")
      ->capture_default_str();
  AddOutputFlag(*command, flags->ask);
  AddClusterFlags(*command, flags->ask);
  command->callback([flags, &action] { action = [flags] { return RunDefrag(*flags); }; });
}

}  // namespace basalt::cli
