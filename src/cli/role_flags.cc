#include "cli/role_flags.h"

#include <CLI/CLI.hpp>

#include "kube/types/time.h"

namespace basalt::cli {
namespace {

void AddDuration(CLI::App& command, const char* name, Duration& value, const char* help) {
  command
      .add_option_function<std::string>(
          name,
          [name, &value](const std::string& text) {
            const Result<Duration> parsed = kube::ParseDuration(text);
            if (!parsed) throw CLI::ValidationError(name, parsed.error().message);
            value = *parsed;
          },
          help)
      ->type_name("DURATION")
      ->default_str(kube::FormatDuration(value));
}

}  // namespace

void AddRoleFlags(CLI::App& command, RoleFlags& flags) {
  command.add_option("--kubeconfig", flags.cluster.kubeconfig,
                     "the cluster; without it: the pod's service account, $KUBECONFIG, "
                     "~/.kube/config");
  command.add_option("--context", flags.cluster.context,
                     "which context of the kubeconfig; without it: its current one");
  command.add_option("--kube-api-qps", flags.qps, "requests a second; 0: no limit")
      ->capture_default_str();
  command.add_option("--kube-api-burst", flags.burst, "requests at once")->capture_default_str();
  command.add_option("--listen-address", flags.listen_address,
                     "ADDRESS:PORT of /metrics; port 0: a free one; without it: none");
  command.add_option("--healthz-address", flags.healthz_address,
                     "ADDRESS:PORT of /healthz and /readyz; without it: none");
  command.add_flag("--leader-elect", flags.election.leader_elect,
                   "only one of several of these works at a time; the others stand by");
  command
      .add_option("--lock-object-namespace,--leader-elect-resource-namespace",
                  flags.election.lock_namespace,
                  "the namespace of the lease; made where it is missing")
      ->capture_default_str();
  command.add_option("--leader-elect-resource-name", flags.election.lock_name,
                     "the name of the lease; without it: the role's own");
  AddDuration(command, "--leader-elect-lease-duration", flags.election.times.lease_duration,
              "another takes over when the lease has not been renewed for so long");
  AddDuration(command, "--leader-elect-renew-deadline", flags.election.times.renew_deadline,
              "a leader that could not renew the lease for so long stops");
  AddDuration(command, "--leader-elect-retry-period", flags.election.times.retry_period,
              "the time between two renewals of the lease; who stands by looks twice as often");
  command.add_option("--master", flags.cluster.server,
                     "the API server's URL, instead of the kubeconfig's");
}

}  // namespace basalt::cli
