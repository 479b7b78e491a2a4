#include "cli/descheduler_role.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <utility>

#include "base/log.h"
#include "cli/bad_flag.h"
#include "cli/listen_address.h"
#include "descheduler/policy/policy.h"
#include "descheduler/service/api_handler.h"
#include "descheduler/service/descheduler_service.h"
#include "descheduler/service/policy_planning.h"
#include "descheduler/service/usage_sources.h"
#include "kube/client/access_secret.h"
#include "kube/client/config_follower.h"
#include "kube/client/files.h"
#include "kube/types/cron_schedule.h"
#include "kube/types/time.h"
#include "net/random_token.h"
#include "net/token_server.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

using descheduler::DeschedulerService;
using descheduler::DeschedulerServiceOptions;
using descheduler::Policy;

constexpr std::size_t kMostTokenBytes = 64 * 1024;
constexpr std::size_t kPlanNameLength = 10;

Result<descheduler::TriggerOptions> ReadTriggers(const DeschedulerFlags& flags) {
  descheduler::TriggerOptions triggers;
  if (!flags.interval.empty()) {
    const Result<Duration> interval = kube::ParseDuration(flags.interval);
    if (!interval || *interval <= Duration{0}) {
      return BadFlag(
          "--descheduling-interval",
          fmt::format("\"{}\" is no duration above 0, such as 90s, 10m or 1h30m", flags.interval));
    }
    triggers.interval = *interval;
  }
  if (!flags.cron.empty()) {
    auto cron = kube::CronSchedule::Parse(flags.cron);
    if (!cron) return std::unexpected(cron.error().Wrap("--cron"));
    triggers.cron = std::move(*cron);
  }
  if (triggers.interval && triggers.cron) {
    log::Info("--descheduling-interval counts, and --cron does not: both are given", {});
  }
  return triggers;
}

// "": a fresh one.
Result<std::string> ReadToken(const std::string& file) {
  if (file.empty()) return net::RandomToken();
  const Result<std::string> text = kube::ReadFile(file, kMostTokenBytes);
  if (!text) return std::unexpected(text.error().Wrap("--token-file"));
  constexpr std::string_view kWhite = " \t\r\n\v\f";
  const std::size_t begin = text->find_first_not_of(kWhite);
  if (begin == std::string::npos) {
    return BadFlag("--token-file", fmt::format("{} holds no token", file));
  }
  return text->substr(begin, text->find_last_not_of(kWhite) + 1 - begin);
}

Result<DeschedulerServiceOptions> DeschedulerOptions(RoleContext& context,
                                                     const DeschedulerFlags& flags) {
  DeschedulerServiceOptions options;
  options.lock_namespace = flags.election.lock_namespace;
  options.state.scheduler_names.insert(flags.scheduler_names.begin(), flags.scheduler_names.end());
  options.state.scheduler_names.erase("");
  if (options.state.scheduler_names.empty()) {
    return BadFlag("--scheduler-name", "a name must not be empty");
  }
  auto triggers = ReadTriggers(flags);
  if (!triggers) return std::unexpected(triggers.error());
  options.triggers = std::move(*triggers);
  options.dry_run = flags.dry_run;
  options.metrics = &context.metrics;
  options.random_name = [] { return net::RandomToken().substr(0, kPlanNameLength); };
  if (flags.election.leader_elect) {
    options.election = ElectionOptions(flags.election, "basalt-descheduler");
    options.elect = context.elect;
  }
  return options;
}

Result<Policy> ReadPolicy(const Result<std::string>& text) {
  if (!text) return std::unexpected(text.error());
  std::expected<Policy, std::string> policy = descheduler::ParsePolicy(*text);
  if (!policy) return Fail(ErrorCode::kInvalidArgument, policy.error());
  for (const descheduler::Profile& profile : policy->profiles) {
    if (!profile.load_aware || profile.load_aware->metrics != descheduler::MetricsType::kPrometheus)
      continue;
    if (auto url = net::ParseUrl(profile.load_aware->metrics_address); !url) {
      return std::unexpected(url.error().Wrap(profile.load_aware->metrics_address_path));
    }
  }
  return std::move(*policy);
}

class DeschedulerRole final : public Role {
 public:
  DeschedulerRole(RoleContext& context, DeschedulerServiceOptions options,
                  const DeschedulerFlags& flags, std::string token)
      : loop_(context.loop),
        client_(context.client),
        scheduler_names_(flags.scheduler_names),
        service_(context.loop, context.client, WithSecret(std::move(options))),
        handler_(token, service_),
        token_(std::move(token)) {}

  Result<void> Listen(const std::string& address) {
    const Result<ListenAddress> parsed = ParseListenAddress(address, "0.0.0.0");
    if (!parsed) return std::unexpected(parsed.error());
    auto server = net::TokenServer::Create(
        loop_,
        {.name = std::string(descheduler::kApiServerName),
         .host = parsed->host,
         .port = parsed->port,
         .published_host = ReachableHost(parsed->host),
         .token = token_,
         .max_body_bytes = descheduler::kMostApiBytes},
        [this](net::HttpRequest request, const std::shared_ptr<net::HttpExchange>& exchange) {
          exchange->Respond(handler_.Answer(request));
        });
    if (!server) return std::unexpected(server.error());
    server_ = std::move(*server);
    secret_.emplace(
        service_.writes(), service_.options().lock_namespace, std::string(descheduler::kApiSecret),
        kube::Access{
            .address = server_->address(), .ca_pem = server_->ca_pem(), .token = server_->token()});
    log::Info("the descheduler answers", {{"address", server_->address()}});
    return {};
  }

  void Use(Policy policy) {
    const auto make_source =
        [this](
            const descheduler::LoadAwareArgs& args) -> std::unique_ptr<descheduler::UsageSource> {
      const auto allocatable = [this](std::string_view name) {
        const auto node = service_.informers().Of<kube::Node>().store().Find("", name);
        return node ? node->status.allocatable : kube::ResourceList();
      };
      auto source = descheduler::MakeUsageSource(loop_, client_, args, allocatable);
      if (source) return std::move(*source);
      log::Error("LoadAware does nothing: its source of metrics cannot be used",
                 {{"error", source.error().message}});
      return nullptr;
    };
    service_.SetPlanning(std::make_shared<descheduler::PolicyPlanning>(
        std::move(policy), scheduler_names_, make_source));
  }

  // The file's policy, and from now on what becomes of it. An error: it cannot be used as it is.
  Result<void> Follow(const std::string& path) {
    Result<std::string> text = kube::ReadConfigFile(path);
    if (!text) return std::unexpected(text.error());  // it names the file
    Result<Policy> policy = ReadPolicy(text);
    if (!policy) return std::unexpected(policy.error().Wrap(path));
    Use(std::move(*policy));
    follower_.emplace(loop_, path, [this, path](const Result<std::string>& changed) {
      Result<Policy> next = ReadPolicy(changed);
      if (!next) {
        log::Error("the policy is refused; the last good one stays in force",
                   {{"file", path}, {"error", next.error().message}});
        return;
      }
      log::Info("the policy is in force", {{"file", path}});
      Use(std::move(*next));
    });
    follower_->Start(std::move(text));
    return {};
  }

  std::string name() const override { return "descheduler"; }
  void Start() override {
    const auto& election = service_.options().election;
    if (!election) return service_.Start();
    EnsureNamespace(client_, election->ns, scope_.Guard([this] { service_.Start(); }));
  }
  bool ready() const override {
    return service_.ready() && (!secret_ || !service_.leads() || secret_->tried());
  }
  void Stop(Callback done) override { service_.Stop(std::move(done)); }
  void CollectMetrics() override { service_.CollectMetrics(); }
  bool elects_itself() const override { return true; }

 private:
  DeschedulerServiceOptions WithSecret(DeschedulerServiceOptions options) {
    options.on_leading = [this] {
      if (secret_) secret_->Publish();
    };
    return options;
  }

  AsioLoop& loop_;
  kube::Client& client_;
  const std::vector<std::string> scheduler_names_;
  DeschedulerService service_;
  descheduler::ApiHandler handler_;
  std::string token_;
  std::unique_ptr<net::TokenServer> server_;
  std::optional<kube::AccessSecret> secret_;
  std::optional<kube::ConfigFollower> follower_;
  Scope scope_;
};

}  // namespace

void AddDeschedulingFlags(CLI::App& command, DeschedulerFlags& flags) {
  command.add_option("--policy,--policy-config-file", flags.policy,
                     "the descheduler's policy file, reloaded when it changes");
  command.add_option("--descheduling-interval", flags.interval,
                     "a run of the descheduler at once, and then every so often: 10m");
  command.add_option("--cron,--descheduling-interval-cron-expression", flags.cron,
                     "runs of the descheduler at these times, in UTC: five fields, or @hourly, "
                     "@daily, @weekly, @monthly, @every DURATION");
  command
      .add_option("--query-address", flags.query_address,
                  "ADDRESS:PORT of the descheduler's HTTP API (basalt defrag); port 0: a free one")
      ->capture_default_str();
  command.add_option("--token-file", flags.token_file,
                     "the HTTP API's bearer token; without it: a fresh one at each start");
}

Result<std::unique_ptr<Role>> BuildDescheduler(RoleContext& context,
                                               const DeschedulerFlags& flags) {
  auto options = DeschedulerOptions(context, flags);
  if (!options) return std::unexpected(options.error());
  auto token = ReadToken(flags.token_file);
  if (!token) return std::unexpected(token.error());
  auto role =
      std::make_unique<DeschedulerRole>(context, std::move(*options), flags, std::move(*token));
  if (flags.policy.empty()) {
    role->Use(descheduler::BuiltinPolicy());
  } else if (auto followed = role->Follow(flags.policy); !followed) {
    return std::unexpected(followed.error().Wrap("--policy"));
  }
  if (auto listens = role->Listen(flags.query_address); !listens) {
    return std::unexpected(listens.error().Wrap("--query-address"));
  }
  return role;
}

}  // namespace basalt::cli
