#include "cli/questions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <vector>

#include "base/log.h"
#include "cli/listen_address.h"
#include "scheduler/overview/overview.h"
#include "scheduler/simulate/simulation.h"

namespace basalt::cli {
namespace {

// A pod that is not in the scheduler's state since it is for another scheduler.
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

void Simulate(scheduler::simulate::ImageWorker& worker, std::string body, std::string asker,
              scheduler::simulate::ImageWorker::Done done) {
  namespace simulate = scheduler::simulate;
  auto work = [body = std::move(body)](const scheduler::SchedulerImage& image, const auto& go_on,
                                       auto& leftovers) -> Result<std::string> {
    const auto request = simulate::ParseRequest(body);
    if (!request) return std::unexpected(request.error());
    const auto answer = simulate::Simulate(image, *request, go_on, &leftovers);
    if (!answer) return std::unexpected(answer.error());
    return boost::json::serialize(*answer);
  };
  worker.Ask(std::move(asker), std::move(work), std::move(done));
}

}  // namespace

Result<std::unique_ptr<Questions>> Questions::Create(AsioLoop& loop, const std::string& address,
                                                     scheduler::SchedulerService& service,
                                                     const std::string& secret_namespace) {
  const Result<ListenAddress> parsed = ParseListenAddress(address, "0.0.0.0");
  if (!parsed) return std::unexpected(parsed.error());
  auto questions = std::make_unique<Questions>();
  questions->worker_ =
      std::make_unique<scheduler::simulate::ImageWorker>(loop, [&service](auto with_image) {
        service.scheduler().TakeImageInPieces(std::move(with_image));
      });
  auto server = scheduler::query::ServeQuestions(
      loop,
      {.host = parsed->host, .port = parsed->port, .published_host = ReachableHost(parsed->host)},
      {.explainer = [&service] { return service.scheduler().MakeExplainer(); },
       .pod_of_others = [&service](
                            std::string_view ns,
                            std::string_view name) { return PodOfOthers(service, ns, name); },
       .simulate = [worker = questions->worker_.get()](
                       std::string body, std::string asker,
                       auto later) { Simulate(*worker, std::move(body), asker, later); },
       .overview =
           [worker = questions->worker_.get()](auto later) {
             worker->Ask(
                 "overview",
                 [](const scheduler::SchedulerImage& image, const auto&,
                    const auto&) -> Result<std::string> {
                   return boost::json::serialize(scheduler::overview::OverviewOf(image));
                 },
                 std::move(later));
           },
       .node =
           [worker = questions->worker_.get()](std::string name, auto later) {
             worker->Ask(
                 "node " + name,
                 [name](const scheduler::SchedulerImage& image, const auto&,
                        const auto&) -> Result<std::string> {
                   const auto node = scheduler::overview::NodeOf(image, name);
                   if (!node) return std::unexpected(node.error());
                   return boost::json::serialize(*node);
                 },
                 std::move(later));
           },
       .activity =
           [&service, &loop] {
             boost::json::object said = service.activity().ToJson(loop.Now());
             const auto& election = service.options().election;
             said["identity"] = election ? election->identity : std::string();
             return said;
           }});
  if (!server) return std::unexpected(server.error());
  questions->server_ = std::move(*server);
  const net::TokenServer& listening = *questions->server_;
  questions->secret_.emplace(service.writes(), secret_namespace,
                             std::string(scheduler::query::kSecretName),
                             kube::Access{.address = listening.address(),
                                          .ca_pem = listening.ca_pem(),
                                          .token = listening.token()});
  log::Info("questions are answered", {{"address", listening.address()}});
  return questions;
}

}  // namespace basalt::cli
