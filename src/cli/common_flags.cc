#include "cli/common_flags.h"

#include <CLI/CLI.hpp>

#include "cli/flag_checks.h"

namespace basalt::cli {
namespace {

constexpr char kClusterGroup[] = "Cluster";

}  // namespace

void AddClusterFlags(CLI::App& command, AskFlags& flags) {
  command
      .add_option("-k,--kubeconfig", flags.cluster.kubeconfig,
                  "the cluster; without it: the pod's service account, $KUBECONFIG, ~/.kube/config")
      ->type_name("FILE")
      ->group(kClusterGroup);
  command
      .add_option("--context", flags.cluster.context,
                  "which context of the kubeconfig; without it: its current one")
      ->type_name("NAME")
      ->group(kClusterGroup);
  command
      .add_option("-s,--master", flags.cluster.server,
                  "the API server's URL; without it: that of the kubeconfig")
      ->type_name("URL")
      ->group(kClusterGroup);
}

void AddSchedulerNamespaceFlag(CLI::App& command, AskFlags& flags) {
  command
      .add_option("--scheduler-namespace", flags.scheduler_namespace,
                  "where the scheduler keeps its Secret basalt-query")
      ->type_name("NAME")
      ->group(kClusterGroup)
      ->capture_default_str();
}

void AddNamespaceFlags(CLI::App& command, AskFlags& flags, const std::string& about) {
  command.add_option("-n,--namespace", flags.ns, about)->type_name("NAME");
  AddAllNamespacesFlag(command, flags, "with list: of all namespaces");
}

void AddAllNamespacesFlag(CLI::App& command, AskFlags& flags, const std::string& about) {
  command.add_flag("-A,--all-namespaces", flags.all_namespaces, about);
}

void AddOutputFlag(CLI::App& command, AskFlags& flags) {
  command
      .add_option("-o,--output,--format", flags.output,
                  "json, yaml, name, or wide for more columns; without it: text")
      ->type_name("FORM")
      ->check(OneOf({"json", "yaml", "name", "wide"}));
}

void AddProgramOutputFlag(CLI::App& command, AskFlags& flags) {
  command.add_option("-o,--output", flags.output, "json or yaml; without it: text")
      ->type_name("FORM")
      ->check(OneOf({"json", "yaml"}));
}

void AddListFlags(CLI::App& command, AskFlags& flags, WatchLetter letter) {
  command
      .add_option("-l,--label-selector", flags.selector,
                  "only objects with these labels: app=web,tier!=test")
      ->type_name("LABELS");
  command.add_flag(letter == WatchLetter::kYes ? "-w,--watch" : "--watch", flags.watch,
                   "go on, and show what changes");
}

}  // namespace basalt::cli
