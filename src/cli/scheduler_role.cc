#include "cli/scheduler_role.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <utility>

#include "base/log.h"
#include "cli/bad_flag.h"
#include "cli/election.h"
#include "cli/feature_gates.h"
#include "cli/questions.h"
#include "cli/shadow_role.h"
#include "kube/client/config_follower.h"
#include "kube/types/time.h"
#include "net/hmac_signer.h"
#include "net/random_token.h"
#include "scheduler/service/scheduler_key.h"
#include "scheduler/service/scheduler_service.h"

namespace basalt::cli {
namespace {

using kube::ConfigFollower;
using scheduler::SchedulerService;
using scheduler::SchedulerServiceOptions;

Result<std::vector<std::pair<std::string, std::string>>> ParseNodeSelector(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> labels;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == 0 || colon == std::string::npos) {
      return BadFlag(
          "--node-selector",
          fmt::format("\"{}\": want LABEL:VALUE, for example volcano.sh/role:train", text));
    }
    labels.emplace_back(text.substr(0, colon), text.substr(colon + 1));
  }
  return labels;
}

Result<SchedulerServiceOptions> ServiceOptions(RoleContext& context, const SchedulerFlags& flags) {
  SchedulerServiceOptions options;
  auto& names = options.scheduler.state.scheduler_names;
  names.insert(flags.names.begin(), flags.names.end());
  names.erase("");
  if (names.empty()) return BadFlag("--scheduler-name", "a name must not be empty");
  if (flags.default_queue.empty()) return BadFlag("--default-queue", "must not be empty");
  options.scheduler.state.default_queue = flags.default_queue;

  const Result<Duration> period = kube::ParseDuration(flags.period);
  if (!period) return std::unexpected(period.error().Wrap("--schedule-period"));
  if (*period <= Duration{0}) return BadFlag("--schedule-period", "must be more than 0");
  options.scheduler.period = *period;

  const Result<Duration> budget = kube::ParseDuration(flags.cycle_budget);
  if (!budget) return std::unexpected(budget.error().Wrap("--cycle-budget"));
  if (*budget <= Duration{0}) return BadFlag("--cycle-budget", "must be more than 0");
  options.scheduler.cycle_budget = *budget;

  auto labels = ParseNodeSelector(flags.node_selector);
  if (!labels) return std::unexpected(labels.error());
  options.node_labels = std::move(*labels);

  const Result<FeatureGates> gates = ParseFeatureGates(flags.feature_gates);
  if (!gates) return std::unexpected(gates.error());
  options.scheduler.state.queue_gates = gates->queue_admission;

  if (flags.gate_removal_workers < 1) return BadFlag("--gate-removal-worker-num", "at least 1");
  options.effects.budget = {
      .qps = flags.qps, .burst = flags.burst, .parallel_gates = flags.gate_removal_workers};
  options.metrics = &context.metrics;
  if (flags.metrics_max_jobs < 0) return BadFlag("--metrics-max-jobs", "must not be negative");
  options.metrics_max_jobs = static_cast<std::size_t>(flags.metrics_max_jobs);
  const std::string component = fmt::format("{}", fmt::join(flags.names, "-"));
  options.events.component = component;
  options.events.least_delay = 100ms;  // a pod that was bound starts first
  if (flags.election.leader_elect) {
    options.election = ElectionOptions(flags.election, component);
    options.elect = context.elect;
  }
  return options;
}

class SchedulerRole final : public Role {
 public:
  SchedulerRole(RoleContext& context, SchedulerServiceOptions options,
                const std::string& key_namespace)
      : client_(context.client),
        reloads_ok_(Reloads(context.metrics, "success")),
        reloads_refused_(Reloads(context.metrics, "error")),
        signer_(std::make_shared<net::HmacSigner>(net::RandomToken())),
        key_(context.client, key_namespace, net::RandomToken),
        service_(context.loop, context.client, WithLeadership(std::move(options))) {}

  // The file's configuration, and from now on what becomes of it. An error: it cannot be used as it
  // is now. To run with another policy than the one that was asked for would be worse than not to.
  Result<void> Follow(const std::string& path) {
    Result<std::string> text = kube::ReadConfigFile(path);
    if (auto loaded = Load(path, text); !loaded) return loaded;
    follower_.emplace(client_.loop(), path, [this, path](const Result<std::string>& changed) {
      const Result<void> loaded = Load(path, changed);
      if (loaded) return;
      reloads_refused_.Add();
      log::Error("the configuration is refused; the last good one stays in force",
                 {{"error", loaded.error().message}});
    });
    follower_->Start(std::move(text));
    return {};
  }

  Result<void> AnswerQuestions(AsioLoop& loop, const std::string& address,
                               const std::string& secret_namespace) {
    auto questions = Questions::Create(loop, address, service_, secret_namespace);
    if (!questions) return std::unexpected(questions.error());
    questions_ = std::move(*questions);
    return {};
  }

  std::string name() const override { return "scheduler"; }
  void Start() override {
    const auto& election = service_.options().election;
    if (!election) return StartWithKey();
    EnsureNamespace(client_, election->ns, scope_.Guard([this] { StartWithKey(); }));
  }
  bool ready() const override {
    const bool can_be_found = !questions_ || !service_.leads() || questions_->settled();
    return service_.ready() && can_be_found;
  }
  void Stop(Callback done) override { service_.Stop(std::move(done)); }
  void CollectMetrics() override { service_.CollectMetrics(); }
  bool elects_itself() const override { return true; }

 private:
  void StartWithKey() {
    key_.Get([this](const Result<std::string>& key) {
      if (key) {
        signer_->SetKey(*key);
      } else {
        log::Warning(
            "the schedulers' key cannot be read or made; this one uses a key of its own, and what "
            "it writes on pods (their queues, who was evicted for them) will not be known to the "
            "next",
            {{"error", key.error().message}});
      }
      service_.Start();
    });
  }

  SchedulerServiceOptions WithLeadership(SchedulerServiceOptions options) {
    options.signer = signer_;
    options.on_leading = [this] {
      if (questions_) questions_->Publish();
    };
    return options;
  }
  static metrics::Counter Reloads(metrics::Registry& registry, const char* result) {
    return registry.GetCounter("basalt_config_reloads_total",
                               "Configurations that were read, by what became of them",
                               {{"result", result}});
  }

  Result<void> Load(const std::string& path, const Result<std::string>& text) {
    Result<void> loaded =
        text ? service_.Configure(*text) : Result<void>(std::unexpected(text.error()));
    if (loaded) {
      reloads_ok_.Add();
      log::Info("the configuration is in force", {{"file", path}});
      return loaded;
    }
    if (text) loaded = std::unexpected(loaded.error().Wrap(path));
    return loaded;
  }

  kube::Client& client_;
  metrics::Counter reloads_ok_;
  metrics::Counter reloads_refused_;
  std::shared_ptr<net::HmacSigner> signer_;
  scheduler::SchedulerKey key_;
  SchedulerService service_;
  std::unique_ptr<Questions> questions_;
  std::optional<ConfigFollower> follower_;
  Scope scope_;
};

}  // namespace

void AddSchedulingFlags(CLI::App& command, SchedulerFlags& flags) {
  command.add_option("--scheduler-conf", flags.conf,
                     "the scheduler's configuration file, reloaded when it changes; without it: "
                     "the default configuration");
  command
      .add_option("--scheduler-name", flags.names,
                  "pods with this schedulerName are scheduled; may be repeated")
      ->take_all()
      ->allow_extra_args(false)
      ->capture_default_str();
  command.add_option("--feature-gates", flags.feature_gates,
                     "NAME=true|false,…: SchedulingGatesQueueAdmission (default true)");
}

void AddSchedulerFlags(CLI::App& command, SchedulerFlags& flags) {
  AddSchedulingFlags(command, flags);
  command.add_flag(
      "--shadow", flags.shadow,
      "beside another scheduler: write nothing, not even a lease, and report what would "
      "have been done otherwise (basalt shadow report)");
  command
      .add_option("--shadow-report", flags.shadow_report,
                  "with --shadow: the file that has the report, written every five seconds")
      ->capture_default_str();
  command.add_flag("--disable-default-scheduler-config", flags.disable_default_conf,
                   "accepted as Volcano's: a configuration that is missing or wrong ends the "
                   "scheduler in any case");
  command
      .add_option(
          "--schedule-period", flags.period,
          "the longest time between two cycles while jobs wait; events cause cycles at once")
      ->capture_default_str();
  command
      .add_option("--cycle-budget", flags.cycle_budget,
                  "a cycle that has gone on for so long ends at the next job; the next cycle goes "
                  "on with the others")
      ->capture_default_str();
  command
      .add_option("--default-queue", flags.default_queue,
                  "the queue of what names none; made where it is missing")
      ->capture_default_str();
  command
      .add_option("--node-selector", flags.node_selector,
                  "LABEL:VALUE: only nodes with this label; may be repeated, one is enough")
      ->take_all()
      ->allow_extra_args(false)
      ->delimiter(',');
  command
      .add_option("--gate-removal-worker-num", flags.gate_removal_workers,
                  "removals of queue-allocation gates at once")
      ->capture_default_str();
  command
      .add_option("--metrics-max-jobs", flags.metrics_max_jobs,
                  "jobs with series of their own in /metrics, the newest ones; 0: none")
      ->capture_default_str();
  command
      .add_option("--query-address", flags.query_address,
                  "ADDRESS:PORT for questions (basalt explain and others); port 0: a free one; "
                  "\"\": none are answered")
      ->capture_default_str();
}

Result<std::unique_ptr<Role>> BuildScheduler(RoleContext& context, const SchedulerFlags& flags) {
  if (flags.disable_default_conf && flags.conf.empty()) {
    return BadFlag("--disable-default-scheduler-config", "needs --scheduler-conf");
  }
  auto options = ServiceOptions(context, flags);
  if (!options) return std::unexpected(options.error());
  if (flags.shadow) return BuildShadow(context, std::move(*options), flags);
  auto role =
      std::make_unique<SchedulerRole>(context, std::move(*options), flags.election.lock_namespace);
  if (!flags.query_address.empty()) {
    const auto ok =
        role->AnswerQuestions(context.loop, flags.query_address, flags.election.lock_namespace);
    if (!ok) return std::unexpected(ok.error().Wrap("--query-address"));
  }
  if (!flags.conf.empty()) {
    if (auto ok = role->Follow(flags.conf); !ok) {
      return std::unexpected(ok.error().Wrap("--scheduler-conf"));
    }
  }
  return role;
}

}  // namespace basalt::cli
