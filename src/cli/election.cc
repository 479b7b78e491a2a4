#include "cli/election.h"

#include <fmt/core.h>
#include <unistd.h>

#include "base/log.h"
#include "kube/types/resource.h"
#include "net/random_token.h"

namespace basalt::cli {

std::string ElectionIdentity() {
  char host[256] = "basalt";
  if (gethostname(host, sizeof(host)) != 0) return net::RandomToken();
  host[sizeof(host) - 1] = '\0';
  return fmt::format("{}_{}", host, net::RandomToken());
}

void EnsureNamespace(kube::Client& client, const std::string& name, Task done) {
  client.Create(
      {kube::resources::kNamespaces},
      fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}"}}}})", name),
      [name, done = std::move(done)](const Result<kube::ApiResponse>& result) mutable {
        if (!result && result.error().code != ErrorCode::kAlreadyExists) {
          log::Warning("cannot make the namespace of the lease",
                       {{"namespace", name}, {"error", result.error().message}});
        }
        done();
      });
}

}  // namespace basalt::cli
