#include "cli/volcano_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/program_names.h"

namespace basalt::cli {
namespace {

using testing::ElementsAre;

// Every flag that Volcano v1.15.0's programs print with --help, with a value that they take.
constexpr std::string_view kFlagsOfAllThree[] = {"--add-dir-header",
                                                 "--alsologtostderr=false",
                                                 "--alsologtostderrthreshold=0",
                                                 "--ca-cert-file=/ca.crt",
                                                 "--enable-healthz=true",
                                                 "--feature-gates=WatchListClient=true",
                                                 "--healthz-address=:11251",
                                                 "--kube-api-burst=100",
                                                 "--kube-api-qps=50.0",
                                                 "--kubeconfig=/kubeconfig",
                                                 "--legacy-stderr-threshold-behavior",
                                                 "--listen-address=0.0.0.0",
                                                 "--log-backtrace-at=:0",
                                                 "--log-dir=/logs",
                                                 "--log-file=/log",
                                                 "--log-file-max-size=1800",
                                                 "--log-flush-frequency=5s",
                                                 "--logtostderr",
                                                 "--master=https://127.0.0.1:6443",
                                                 "--one-output=true",
                                                 "--scheduler-name=volcano",
                                                 "--skip-headers",
                                                 "--skip-log-headers",
                                                 "--stderrthreshold=2",
                                                 "--tls-cert-file=/tls.crt",
                                                 "--tls-private-key-file=/tls.key",
                                                 "--vmodule=a=1"};
constexpr std::string_view kElection[] = {"--leader-elect=false",
                                          "--leader-elect-lease-duration=15s",
                                          "--leader-elect-renew-deadline=10s",
                                          "--leader-elect-resource-lock=leases",
                                          "--leader-elect-resource-name=volcano",
                                          "--leader-elect-resource-namespace=volcano-system",
                                          "--leader-elect-retry-period=2s",
                                          "--enable-metrics=true"};
constexpr std::string_view kScheduler[] = {"--cache-dump-dir=/tmp",
                                           "--cache-dumper=false",
                                           "--csi-storage",
                                           "--default-queue=default",
                                           "--disable-default-scheduler-config=false",
                                           "--enable-pprof=true",
                                           "--gate-removal-worker-num=5",
                                           "--ignored-provisioners=rancher.io/local-path",
                                           "--lock-object-namespace=volcano-system",
                                           "--minimum-feasible-nodes=100",
                                           "--minimum-percentage-nodes-to-find=5",
                                           "--node-selector=volcano.sh/role:train",
                                           "--node-worker-threads=20",
                                           "--percentage-nodes-to-find=0",
                                           "--plugins-dir=/plugins",
                                           "--priority-class=true",
                                           "--resource-sync-timeout=60s",
                                           "--resync-period=0",
                                           "--schedule-period=1s",
                                           "--scheduler-conf=/volcano.scheduler/conf",
                                           "--scheduler-sharding-mode=none",
                                           "--scheduler-sharding-name=volcano"};
constexpr std::string_view kController[] = {
    "--controllers=*,-sharding-controller",
    "--enable-node-event-trigger=true",
    "--inherit-owner-annotations=true",
    "--lock-object-namespace=volcano-system",
    "--max-requeue-num=15",
    "--scheduler-configs=volcano:volcano:0.0:0.6:false:2:100",
    "--shard-sync-period=1m0s",
    "--sharding-configmap=volcano-sharding-configmap",
    "--sharding-configmap-namespace=volcano-system",
    "--worker-threads=3",
    "--worker-threads-for-cronjob=3",
    "--worker-threads-for-gc=5",
    "--worker-threads-for-podgroup=5",
    "--worker-threads-for-queue=5"};
constexpr std::string_view kWebhook[] = {"--admission-conf=/admission.conf",
                                         "--enable-queue-allocated-pods-check=true",
                                         "--enable-root-queue-protection",
                                         "--enabled-admission=/jobs/mutate,/jobs/validate",
                                         "--graceful-shutdown-time=30s",
                                         "--max-queue-depth=5",
                                         "--port=8443",
                                         "--webhook-namespace=volcano-system",
                                         "--webhook-service-name=volcano-admission-service",
                                         "--webhook-url=https://127.0.0.1:8443"};

// What the command says to these arguments, one after the other; "": it would run.
std::string Parse(void (*add)(CLI::App&, Action&), std::string_view role,
                  const std::vector<std::string_view>& arguments) {
  CLI::App app("test", "basalt");
  Action action;
  add(app, action);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  reversed.emplace_back(role);
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return action ? "" : "no action";
}

void ExpectEachAlone(void (*add)(CLI::App&, Action&), std::string_view role,
                     std::initializer_list<std::span<const std::string_view>> lists) {
  for (const auto list : lists) {
    for (const std::string_view flag : list) EXPECT_EQ(Parse(add, role, {flag}), "") << flag;
  }
}

TEST(VolcanoFlags, EveryFlagOfItsSchedulerIsTaken) {
  ExpectEachAlone(AddSchedulerCommand, "scheduler", {kFlagsOfAllThree, kElection, kScheduler});
}

TEST(VolcanoFlags, EveryFlagOfItsControllerManagerIsTaken) {
  ExpectEachAlone(AddControllerCommand, "controller", {kFlagsOfAllThree, kElection, kController});
}

TEST(VolcanoFlags, EveryFlagOfItsWebhookManagerIsTaken) {
  ExpectEachAlone(AddWebhookCommand, "webhook", {kFlagsOfAllThree, kWebhook});
}

TEST(VolcanoFlags, AddressesAreVolcanosWhereTheFlagsNameNone) {
  std::string listen;
  std::string health = ":1";
  ApplyVolcanosFlags({.enable_metrics = true, .enable_healthz = true},
                     VolcanoProgram::kControllerManager, listen, health);
  EXPECT_EQ(listen, ":8081");
  EXPECT_EQ(health, ":1");
}

TEST(ProgramNames, VolcanosProgramsAreRolesThatTakePartInAnElection) {
  EXPECT_THAT(ArgumentsByName("/vc-scheduler", {"--logtostderr"}),
              ElementsAre("scheduler", "--leader-elect", "--logtostderr"));
  EXPECT_THAT(ArgumentsByName("vc-controller-manager", {"--leader-elect=false"}),
              ElementsAre("controller", "--leader-elect=false"));
  EXPECT_THAT(ArgumentsByName("/vc-webhook-manager", {}), ElementsAre("webhook"));
}

}  // namespace
}  // namespace basalt::cli
