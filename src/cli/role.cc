#include "cli/role.h"

#include <optional>
#include <vector>

#include "base/log.h"
#include "cli/command.h"
#include "cli/election.h"
#include "cli/signals.h"
#include "cli/status_endpoints.h"
#include "kube/client/leader_elector.h"
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
  auto election_api = kube::HttpApiClient::Create(loop, config, {.max_connections = 1});
  if (!election_api) return std::unexpected(election_api.error());
  Connection connection;
  connection.api = std::move(*api);
  connection.election_api = std::move(*election_api);
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

namespace {

// A process with one role: connection, election where it is asked for, metrics and health, signals.
class RoleProcess {
 public:
  explicit RoleProcess(const RoleFlags& flags)
      : flags_(flags), signals_(loop_, [this] { Stop(); }) {}

  int Run(const BuildRole& build) {
    auto config = kube::LoadConfig(flags_.kubeconfig);
    if (!config) return Refuse(config.error(), kExitFailure);
    auto connection =
        Connect(loop_, *config, flags_.qps, flags_.burst, flags_.connections, &metrics_);
    if (!connection) return Refuse(connection.error(), kExitFailure);
    connection_ = std::move(*connection);
    RoleContext context{loop_, *connection_.client, *connection_.election_api, metrics_};
    auto role = build(context);
    if (!role) return Refuse(role.error(), kExitUsage);
    role_ = std::move(*role);
    auto servers = ServeStatus(loop_, flags_.listen_address, flags_.healthz_address, metrics_,
                               {.collect =
                                    [this](Task done) {
                                      role_->CollectMetrics();
                                      done();
                                    },
                                .unhealthy = {},
                                .not_ready = [this] { return NotReady(); }});
    if (!servers) return Refuse(servers.error(), kExitUsage);
    servers_ = std::move(*servers);
    log::Info("starting", {{"role", role_->name()}, {"cluster", config->server}});
    Start();
    loop_.Run();
    return exit_code_;
  }

 private:
  static int Refuse(const Error& error, int exit_code) {
    PrintError(error.message);
    return exit_code;
  }

  void Start() {
    if (!flags_.leader_elect || role_->elects_itself()) return role_->Start();
    elector_.emplace(
        *connection_.election_api,
        kube::LeaderElectorOptions{
            .ns = flags_.lock_namespace,
            .name = flags_.lock_name.empty() ? "basalt-" + role_->name() : flags_.lock_name,
            .identity = ElectionIdentity()},
        kube::LeaderElector::Callbacks{.on_started_leading = [this] { role_->Start(); },
                                       .on_stopped_leading = [this] { LostLease(); },
                                       .on_new_leader = {}});
    EnsureNamespace(*connection_.client, flags_.lock_namespace, [this] { elector_->Start(); });
  }

  // Whatever it has under way must not meet the next leader's: only a new process is safe.
  void LostLease() {
    if (stopping_) return;
    log::Error("lost the lease: ending, to be started again", {{"role", role_->name()}});
    exit_code_ = kExitFailure;
    loop_.Stop();
  }

  std::string NotReady() const {
    if (role_->ready()) return "";
    if (elector_ && !elector_->IsLeader()) return "";  // it stands by, as it should
    return role_->name() + " is still reading the cluster";
  }

  void Stop() {
    if (!role_) return loop_.Stop();
    stopping_ = true;
    role_->Stop([this] {
      if (!elector_) return loop_.Stop();
      elector_->Release([this] { loop_.Stop(); });
    });
  }

  const RoleFlags& flags_;
  AsioLoop loop_;
  metrics::Registry metrics_;
  Connection connection_;
  std::unique_ptr<Role> role_;
  std::optional<kube::LeaderElector> elector_;
  std::vector<std::unique_ptr<net::StatusServer>> servers_;
  StopSignals signals_;
  bool stopping_ = false;
  int exit_code_ = kExitOk;
};

}  // namespace

int RunRole(const RoleFlags& flags, const BuildRole& build) {
  return RoleProcess(flags).Run(build);
}

}  // namespace basalt::cli
