#include "cli/role.h"

#include "kube/client/write_metrics.h"
#include "kube/types/selector.h"
#include "simnode/sim_nodes.h"
#include "workloads/workloads.h"

namespace basalt::cli {
namespace {

class SimnodeRole final : public Role {
 public:
  SimnodeRole(kube::Client& client, simnode::SimNodesOptions options) : nodes_(client, options) {}
  std::string name() const override { return "simnode"; }
  void Start() override { nodes_.Start(); }
  bool ready() const override { return nodes_.Settled(); }

 private:
  simnode::SimNodes nodes_;
};

class WorkloadsRole final : public Role {
 public:
  explicit WorkloadsRole(kube::Client& client) : workloads_(client) {}
  std::string name() const override { return "workloads"; }
  void Start() override { workloads_.Start(); }
  bool ready() const override { return workloads_.HasSynced(); }

 private:
  workloads::Workloads workloads_;
};

}  // namespace

Result<Connection> Connect(AsioLoop& loop, const kube::ClusterConfig& config, double qps,
                           double burst, int connections, metrics::Registry* metrics) {
  auto api = kube::HttpApiClient::Create(loop, config, {.max_connections = connections});
  if (!api) return std::unexpected(api.error());
  Connection connection;
  connection.api = std::move(*api);
  kube::ClientOptions options;
  options.pacing.qps = qps;
  options.pacing.burst = burst;
  if (metrics != nullptr) options.pacing.on_outcome = kube::CountWrites(*metrics);
  connection.client = std::make_unique<kube::Client>(*connection.api, options);
  return connection;
}

Result<std::unique_ptr<Role>> BuildSimnode(kube::Client& client,
                                           const SimnodeRoleOptions& options) {
  simnode::SimNodesOptions made;
  auto selector = kube::LabelSelector::Parse(options.node_selector);
  if (!selector) return std::unexpected(selector.error().Wrap("--node-selector"));
  made.nodes.selector = std::move(*selector);
  made.nodes.annotation = options.node_annotation;
  made.nodes.heartbeats = options.heartbeats;
  return std::make_unique<SimnodeRole>(client, made);
}

std::unique_ptr<Role> BuildWorkloads(kube::Client& client) {
  return std::make_unique<WorkloadsRole>(client);
}

}  // namespace basalt::cli
