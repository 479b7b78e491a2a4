#include "cli/up.h"

#include <fmt/core.h>

#include <cstdio>
#include <optional>

#include "base/asio_loop.h"
#include "base/log.h"
#include "cli/api_server_thread.h"
#include "cli/applier.h"
#include "cli/command.h"
#include "cli/controller_role.h"
#include "cli/crds.h"
#include "cli/dashboard_role.h"
#include "cli/kubeconfig_file.h"
#include "cli/role.h"
#include "cli/role_thread.h"
#include "cli/signals.h"
#include "cli/status_endpoints.h"
#include "cli/up_identity.h"
#include "cli/webhook_role.h"
#include "net/tls.h"

namespace basalt::cli {
namespace {

constexpr Duration kPollInterval = 5ms;
constexpr Duration kCertificateLifetime = 24h * 365;
constexpr Duration kSayHowFarEvery = 1s;
constexpr int kNodesAtOnce = 64;
constexpr int kConnections = 32;

// One run, from nothing to "ready" to the end. Steps follow each other on the loop; the first that
// fails ends it.
class Up {
 public:
  explicit Up(const UpOptions& options)
      : options_(options),
        kubeconfig_(options.kubeconfig),
        signals_(loop_, [this] { StopThreads(); }),
        poll_(loop_) {}

  int Run() {
    if (auto usable = kubeconfig_.Check(); !usable) {
      return Refuse(usable.error().Wrap("--kubeconfig"));
    }
    if (auto started = StartServer(); !started) return Refuse(started.error());
    if (auto serving = ServeMetrics(); !serving) return Refuse(serving.error());
    InstallCrds();
    loop_.Run();
    if (auto removed = kubeconfig_.Remove(); !removed) {
      log::Warning("the kubeconfig still names this cluster", {{"error", removed.error().message}});
    }
    return exit_code_;
  }

 private:
  static int Refuse(const Error& error) {
    PrintError(error.message);
    return kExitFailure;
  }
  void Abort(const Error& error) {
    exit_code_ = Refuse(error);
    loop_.Stop();
  }

  Result<void> StartServer() {
    const Time now = loop_.Now();
    std::unique_ptr<apiserver::DataFolder> folder;
    if (!options_.data_dir.empty()) {
      auto opened = apiserver::DataFolder::Open(options_.data_dir);
      if (!opened) return std::unexpected(opened.error().Wrap("--data-dir"));
      folder = std::move(*opened);
    }
    const auto identity = IdentityOf(folder.get(), now);
    if (!identity) return std::unexpected(identity.error());
    auto certificate = net::MakeCertificate(
        identity->authority, {.common_name = "basalt",
                              .dns_names = {"localhost", "kubernetes"},
                              .ip_addresses = {"127.0.0.1", "::1", options_.listen.host},
                              .now = now,
                              .lifetime = kCertificateLifetime});
    if (!certificate) return std::unexpected(certificate.error());
    token_ = identity->token;
    ca_pem_ = identity->authority.certificate_pem;
    auto server =
        ApiServerThread::Start({.address = options_.listen.host,
                                .port = options_.listen.port,
                                .preferred_port = identity->port,
                                .certificate = *certificate,
                                .bearer_token = token_,
                                .folder = std::move(folder),
                                .failed = [this](const Error& error) {
                                  loop_.Post([this, error] { Abort(error.Wrap("--data-dir")); });
                                }});
    if (!server) return std::unexpected(server.error());
    server_ = std::move(*server);
    url_ = options_.listen.Url(server_->port());
    if (!options_.listen.loopback()) {
      log::Warning("others than this machine can reach the API server", {{"url", url_}});
    }
    auto connection = ConnectToServer();
    if (!connection) return std::unexpected(connection.error());
    setup_ = std::move(*connection);
    applier_.emplace(*setup_.client);
    return {};
  }

  kube::ClusterConfig Config() const {
    kube::ClusterConfig config{.server = url_, .token = token_, .source = "basalt up"};
    config.tls.ca_pem = ca_pem_;
    // Any address that it listens on may stand in the URL; the certificate has this name too.
    config.tls.server_name = "localhost";
    return config;
  }

  Result<Connection> ConnectToServer() {
    return Connect(loop_, Config(), 0, 0, kConnections, &metrics_);
  }

  Result<void> ServeMetrics() {
    auto servers =
        ServeStatus(loop_, options_.listen_address, options_.healthz_address, metrics_,
                    {.collect = [this](Callback done) { CollectMetrics(std::move(done)); },
                     .unhealthy = {},
                     .not_ready = [this] { return announced_ ? "" : "not every role works yet"; }});
    if (!servers) return std::unexpected(servers.error());
    status_servers_ = std::move(*servers);
    return {};
  }

  void CollectMetrics(Callback done) {
    for (const RunningRole& running : roles_) running.role->CollectMetrics();
    CollectFromThread(0, std::move(done));
  }
  void CollectFromThread(std::size_t which, Callback done) {
    if (which == threads_.size()) return done();
    threads_[which]->CollectMetrics([this, which, done = std::move(done)]() mutable {
      CollectFromThread(which + 1, std::move(done));
    });
  }

  void InstallCrds() {
    auto crds = ParseManifests(CrdManifests(), "built-in CRDs");
    if (!crds) return Abort(crds.error());
    applier_->Apply(std::move(*crds), [this](const Result<void>& result) {
      if (!result) return Abort(result.error());
      MakeNodes();
    });
  }

  void MakeNodes() {
    // A cluster that was kept has the nodes that its owner left it.
    nodes_ = server_->restored() && !options_.nodes_given ? 0 : options_.nodes.nodes;
    nodes_left_ = nodes_;
    say_next_ = loop_.Now() + kSayHowFarEvery;
    for (int i = 0; i < kNodesAtOnce; ++i) MakeNextNode();
    if (nodes_left_ == 0) StartRoles();
  }

  void MakeNextNode() {
    if (next_node_ > nodes_) return;
    setup_.client->Create({kube::resources::kNodes}, options_.nodes.NodeJson(next_node_++),
                          [this](const Result<kube::ApiResponse>& result) {
                            if (!result && result.error().code != ErrorCode::kAlreadyExists) {
                              return Abort(result.error().Wrap("making a node"));
                            }
                            MakeNextNode();
                            --nodes_left_;
                            SayHowFar();
                            if (nodes_left_ == 0) StartRoles();
                          });
  }

  // Thousands of nodes take a while.
  void SayHowFar() {
    const Time now = loop_.Now();
    if (now < say_next_) return;
    say_next_ = now + kSayHowFarEvery;
    log::Info("making nodes", {{"made", nodes_ - nodes_left_}, {"of", nodes_}});
  }

  void StartRoles() {
    // On a cluster of our own nothing looks at heartbeats.
    if (!Join([](kube::Client& client) { return BuildSimnode(client, {.heartbeats = false}); })) {
      return;
    }
    if (!options_.only_api && !Join([](kube::Client& client) -> Result<std::unique_ptr<Role>> {
          return BuildWorkloads(client);
        })) {
      return;
    }
    if (!options_.only_api && !Join([this](RoleContext& context) {
          return BuildController(context, {.scheduler_names = options_.scheduler.names,
                                           .default_queue = options_.scheduler.default_queue,
                                           .controllers = options_.controllers});
        })) {
      return;
    }
    if (!options_.only_api && !JoinWithThread([this](RoleContext& context) {
          return BuildScheduler(context, options_.scheduler);
        })) {
      return;
    }
    if (!options_.only_api && !JoinWithThread([this](RoleContext& context) {
          return BuildWebhook(context, {.address = "127.0.0.1",
                                        .port = 0,
                                        .self_register = true,
                                        .scheduler_names = options_.scheduler.names,
                                        .feature_gates = options_.scheduler.feature_gates,
                                        // Its users and its roles are one user, and the roles end
                                        // with the webhook.
                                        .check_own_user = false});
        })) {
      return;
    }
    if (!options_.only_api && !JoinWithThread([this](RoleContext& context) {
          return BuildDescheduler(context, options_.descheduler);
        })) {
      return;
    }
    if (!options_.only_api && !Join([this](RoleContext& context) -> Result<std::unique_ptr<Role>> {
          auto role = DashboardRole::Build(
              context, {.scheduler_namespace = options_.scheduler.election.lock_namespace});
          if (!role) return std::unexpected(role.error());
          dashboard_ = (*role)->address();
          return std::unique_ptr<Role>(std::move(*role));
        })) {
      return;
    }
    for (const RunningRole& running : roles_) running.role->Start();
    for (const auto& thread : threads_) thread->Start();
    WaitForRoles();
  }

  // Adds a role with a thread of its own.
  bool JoinWithThread(const BuildRole& build) {
    auto thread = RoleThread::Make(loop_, Config(), kConnections, metrics_, build);
    if (!thread) {
      Abort(thread.error());
      return false;
    }
    threads_.push_back(std::move(*thread));
    return true;
  }

  // What they have under way ends first, while the API server is still there.
  void StopThreads() {
    if (threads_stopped_ == threads_.size()) return loop_.Stop();
    threads_[threads_stopped_]->Stop([this] {
      ++threads_stopped_;
      StopThreads();
    });
  }

  // Adds a role on this thread, on a connection of its own.
  bool Join(const BuildRole& build) {
    auto connection = ConnectToServer();
    if (!connection) {
      Abort(connection.error());
      return false;
    }
    RoleContext context{loop_, *connection->client, metrics_};
    auto role = build(context);
    if (!role) {
      Abort(role.error());
      return false;
    }
    roles_.push_back({std::move(*connection), std::move(*role)});
    return true;
  }

  void WaitForRoles() {
    for (const RunningRole& running : roles_) {
      if (!running.role->ready()) {
        return poll_.Start(kPollInterval, [this] { WaitForRoles(); });
      }
    }
    for (const auto& thread : threads_) {
      if (!thread->ready()) return poll_.Start(kPollInterval, [this] { WaitForRoles(); });
    }
    applier_->Apply(options_.apply, [this](const Result<void>& result) {
      if (!result) return Abort(result.error());
      AnnounceReady();
    });
  }

  void AnnounceReady() {
    const auto added = kubeconfig_.Add({.server = url_, .ca_pem = ca_pem_, .token = token_});
    if (!added) return Abort(added.error());
    if (kubeconfig_.context() != "basalt") {
      log::Warning("the kubeconfig has a cluster of that name already: this one has another",
                   {{"context", kubeconfig_.context()}, {"kubeconfig", kubeconfig_.path()}});
    }
    fmt::print("ready {} kubeconfig {}\n", url_, kubeconfig_.path());
    if (!dashboard_.empty()) fmt::print("dashboard {}\n", dashboard_);
    fmt::print("{}\n", WhatToTypeNext());
    std::fflush(stdout);
    announced_ = true;
  }

  std::string WhatToTypeNext() const {
    const bool has_nodes = options_.nodes.nodes > 0 || server_->restored();
    return fmt::format("next, in another terminal: export KUBECONFIG={}; {}", kubeconfig_.path(),
                       options_.only_api ? "kubectl get nodes"
                       : has_nodes
                           ? "kubectl create deployment web --image=nginx; kubectl get pods -o wide"
                           : "kubectl get queues");
  }

  struct RunningRole {
    Connection connection;
    std::unique_ptr<Role> role;
  };

  // In this order everything goes before what it uses.
  const UpOptions& options_;
  KubeconfigFile kubeconfig_;
  AsioLoop loop_;
  metrics::Registry metrics_;
  std::string token_;
  std::string ca_pem_;
  std::string url_;
  std::unique_ptr<ApiServerThread> server_;
  StopSignals signals_;
  Connection setup_;
  std::optional<Applier> applier_;
  int next_node_ = 1;
  int nodes_ = 0;  // to be made
  int nodes_left_ = 0;
  Time say_next_{};
  std::vector<RunningRole> roles_;
  std::string dashboard_;  // its address
  std::vector<std::unique_ptr<RoleThread>> threads_;
  std::size_t threads_stopped_ = 0;
  std::vector<std::unique_ptr<net::StatusServer>> status_servers_;
  bool announced_ = false;
  Timer poll_;
  int exit_code_ = kExitOk;
};

}  // namespace

int RunUp(const UpOptions& options) { return Up(options).Run(); }

}  // namespace basalt::cli
