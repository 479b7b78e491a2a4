#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/asio_loop.h"
#include "base/error.h"
#include "base/metrics.h"
#include "cli/election.h"
#include "kube/client/client.h"
#include "kube/client/http_api_client.h"
#include "kube/client/kubeconfig.h"
#include "kube/client/leadership.h"

namespace basalt::cli {

// One role of Basalt in this process: something that talks to a cluster through a Client of its
// own. Owned by the process or by a RoleThread; the thread of its loop only.
class Role {
 public:
  virtual ~Role() = default;
  virtual std::string name() const = 0;
  virtual void Start() = 0;
  // It works: what was there at the start is known.
  virtual bool ready() const = 0;
  // Begins nothing more, lets what is under way end, then calls `done` on the loop.
  virtual void Stop(Callback done) { done(); }
  // Brings gauges up to date: they are about to be read.
  virtual void CollectMetrics() {}
  // It takes part in an election by itself when told to; others are started once they lead.
  virtual bool elects_itself() const { return false; }
};

// How a role reaches the cluster; must outlive it.
struct Connection {
  std::unique_ptr<kube::HttpApiClient> api;
  std::unique_ptr<kube::Client> client;
};
// `qps` <= 0: no limit. Writes are counted in `metrics`, where there is one.
Result<Connection> Connect(AsioLoop& loop, const kube::ClusterConfig& config, double qps,
                           double burst, int connections = 32,
                           metrics::Registry* metrics = nullptr);

// What a role is made from; all of it outlives the role.
struct RoleContext {
  AsioLoop& loop;
  kube::Client& client;
  metrics::Registry& metrics;
  // Nothing: elections are held on its own loop, through its own client.
  kube::Elect elect = {};

  operator kube::Client&() const { return client; }  // all that most roles need
};
using BuildRole = std::function<Result<std::unique_ptr<Role>>(RoleContext&)>;

struct SimnodeRoleOptions {
  std::string node_selector;    // a label selector
  std::string node_annotation;  // the name of an annotation
  bool heartbeats = true;
};
Result<std::unique_ptr<Role>> BuildSimnode(kube::Client& client, const SimnodeRoleOptions& options);
std::unique_ptr<Role> BuildWorkloads(kube::Client& client);

// The flags of every role.
struct RoleFlags {
  kube::ClusterChoice cluster;
  double qps = 200;
  double burst = 400;
  int connections = 32;
  std::string listen_address;   // of metrics; "": none
  std::string healthz_address;  // "": none
  ElectionFlags election;
};
// Runs one role on a cluster until a signal ends it; the exit code. `build` makes the role.
int RunRole(const RoleFlags& flags, const BuildRole& build);

}  // namespace basalt::cli
