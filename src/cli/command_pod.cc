#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/batch_flags.h"
#include "cli/batch_text.h"
#include "cli/command.h"

namespace basalt::cli {
namespace {

struct PodCommand {
  BatchFlags batch;
  std::string job;
  std::string queue;
};

int RunPodCommand(PodCommand& command) {
  if (!command.batch.name.empty() || !command.batch.name_flag.empty()) {
    PrintError("pod list takes no NAME; --job and --queue choose pods");
    return kExitUsage;
  }
  auto cluster = OpenSession(command.batch);
  if (!cluster) return Refused(cluster.error());
  const bool all = command.batch.all_namespaces;
  std::string selector = "volcano.sh/job-name";
  if (!command.job.empty()) selector += "=" + command.job;
  if (!command.queue.empty()) selector += ",volcano.sh/queue-name=" + command.queue;
  auto pods =
      ListItems(**cluster, {.path = PathOf(kube::resources::kPods, all ? "" : command.batch.ask.ns),
                            .query = {{"labelSelector", selector}}});
  if (!pods) return Refused(pods.error());
  if (!command.batch.ask.output.empty()) {
    PrintForPrograms(command.batch.ask, ListOf(std::move(*pods)));
  } else {
    fmt::print("{}", PodsText(*pods, all, (*cluster)->Now()));
  }
  return kExitOk;
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
