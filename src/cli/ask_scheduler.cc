#include "cli/ask_scheduler.h"

#include <utility>

#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/role_client.h"
#include "net/url.h"
#include "scheduler/query/query_server.h"

namespace basalt::cli {

namespace json = boost::json;

void AddAskFlags(CLI::App& command, AskFlags& flags) {
  AddOutputFlag(command, flags);
  AddClusterFlags(command, flags);
  AddSchedulerNamespaceFlag(command, flags);
}

Result<json::value> AskScheduler(const AskFlags& flags, std::string path, std::string body) {
  auto scheduler = RoleClient::Open(
      flags, {.role = "scheduler",
              .secret = scheduler::query::kSecretName,
              .server_name = scheduler::query::kServerName,
              .ns = flags.scheduler_namespace,
              .how_to_have_one = "Start \"basalt scheduler\" with --query-address, or name its "
                                 "namespace with --scheduler-namespace"});
  if (!scheduler) return std::unexpected(scheduler.error());
  const std::string& ns = flags.ns.empty() ? (*scheduler)->ns() : flags.ns;
  if (const std::size_t at = path.find("{namespace}"); at != std::string::npos) {
    path.replace(at, std::string_view("{namespace}").size(), net::PercentEncode(ns));
  }
  Result<RoleClient::Answer> answer = (*scheduler)->Send(body.empty() ? "GET" : "POST", path, body);
  if (!answer) return std::unexpected(answer.error());
  if (answer->status == 200 && !answer->body.is_null()) return std::move(answer->body);
  return Fail(answer->status == 404 ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
              answer->message);
}

int Refused(const Error& error) {
  PrintError(error.message);
  return kExitFailure;
}

}  // namespace basalt::cli
