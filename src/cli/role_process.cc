#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/loop_thread.h"
#include "cli/command.h"
#include "cli/election.h"
#include "cli/role.h"
#include "cli/role_pulse.h"
#include "cli/signals.h"
#include "cli/status_endpoints.h"
#include "kube/client/reach_watch.h"
#include "kube/client/remote_elector.h"

namespace basalt::cli {
namespace {

// A loop that has not run for so long will not come back by itself: the kubelet that probes the
// role's health should start it again. Longer than any single decision takes.
constexpr Duration kStalled = 2min;

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

// A process with one role. The role has the main thread. A second thread has what must never wait
// for it: the lease, health and metrics, on sockets and a connection of their own.
class RoleProcess {
 public:
  explicit RoleProcess(const RoleFlags& flags)
      : flags_(flags), signals_(loop_, [this] { Stop(); }) {}

  int Run(const BuildRole& build) {
    if (const Result<void> made = Make(build); !made) {
      PrintError(made.error().message);
      return exit_code_;
    }
    log::Info("starting", {{"role", role_->name()}, {"cluster", server_}});
    beside_.Start();
    beside_.loop().Post([this] { reach_->Start(); });
    pulse_->Start();
    Start();
    loop_.Run();
    beside_.Stop();
    return exit_code_;
  }

 private:
  Result<void> Make(const BuildRole& build) {
    if (auto times = CheckElectionTimes(flags_.election.times); !times) {
      return Refuse(times.error(), kExitUsage);
    }
    auto config = kube::LoadConfig(flags_.cluster);
    if (!config) return Refuse(config.error(), kExitFailure);
    server_ = config->server;
    auto connection =
        Connect(loop_, *config, flags_.qps, flags_.burst, flags_.connections, &metrics_);
    if (!connection) return Refuse(connection.error(), kExitFailure);
    connection_ = std::move(*connection);
    auto election_api =
        kube::HttpApiClient::Create(beside_.loop(), *config, {.max_connections = 1});
    if (!election_api) return Refuse(election_api.error(), kExitFailure);
    election_api_ = std::move(*election_api);
    reach_ = std::make_unique<kube::ReachWatch>(*election_api_, server_);
    RoleContext context{loop_, *connection_.client, metrics_,
                        [this](const kube::LeaderElectorOptions& options, auto callbacks) {
                          return Elect(options, std::move(callbacks));
                        }};
    auto role = build(context);
    if (!role) return Refuse(role.error(), kExitUsage);
    role_ = std::move(*role);
    pulse_ = std::make_unique<RolePulse>(loop_, *role_);
    auto servers =
        ServeStatus(beside_.loop(), flags_.listen_address, flags_.healthz_address, metrics_,
                    {.collect = [this](Callback done) { Collect(std::move(done)); },
                     .unhealthy = [this] { return Unhealthy(); },
                     .not_ready = [this] { return NotReady(); },
                     .details = [this] { return Details(); }});
    if (!servers) return Refuse(servers.error(), kExitUsage);
    servers_ = std::move(*servers);
    if (flags_.election.leader_elect && !role_->elects_itself()) own_elector_ = ElectForRole();
    return {};
  }

  std::unexpected<Error> Refuse(const Error& error, int exit_code) {
    exit_code_ = exit_code;
    return std::unexpected(error);
  }

  std::unique_ptr<kube::Leadership> Elect(const kube::LeaderElectorOptions& options,
                                          kube::Leadership::Callbacks callbacks) {
    auto elector = std::make_unique<kube::RemoteElector>(
        loop_, *election_api_, [this](Callback task) { beside_.RunThere(std::move(task)); },
        options, Telling(options, std::move(callbacks)));
    elector_ = elector.get();  // lives as long as the role, whose one election this is
    return elector;
  }

  // The same, and a line in the log whenever this process or another begins to lead.
  kube::Leadership::Callbacks Telling(const kube::LeaderElectorOptions& options,
                                      kube::Leadership::Callbacks callbacks) {
    const std::string lease = options.ns + "/" + options.name;
    callbacks.on_started_leading = [this, lease, then = std::move(callbacks.on_started_leading)] {
      log::Info("leading", {{"role", role_->name()}, {"lease", lease}});
      then();
    };
    callbacks.on_new_leader = [this, lease, own = options.identity,
                               then = std::move(callbacks.on_new_leader)](const std::string& who) {
      if (who != own && !who.empty()) {
        log::Info("standing by", {{"role", role_->name()}, {"lease", lease}, {"leader", who}});
      }
      if (then) then(who);
    };
    return callbacks;
  }

  std::unique_ptr<kube::Leadership> ElectForRole() {
    return Elect(ElectionOptions(flags_.election, "basalt-" + role_->name()),
                 kube::Leadership::Callbacks{.on_started_leading = [this] { role_->Start(); },
                                             .on_stopped_leading = [this] { LostLease(); },
                                             .on_new_leader = {}});
  }

  void Start() {
    if (!own_elector_) return role_->Start();
    EnsureNamespace(*connection_.client, flags_.election.lock_namespace,
                    [this] { own_elector_->Start(); });
  }

  // Whatever it has under way must not meet the next leader's: only a new process is safe.
  void LostLease() {
    if (stopping_) return;
    log::Error("lost the lease: ending, to be started again", {{"role", role_->name()}});
    exit_code_ = kExitFailure;
    loop_.Stop();
  }

  void Stop() {
    if (!role_) return loop_.Stop();
    stopping_ = true;
    role_->Stop([this] {
      if (!own_elector_) return loop_.Stop();
      own_elector_->Release([this] { loop_.Stop(); });
    });
  }

  // ---- on the second thread

  void Collect(Callback done) {
    if (elector_) master_.Set(Leads() ? 1 : 0);
    loop_.Post([this, done = std::move(done)]() mutable {
      role_->CollectMetrics();
      beside_.loop().Post(std::move(done));
    });
  }

  Duration SinceLoopRan() const {
    return std::max(Duration::zero(), loop_.Monotonic() - pulse_->last_ran());
  }

  std::string Unhealthy() const {
    if (SinceLoopRan() < kStalled) return "";
    return fmt::format("the loop of the {} has not run for {:.0f} s", role_->name(),
                       Seconds(SinceLoopRan()));
  }

  std::string NotReady() const {
    // A process that may not have the lease never takes over: its readiness has to say so.
    if (elector_ && !Leads() && elector_->elector().last_error()) {
      return "cannot take part in the election: " + elector_->elector().last_error()->message;
    }
    if (pulse_->ready()) return "";
    if (own_elector_ && !Leads()) return "";  // it stands by, as it should
    return role_->name() + " is still reading the cluster";
  }

  bool Leads() const { return elector_ && elector_->elector().IsLeader(); }

  std::string Details() const {
    std::string text = fmt::format("loop: last ran {:.1f} s ago\n", Seconds(SinceLoopRan()));
    if (!elector_) return text;
    const kube::LeaderElector& elector = elector_->elector();
    if (elector.IsLeader()) {
      const Duration since = loop_.Monotonic() - elector.last_renewal().value_or(Duration::zero());
      text += fmt::format("lease: held, renewed {:.1f} s ago\n", Seconds(since));
    } else {
      text += fmt::format("lease: {}\n", elector.leader().empty() ? "nobody is known to hold it"
                                                                  : "held by " + elector.leader());
    }
    if (elector.last_error()) text += "lease: " + elector.last_error()->message + "\n";
    return text;
  }

  // In this order everything goes before what it uses.
  const RoleFlags& flags_;
  std::string server_;
  AsioLoop loop_;
  LoopThread beside_;
  metrics::Registry metrics_;
  metrics::Gauge master_ = metrics_.GetGauge("leader_election_master_status",
                                             "Whether this process holds the lease of its role");
  Connection connection_;
  std::unique_ptr<kube::HttpApiClient> election_api_;
  std::unique_ptr<kube::ReachWatch> reach_;
  std::unique_ptr<Role> role_;
  std::unique_ptr<RolePulse> pulse_;
  std::unique_ptr<kube::Leadership> own_elector_;  // of a role that does not elect itself
  kube::RemoteElector* elector_ = nullptr;         // that, or the role's own
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
