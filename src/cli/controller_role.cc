#include "cli/controller_role.h"

#include <utility>

#include "cli/controller_choice.h"
#include "cli/election.h"
#include "controllers/cronjob/cronjob_controller.h"
#include "controllers/hypernode/hypernode_controller.h"
#include "controllers/job/gc_controller.h"
#include "controllers/job/job_controller.h"
#include "controllers/jobflow/jobflow_controller.h"
#include "controllers/podgroup/podgroup_controller.h"
#include "controllers/queue/queue_controller.h"
#include "controllers/runtime/controller_manager.h"
#include "kube/client/write_metrics.h"

namespace basalt::cli {
namespace {

using controllers::ControllerManager;
using controllers::ControllerManagerOptions;

// Also the name of the lease: one beside Volcano's own waits until that has gone.
constexpr const char* kComponent = "vc-controller-manager";

class ControllerRole final : public Role {
 public:
  ControllerRole(kube::Client& client, ControllerManagerOptions options,
                 ControllerManager::Build build)
      : client_(client),
        lock_namespace_(options.election ? options.election->ns : ""),
        manager_(client.api(), std::move(options), std::move(build)) {}

  std::string name() const override { return "controller"; }
  void Start() override {
    if (lock_namespace_.empty()) return manager_.Start();
    EnsureNamespace(client_, lock_namespace_, scope_.Guard([this] { manager_.Start(); }));
  }
  bool ready() const override { return manager_.ready(); }
  void Stop(Callback done) override { manager_.Stop(std::move(done)); }
  bool elects_itself() const override { return true; }

 private:
  kube::Client& client_;
  const std::string lock_namespace_;
  ControllerManager manager_;
  Scope scope_;
};

}  // namespace

Result<std::unique_ptr<Role>> BuildController(RoleContext& context, const ControllerFlags& flags) {
  controllers::PodGroupControllerOptions groups;
  groups.scheduler_names = {flags.scheduler_names.begin(), flags.scheduler_names.end()};
  groups.scheduler_names.erase("");
  if (groups.scheduler_names.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--scheduler-name: a name must not be empty");
  }
  if (flags.default_queue.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--default-queue: must not be empty");
  }
  groups.default_queue = flags.default_queue;

  ControllerManagerOptions options;
  options.client.pacing.qps = flags.qps;
  options.client.pacing.burst = flags.burst;
  options.client.pacing.on_outcome = kube::CountWrites(context.metrics);
  options.events.component = kComponent;
  if (flags.election.leader_elect) {
    options.election = ElectionOptions(flags.election, kComponent);
    options.elect = context.elect;
  }
  auto chosen = ChooseControllers(flags.controllers);
  if (!chosen) return std::unexpected(std::move(chosen.error()));
  metrics::Registry* metrics = &context.metrics;
  auto build = [groups, chosen = *std::move(chosen), metrics, max_requeue = flags.max_requeue](
                   kube::Client& client, kube::EventRecorder& events) {
    using namespace controllers;
    ControllerManager::Controllers made;
    const std::shared_ptr<PodsOfJobs> pods = WatchPodsOfJobs(client);
    if (chosen.contains("podgroup")) {
      PodGroupControllerOptions with_pods = groups;
      with_pods.job_pods = pods;
      made.push_back(std::make_unique<PodGroupController>(client, events, std::move(with_pods)));
    }
    if (chosen.contains("queue")) {
      made.push_back(std::make_unique<QueueController>(
          client, events, QueueControllerOptions{.default_queue = groups.default_queue}));
    }
    if (chosen.contains("job")) {
      made.push_back(std::make_unique<JobController>(
          client, events,
          JobControllerOptions{.max_requeue = max_requeue, .metrics = metrics, .pods = pods}));
    }
    if (chosen.contains("gc")) made.push_back(std::make_unique<GcController>(client));
    if (chosen.contains("jobflow")) {
      made.push_back(std::make_unique<JobFlowController>(client, events, metrics));
    }
    if (chosen.contains("jobtemplate")) {
      made.push_back(std::make_unique<JobTemplateController>(client));
    }
    if (chosen.contains("cronjob")) {
      made.push_back(std::make_unique<CronJobController>(client, events));
    }
    if (chosen.contains("hypernode")) {
      made.push_back(std::make_unique<HyperNodeController>(client));
    }
    return made;
  };
  return std::make_unique<ControllerRole>(context.client, std::move(options), std::move(build));
}

}  // namespace basalt::cli
