#include <CLI/CLI.hpp>
#include <memory>

#include "cli/batch_flags.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/showing.h"
#include "cli/status_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

Result<std::string> StatusNow(const AskFlags& ask, ClusterSession& cluster) {
  // Who may not read leases is told the rest.
  const auto leases =
      ListItems(cluster, {.path = PathOf(kube::resources::kLeases, ask.scheduler_namespace)});
  auto answer = AskScheduler(ask, "/v1/status");
  if (!answer) return std::unexpected(answer.error());
  if (!answer->is_object()) return Fail(ErrorCode::kUnavailable, "the scheduler's answer is none");
  json::object& status = answer->get_object();
  const json::array known = leases ? *leases : json::array();
  if (ask.output == "json" || ask.output == "yaml") status["leases"] = LeaseRows(known);
  if (ask.output == "name") {
    status["kind"] = "Status";
    status["name"] = cluster.server();
  }
  return Formatted(ask, *answer, "status",
                   [&] { return StatusText(status, known, cluster.server(), cluster.Now()); });
}

}  // namespace

void AddStatusCommand(CLI::App& app, Action& action) {
  auto ask = std::make_shared<AskFlags>();
  CLI::App* sub = app.add_subcommand(
      "status",
      "One screen of health: leaders, last cycle, queues, what waits and why, evictions, "
      "reservations, fragmentation");
  sub->add_flag("-w,--watch", ask->watch, "go on, and show it again every second");
  AddAskFlags(*sub, *ask);
  sub->callback([ask, &action] {
    action = [ask] {
      auto cluster = ClusterSession::Open(ask->kubeconfig, ask->master);
      if (!cluster) return Refused(cluster.error());
      return ShowOnScreen(*ask, [&] { return StatusNow(*ask, **cluster); });
    };
  });
}

}  // namespace basalt::cli
