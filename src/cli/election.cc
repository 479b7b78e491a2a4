#include "cli/election.h"

#include <fmt/core.h>
#include <unistd.h>

#include <utility>

#include "base/log.h"
#include "cli/bad_flag.h"
#include "kube/types/resource.h"
#include "net/random_token.h"

namespace basalt::cli {

std::string ElectionIdentity() {
  char host[256] = "basalt";
  if (gethostname(host, sizeof(host)) != 0) return net::RandomToken();
  host[sizeof(host) - 1] = '\0';
  return fmt::format("{}_{}", host, net::RandomToken());
}

Result<void> CheckElectionTimes(const ElectionTimes& times) {
  if (times.lease_duration < 1s || times.lease_duration % Duration(1s) != Duration::zero()) {
    return BadFlag("--leader-elect-lease-duration", "want whole seconds, at least 1s");
  }
  if (times.renew_deadline >= times.lease_duration) {
    return BadFlag("--leader-elect-renew-deadline",
                   "must be shorter than --leader-elect-lease-duration");
  }
  if (times.retry_period <= Duration::zero() || times.retry_period >= times.renew_deadline) {
    return BadFlag("--leader-elect-retry-period",
                   "must be more than 0 and shorter than --leader-elect-renew-deadline");
  }
  return {};
}

kube::LeaderElectorOptions ElectionOptions(const ElectionFlags& flags, std::string name) {
  return {.ns = flags.lock_namespace,
          .name = flags.lock_name.empty() ? std::move(name) : flags.lock_name,
          .identity = ElectionIdentity(),
          .lease_duration = flags.times.lease_duration,
          .renew_deadline = flags.times.renew_deadline,
          .retry_period = flags.times.retry_period};
}

void EnsureNamespace(kube::Client& client, const std::string& name, Callback done) {
  client.Create(
      {kube::resources::kNamespaces},
      fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}"}}}})", name),
      [name, done = std::move(done)](const Result<kube::ApiResponse>& result) mutable {
        // A role with no more rights than needed may not make it, and finds it there.
        const bool expected = result || result.error().code == ErrorCode::kAlreadyExists ||
                              result.error().code == ErrorCode::kForbidden;
        if (!expected) {
          log::Warning("cannot make the namespace of the lease",
                       {{"namespace", name}, {"error", result.error().message}});
        }
        done();
      });
}

}  // namespace basalt::cli
