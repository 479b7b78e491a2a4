#include "cli/questions.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>

#include "base/log.h"
#include "cli/listen_address.h"

namespace basalt::cli {
namespace {

bool IsEveryAddress(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

std::string ReachableHost(const std::string& host) {
  if (!IsEveryAddress(host)) return host;
  if (const char* pod_ip = std::getenv("POD_IP"); pod_ip && *pod_ip) return pod_ip;
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 && name[0] ? name : "localhost";
}

}  // namespace

Result<std::unique_ptr<Questions>> Questions::Create(AsioLoop& loop, const std::string& address,
                                                     scheduler::SchedulerService& service,
                                                     const std::string& secret_namespace) {
  const Result<ListenAddress> parsed = ParseListenAddress(address);
  if (!parsed) return std::unexpected(parsed.error());
  auto questions = std::make_unique<Questions>();
  auto server = scheduler::query::QueryServer::Create(
      loop,
      {.host = parsed->host, .port = parsed->port, .published_host = ReachableHost(parsed->host)},
      [&service] { return service.scheduler().MakeExplainer(); });
  if (!server) return std::unexpected(server.error());
  questions->server_ = std::move(*server);
  questions->secret_.emplace(service.writes(), secret_namespace, questions->server_->access());
  log::Info("questions are answered", {{"address", questions->server_->access().address}});
  return questions;
}

}  // namespace basalt::cli
