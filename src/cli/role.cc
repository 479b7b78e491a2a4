#include "cli/role.h"

#include <CLI/CLI.hpp>

#include "base/log.h"
#include "cli/command.h"
#include "cli/signals.h"
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
                           double burst, int connections) {
  auto api = kube::HttpApiClient::Create(loop, config, {.max_connections = connections});
  if (!api) return std::unexpected(api.error());
  Connection connection;
  connection.api = std::move(*api);
  kube::ClientOptions options;
  options.pacing.qps = qps;
  options.pacing.burst = burst;
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

int RunRole(const RoleFlags& flags,
            const std::function<Result<std::unique_ptr<Role>>(kube::Client&)>& build) {
  auto config = kube::LoadConfig(flags.kubeconfig);
  if (!config) {
    PrintError(config.error().message);
    return kExitFailure;
  }
  AsioLoop loop;
  auto connection = Connect(loop, *config, flags.qps, flags.burst);
  if (!connection) {
    PrintError(connection.error().message);
    return kExitFailure;
  }
  auto role = build(*connection->client);
  if (!role) {
    PrintError(role.error().message);
    return kExitUsage;
  }
  StopSignals signals(loop, [&loop] { loop.Stop(); });
  log::Info("starting", {{"role", (*role)->name()}, {"cluster", config->server}});
  (*role)->Start();
  loop.Run();
  return kExitOk;
}

}  // namespace basalt::cli
