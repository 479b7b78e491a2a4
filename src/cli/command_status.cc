#include <CLI/CLI.hpp>
#include <memory>
#include <set>

#include "cli/batch_flags.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/json_fields.h"
#include "cli/showing.h"
#include "cli/status_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// Leaves the queues that have the labels.
Result<void> ChooseQueues(const AskFlags& ask, ClusterSession& cluster, json::object& status) {
  const auto chosen = ListObjects(cluster, kube::resources::kQueues, "", {ask.selector});
  if (!chosen) return std::unexpected(chosen.error());
  std::set<std::string> names;
  for (const json::value& queue : *chosen) names.insert(MetaText(ObjectOf(queue), "name"));
  json::array left;
  for (const json::value& queue : ArrayAt(&status, "queues")) {
    if (names.contains(TextAt(queue.if_object(), "name"))) left.push_back(queue);
  }
  status["queues"] = std::move(left);
  return {};
}

// A user that may not read leases is told so, and gets the rest.
void AddLeases(const AskFlags& ask, ClusterSession& cluster, json::object& status) {
  const auto leases = ListObjects(cluster, kube::resources::kLeases, ask.scheduler_namespace);
  status["leases"] = leases ? LeaseRows(*leases) : json::array();
  if (!leases) status["leasesUnknown"] = leases.error().message;
}

Result<std::string> StatusNow(const AskFlags& ask, ClusterSession& cluster) {
  auto answer = AskScheduler(ask, "/v1/status");
  if (!answer) return std::unexpected(answer.error());
  if (!answer->is_object()) return Fail(ErrorCode::kUnavailable, "the scheduler's answer is none");
  json::object& status = answer->get_object();
  if (!ask.selector.empty()) {
    if (auto chosen = ChooseQueues(ask, cluster, status); !chosen) {
      return std::unexpected(chosen.error());
    }
  }
  AddLeases(ask, cluster, status);
  if (ask.output == "name") {
    status["kind"] = "Status";
    status["name"] = cluster.server();
  }
  return Formatted(ask, *answer, "status", [&](const json::value& shown) {
    return StatusText(ObjectOf(shown), cluster.server(), cluster.Now(), ask.output == "wide");
  });
}

}  // namespace

void AddStatusCommand(CLI::App& app, Action& action) {
  auto ask = std::make_shared<AskFlags>();
  CLI::App* sub = app.add_subcommand(
      "status",
      "One screen of health: leaders, last cycle, queues, what waits and why, evictions, "
      "reservations, fragmentation");
  AddListFlags(*sub, *ask);
  sub->get_option("--label-selector")->description("only queues with these labels");
  sub->get_option("--watch")->description("go on, and show it again every second");
  AddAllNamespacesFlag(*sub, *ask, "as with other commands; it is always of all namespaces");
  AddAskFlags(*sub, *ask);
  sub->callback([ask, &action] {
    action = [ask] {
      auto cluster = ClusterSession::Open(ask->cluster);
      if (!cluster) return Refused(cluster.error());
      return ShowOnScreen(*ask, [&] { return StatusNow(*ask, **cluster); });
    };
  });
}

}  // namespace basalt::cli
