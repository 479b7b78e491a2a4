#include <CLI/CLI.hpp>
#include <memory>

#include "cli/batch_flags.h"
#include "cli/batch_text.h"
#include "cli/command.h"
#include "cli/json_fields.h"
#include "cli/showing.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

struct PodCommand {
  BatchFlags batch;
  std::string job;
  std::string queue;
};

int ListPods(const PodCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  std::string labels = "volcano.sh/job-name";
  if (!command.job.empty()) labels += "=" + command.job;
  if (!command.queue.empty()) labels += ",volcano.sh/queue-name=" + command.queue;
  if (!ask.selector.empty()) labels += "," + ask.selector;
  return ShowOrWatch(ask, [&]() -> Result<std::string> {
    auto pods =
        ListObjects(cluster, kube::resources::kPods, ask.all_namespaces ? "" : ask.ns, {labels});
    if (!pods) return std::unexpected(pods.error());
    return Formatted(ask, ListOf(*std::move(pods)), "pod", [&](const json::value& shown) {
      return PodsText(ItemsOf(shown), ask, cluster.Now());
    });
  });
}

int RunPodCommand(PodCommand& command) {
  const bool named = !command.batch.name.empty() || !command.batch.name_flag.empty();
  return RunVerb("pod", command.batch,
                 named ? "pod list takes no NAME; --job and --queue choose pods" : "",
                 {{"list", TakesName::kNo,
                   [&](ClusterSession& cluster) { return ListPods(command, cluster); }}});
}

}  // namespace

void AddPodCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<PodCommand>();
  CLI::App* sub = app.add_subcommand("pod", "list: the pods of jobs");
  AddBatchFlags(*sub, command->batch, {"list"}, {"list"}, NameLetters::kNamespaced);
  sub->add_option("-j,--job", command->job, "only of this job");
  sub->add_option("-q,--queue", command->queue, "only of this queue");
  sub->callback([command, &action] { action = [command] { return RunPodCommand(*command); }; });
}

}  // namespace basalt::cli
