#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/asio_loop.h"
#include "base/error.h"
#include "kube/client/client.h"
#include "kube/client/http_api_client.h"
#include "kube/client/kubeconfig.h"

namespace basalt::cli {

// One role of Basalt in this process: something that talks to a cluster through a Client of its
// own.
class Role {
 public:
  virtual ~Role() = default;
  virtual std::string name() const = 0;
  virtual void Start() = 0;
  // It works: what was there at the start is known.
  virtual bool ready() const = 0;
};

// How a role reaches the cluster; must outlive it.
struct Connection {
  std::unique_ptr<kube::HttpApiClient> api;
  std::unique_ptr<kube::Client> client;
};
// `qps` <= 0: no limit.
Result<Connection> Connect(AsioLoop& loop, const kube::ClusterConfig& config, double qps,
                           double burst, int connections = 32);

struct SimnodeRoleOptions {
  std::string node_selector;    // a label selector
  std::string node_annotation;  // the name of an annotation
  bool heartbeats = true;
};
Result<std::unique_ptr<Role>> BuildSimnode(kube::Client& client, const SimnodeRoleOptions& options);
std::unique_ptr<Role> BuildWorkloads(kube::Client& client);

// Runs one role on a cluster until SIGINT or SIGTERM; the exit code. `build` makes the role.
struct RoleFlags {
  std::string kubeconfig;
  double qps = 200;
  double burst = 400;
};
int RunRole(const RoleFlags& flags,
            const std::function<Result<std::unique_ptr<Role>>(kube::Client&)>& build);

}  // namespace basalt::cli
