#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/batch_flags.h"
#include "cli/batch_text.h"
#include "cli/command.h"
#include "cli/showing.h"

namespace basalt::cli {
namespace {

struct PodCommand {
  BatchFlags batch;
  std::string job;
  std::string queue;
};

Result<std::string> PodsNow(const PodCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  const bool all = ask.all_namespaces;
  std::string selector = "volcano.sh/job-name";
  if (!command.job.empty()) selector += "=" + command.job;
  if (!command.queue.empty()) selector += ",volcano.sh/queue-name=" + command.queue;
  if (!ask.selector.empty()) selector += "," + ask.selector;
  auto pods = ListItems(cluster, {.path = PathOf(kube::resources::kPods, all ? "" : ask.ns),
                                  .query = {{"labelSelector", selector}}});
  if (!pods) return std::unexpected(pods.error());
  return Formatted(ask, ListOf(*pods), "pod",
                   [&] { return PodsText(*pods, all, cluster.Now(), ask.output == "wide"); });
}

int RunPodCommand(PodCommand& command) {
  if (!command.batch.name.empty() || !command.batch.name_flag.empty()) {
    PrintError("pod list takes no NAME; --job and --queue choose pods");
    return kExitUsage;
  }
  auto cluster = OpenSession(command.batch);
  if (!cluster) return Refused(cluster.error());
  return ShowOrWatch(command.batch.ask, [&] { return PodsNow(command, **cluster); });
}

}  // namespace

void AddPodCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<PodCommand>();
  CLI::App* sub = app.add_subcommand("pod", "list: the pods of jobs");
  AddBatchFlags(*sub, command->batch, {"list"}, NameLetters::kNamespaced);
  sub->add_option("-j,--job", command->job, "only of this job");
  sub->add_option("-q,--queue", command->queue, "only of this queue");
  sub->callback([command, &action] { action = [command] { return RunPodCommand(*command); }; });
}

}  // namespace basalt::cli
