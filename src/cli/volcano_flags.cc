#include "cli/volcano_flags.h"

#include <CLI/CLI.hpp>
#include <span>
#include <string_view>

#include "base/log.h"

namespace basalt::cli {
namespace {

// Of klog, which all three log by.
constexpr std::string_view kSwitchesOfAll[] = {
    "--add-dir-header",  "--alsologtostderr", "--legacy-stderr-threshold-behavior",
    "--logtostderr",     "--one-output",      "--skip-headers",
    "--skip-log-headers"};
constexpr std::string_view kValuesOfAll[] = {"--alsologtostderrthreshold",
                                             "--log-backtrace-at",
                                             "--log-dir",
                                             "--log-file",
                                             "--log-file-max-size",
                                             "--log-flush-frequency",
                                             "--stderrthreshold",
                                             "--vmodule",
                                             "--ca-cert-file",
                                             "--feature-gates",
                                             "--tls-cert-file",
                                             "--tls-private-key-file",
                                             "--leader-elect-resource-lock"};

constexpr std::string_view kSchedulerSwitches[] = {"--cache-dumper", "--csi-storage",
                                                   "--enable-pprof", "--priority-class"};
constexpr std::string_view kSchedulerValues[] = {"--cache-dump-dir",
                                                 "--ignored-provisioners",
                                                 "--minimum-feasible-nodes",
                                                 "--minimum-percentage-nodes-to-find",
                                                 "--node-worker-threads",
                                                 "--percentage-nodes-to-find",
                                                 "--plugins-dir",
                                                 "--resource-sync-timeout",
                                                 "--resync-period",
                                                 "--scheduler-sharding-mode",
                                                 "--scheduler-sharding-name"};

constexpr std::string_view kControllerSwitches[] = {"--enable-node-event-trigger",
                                                    "--inherit-owner-annotations"};
constexpr std::string_view kControllerValues[] = {
    "--scheduler-configs",       "--shard-sync-period",
    "--sharding-configmap",      "--sharding-configmap-namespace",
    "--worker-threads",          "--worker-threads-for-cronjob",
    "--worker-threads-for-gc",   "--worker-threads-for-podgroup",
    "--worker-threads-for-queue"};

constexpr std::string_view kWebhookSwitches[] = {"--enable-queue-allocated-pods-check",
                                                 "--enable-root-queue-protection"};
constexpr std::string_view kWebhookValues[] = {"--admission-conf", "--graceful-shutdown-time"};

struct Program {
  std::span<const std::string_view> switches;
  std::span<const std::string_view> values;
  std::string_view metrics_address;  // "": it has no metrics of its own
};

Program DescriptionOf(VolcanoProgram program) {
  switch (program) {
    case VolcanoProgram::kScheduler: return {kSchedulerSwitches, kSchedulerValues, ":8080"};
    case VolcanoProgram::kControllerManager:
      return {kControllerSwitches, kControllerValues, ":8081"};
    case VolcanoProgram::kWebhookManager: return {kWebhookSwitches, kWebhookValues, ""};
  }
  return {};
}

constexpr std::string_view kHealthAddress = ":11251";

void TakeWithoutEffect(CLI::App& command, VolcanoFlags& flags,
                       std::span<const std::string_view> names, bool has_value) {
  for (const std::string_view view : names) {
    const std::string name(view);
    if (command.get_option_no_throw(name) != nullptr) continue;
    const auto note = [&flags, name] { flags.without_effect.push_back(name); };
    if (has_value) {
      command.add_option_function<std::string>(name, [note](const std::string&) { note(); })
          ->group("");
    } else {
      command.add_flag_function(name, [note](std::int64_t) { note(); })->group("");
    }
  }
}

}  // namespace

void AddVolcanosFlags(CLI::App& command, VolcanoProgram program, VolcanoFlags& flags) {
  const Program description = DescriptionOf(program);
  if (!description.metrics_address.empty()) {
    command.add_flag("--enable-metrics", flags.enable_metrics,
                     "metrics at Volcano's address, " + std::string(description.metrics_address) +
                         ", without --listen-address");
  }
  command.add_flag("--enable-healthz", flags.enable_healthz,
                   "health at Volcano's address, " + std::string(kHealthAddress) +
                       ", without --healthz-address");
  command.set_version_flag("--version", "basalt " BASALT_VERSION)->group("");
  TakeWithoutEffect(command, flags, kSwitchesOfAll, false);
  TakeWithoutEffect(command, flags, kValuesOfAll, true);
  TakeWithoutEffect(command, flags, description.switches, false);
  TakeWithoutEffect(command, flags, description.values, true);
}

void ApplyVolcanosFlags(const VolcanoFlags& flags, VolcanoProgram program,
                        std::string& listen_address, std::string& healthz_address) {
  for (const std::string& name : flags.without_effect) {
    log::Info("this flag of Volcano's has no effect here", {{"flag", name}});
  }
  if (flags.enable_metrics && listen_address.empty()) {
    listen_address = DescriptionOf(program).metrics_address;
  }
  if (flags.enable_healthz && healthz_address.empty()) healthz_address = kHealthAddress;
}

}  // namespace basalt::cli
