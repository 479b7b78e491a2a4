#include "cli/role_flags.h"

#include <CLI/CLI.hpp>

namespace basalt::cli {

void AddRoleFlags(CLI::App& command, RoleFlags& flags) {
  command.add_option("--kubeconfig", flags.kubeconfig,
                     "the cluster; without it: the pod's service account, $KUBECONFIG, "
                     "~/.kube/config");
  command.add_option("--kube-api-qps", flags.qps, "requests a second; 0: no limit")
      ->capture_default_str();
  command.add_option("--kube-api-burst", flags.burst, "requests at once")->capture_default_str();
}

}  // namespace basalt::cli
