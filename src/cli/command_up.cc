#include <CLI/CLI.hpp>
#include <iterator>

#include "cli/command.h"
#include "cli/controller_choice.h"
#include "cli/flag_checks.h"
#include "cli/up.h"

namespace basalt::cli {
namespace {

struct UpCommandFlags {
  UpCommandFlags() {
    // A user that tries `kubectl create deployment` sees pods run; a cluster of our own has no
    // other scheduler that would place them.
    options.scheduler.names = {"volcano", "default-scheduler"};
  }

  UpOptions options;
  std::string listen = "127.0.0.1:0";
  std::string only;
  std::vector<std::string> apply;
};

int RunUp(UpCommandFlags& flags) {
  const auto listen = ParseListenAddress(flags.listen);
  if (!listen) {
    PrintError(listen.error().Wrap("--listen").message);
    return kExitUsage;
  }
  flags.options.listen = *listen;
  flags.options.scheduler.qps = 0;  // the server is ours: no limit
  flags.options.only_api = flags.only == "api";
  flags.options.descheduler.scheduler_names = flags.options.scheduler.names;
  if (const auto nodes = flags.options.nodes.Check(); !nodes) {
    PrintError(nodes.error().message);
    return kExitUsage;
  }
  // Read before anything starts: a mistake in them should show at once.
  for (const std::string& file : flags.apply) {
    auto manifests = ReadManifests(file);
    if (!manifests) {
      PrintError(manifests.error().Wrap("--apply").message);
      return kExitFailure;
    }
    std::move(manifests->begin(), manifests->end(), std::back_inserter(flags.options.apply));
  }
  return RunUp(flags.options);
}

}  // namespace

void AddUpCommand(CLI::App& app, Action& action) {
  auto flags = std::make_shared<UpCommandFlags>();
  CLI::App* command = app.add_subcommand(
      "up", "Runs an embedded cluster: API server, simulated nodes and every role in one process");
  command
      ->add_option("--listen", flags->listen, "ADDRESS:PORT of the API server; port 0: a free one")
      ->capture_default_str();
  command
      ->add_option("--kubeconfig", flags->options.kubeconfig,
                   "the kubeconfig in which this cluster is, and is current, while it runs; other "
                   "entries stay as they are")
      ->capture_default_str();
  command->add_option("--data-dir", flags->options.data_dir,
                      "the directory that keeps the cluster, made where it is missing: the next "
                      "start goes on from it; without it: memory alone");
  flags->options.nodes.AddTo(*command);
  command
      ->add_option("--only", flags->only,
                   "api: the API server and the node simulator alone, to run a role outside")
      ->check(OneOf({"api"}));
  command
      ->add_option("--apply", flags->apply,
                   "YAML or JSON file with objects to create after the start; may be repeated; "
                   "-: standard input")
      ->take_all();
  command
      ->add_option(
          "--controllers", flags->options.controllers,
          "which controllers run: * for all, NAME, -NAME, a comma in between; " + ControllerNames())
      ->capture_default_str();
  AddSchedulingFlags(*command, flags->options.scheduler);
  AddDeschedulingFlags(*command, flags->options.descheduler);
  command->add_option("--listen-address", flags->options.listen_address,
                      "ADDRESS:PORT of /metrics of all roles; without it: none");
  command->add_option("--healthz-address", flags->options.healthz_address,
                      "ADDRESS:PORT of /healthz and /readyz; without it: none");
  command->callback([flags, command, &action] {
    flags->options.nodes_given = command->count("--nodes") > 0;
    action = [flags] { return RunUp(*flags); };
  });
}

}  // namespace basalt::cli
