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
  command.add_option("--listen-address", flags.listen_address,
                     "ADDRESS:PORT of /metrics; port 0: a free one; without it: none");
  command.add_option("--healthz-address", flags.healthz_address,
                     "ADDRESS:PORT of /healthz and /readyz; without it: none");
  command.add_flag("--leader-elect", flags.leader_elect,
                   "only one of several of these works at a time; the others stand by");
  command
      .add_option("--lock-object-namespace,--leader-elect-resource-namespace", flags.lock_namespace,
                  "the namespace of the lease; made where it is missing")
      ->capture_default_str();
  command.add_option("--leader-elect-resource-name", flags.lock_name,
                     "the name of the lease; without it: the role's own");
}

}  // namespace basalt::cli
