#include "cli/questions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/log.h"
#include "cli/listen_address.h"

namespace basalt::cli {
namespace {

// A pod that is not in the scheduler's state for somebody else's name.
std::string PodOfOthers(const scheduler::SchedulerService& service, std::string_view ns,
                        std::string_view name) {
  const auto pod = service.informers().Of<kube::Pod>().store().Find(ns, name);
  if (!pod) return "";
  const auto& names = service.options().scheduler.state.scheduler_names;
  std::vector<std::string> ours(names.begin(), names.end());
  std::ranges::sort(ours);
  if (names.contains(pod->spec.scheduler_name)) return "";
  return fmt::format(
      "pod {}/{} is for the scheduler \"{}\": Basalt leaves it alone. Here it schedules pods whose "
      "spec.schedulerName is {}; --scheduler-name adds others",
      ns, name, pod->spec.scheduler_name, fmt::join(ours, " or "));
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
      {.explainer = [&service] { return service.scheduler().MakeExplainer(); },
       .pod_of_others = [&service](
                            std::string_view ns,
                            std::string_view name) { return PodOfOthers(service, ns, name); }});
  if (!server) return std::unexpected(server.error());
  questions->server_ = std::move(*server);
  questions->secret_.emplace(service.writes(), secret_namespace,
                             std::string(scheduler::query::kSecretName),
                             questions->server_->access());
  log::Info("questions are answered", {{"address", questions->server_->access().address}});
  return questions;
}

}  // namespace basalt::cli
