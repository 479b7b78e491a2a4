// deps: basalt_webhook basalt_controllers_podgroup basalt_controllers_queue
// basalt_testing_scheduling Queue-allocation gates on the real API server: the webhook gives them,
// the scheduler takes them.
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "controllers/podgroup/podgroup_controller.h"
#include "controllers/queue/queue_controller.h"
#include "controllers/runtime/controller_manager.h"
#include "kube/types/codec.h"
#include "testing/builders.h"
#include "testing/scheduling/scheduling_cluster.h"
#include "tests/cluster/pod_history.h"
#include "tests/cluster/simulated_cluster.h"
#include "webhook/webhook.h"

namespace basalt::testutil {
namespace {

namespace resources = kube::resources;

class GatesOnRealClusterTest : public SimulatedClusterTest {
 protected:
  void SetUp() override {
    SimulatedClusterTest::SetUp();
    if (HasFatalFailure()) return;
    controllers_ = std::make_unique<controllers::ControllerManager>(
        *api_, controllers::ControllerManagerOptions{},
        [this](kube::Client& client, kube::EventRecorder& events) {
          controllers::ControllerManager::Controllers made;
          made.push_back(std::make_unique<controllers::PodGroupController>(
              client, events, controllers::PodGroupControllerOptions{.scheduler_names = {ns_}}));
          made.push_back(std::make_unique<controllers::QueueController>(client, events));
          return made;
        });
    controllers_->Start();
    StartScheduler();
    StartWebhook();
    AddNode(MakeNode(Own("n0")).Cpu("8"));
    history_ = std::make_unique<PodHistory>(*client_, ns_);
    RunUntil("everybody knows everything",
             [&] { return controllers_->ready() && history_->HasSynced(); });
  }
  void TearDown() override {
    if (client_ != nullptr) {
      Delete({resources::kMutatingWebhooks, "", webhook::kConfigurationName});
      Delete({resources::kValidatingWebhooks, "", webhook::kConfigurationName});
    }
    webhook_.reset();
    history_.reset();
    scheduler_.reset();
    controllers_.reset();
    SimulatedClusterTest::TearDown();
  }

  void StartScheduler() {
    scheduler_.reset();
    scheduler_ = std::make_unique<scheduler::SchedulerService>(loop_, *client_, OwnScheduler());
    scheduler_->Start();
    RunUntil("the scheduler knows everything", [&] { return scheduler_->ready(); });
  }
  // It gives out gates when this returns: the server needs a moment to hear of it.
  void StartWebhook() {
    auto made = webhook::Webhook::Create(
        loop_, *client_,
        {.address = "127.0.0.1",
         .port = 0,
         .policy = {.scheduler_names = {ns_}},
         .routes = {webhook::FindRoute("/pods/mutate"), webhook::FindRoute("/pods/validate")},
         .self_register = true,
         .secret = {.ns = ns_},
         .check_interval = 200ms});
    ASSERT_TRUE(made) << made.error().message;
    webhook_ = *std::move(made);
    webhook_->Start();
    RunUntil("the webhook is ready", [&] { return webhook_->ready(); });
    WaitFor("the server asks the webhook", [&] {
      bool gated = false, answered = false;
      client_->Create({resources::kPods, ns_}, Annotated("probe").Text(),
                      [&](const Result<kube::ApiResponse>& answer) {
                        answered = true;
                        gated = answer && answer->body.find("schedulingGates") != std::string::npos;
                      },
                      {.dry_run = true});
      RunUntil("an answer", [&] { return answered; });
      return gated;
    });
  }
  void AddQueue(std::string_view cpu, std::string_view memory) {
    Add(MakeQueue(Own("q")).Set("spec.capability.cpu", cpu).Set("spec.capability.memory", memory));
  }
  PodBuilder Annotated(std::string_view name) const {
    return OwnPod(name, "1")
        .Memory("1Gi")
        .Annotation(kGate, "true")
        .Annotation("scheduling.volcano.sh/queue-name", Own("q"));
  }
  // "gated", "open", "open Unschedulable", "Running" …
  std::string StateOf(std::string_view name) {
    const Answer got = Get({resources::kPods, ns_, name});
    if (!got) return "gone";
    const auto pod = kube::Decode<kube::Pod>(json::serialize(*got));
    if (pod->gated()) return "gated";
    if (pod->bound()) return std::string(kube::ToString(pod->status.phase));
    const kube::Condition* said = kube::FindCondition(pod->status.conditions, "PodScheduled");
    return "open" + (said ? " " + said->reason : "");
  }
  void WaitForState(std::string_view pod, std::string_view state) {
    WaitFor(fmt::format("{} is {}", pod, state), [&] { return StateOf(pod) == state; });
  }
  void DeletePod(std::string_view name) {
    const Answer deleted = Delete({resources::kPods, ns_, name});
    ASSERT_TRUE(deleted) << deleted.error().message;
  }

  std::unique_ptr<controllers::ControllerManager> controllers_;
  std::unique_ptr<scheduler::SchedulerService> scheduler_;
  std::unique_ptr<webhook::Webhook> webhook_;
  std::unique_ptr<PodHistory> history_;
};

// Seed 000's scenario.
TEST_F(GatesOnRealClusterTest, AQueueForOneAdmitsOneAtATimeAndOnlyThatOneIsUnschedulable) {
  AddQueue("1", "1Gi");
  CreatePod(Annotated("pod-1").Text());
  WaitForState("pod-1", "Running");
  CreatePod(Annotated("pod-2").NodeSelector("disk", "nothing-has-it").Text());
  Pause(1100ms);  // the order is that of their times of creation, which are in seconds
  CreatePod(Annotated("pod-3").Text());
  Pause(4s);
  EXPECT_EQ(StateOf("pod-2"), "gated");
  EXPECT_EQ(StateOf("pod-3"), "gated");

  DeletePod("pod-1");
  WaitForState("pod-2", "open Unschedulable");
  EXPECT_EQ(StateOf("pod-3"), "gated");
  StartScheduler();  // its claim is on the pod
  Pause(8s);
  EXPECT_EQ(StateOf("pod-2"), "open Unschedulable");
  EXPECT_EQ(StateOf("pod-3"), "gated");

  AddNode(MakeNode(Own("n1")).Cpu("8").Label("disk", "nothing-has-it"));
  WaitForState("pod-2", "Running");
  Pause(2s);
  EXPECT_EQ(StateOf("pod-3"), "gated");
  DeletePod("pod-2");
  WaitForState("pod-3", "Running");
  EXPECT_EQ(history_->most_without_gate(), 1u);
  std::cout << fmt::format(
      "figures: a queue for one (seed 000): at most {} claim in the queue, in {} versions "
      "of 3 pods\n",
      history_->most_without_gate(), history_->versions());
}

TEST_F(GatesOnRealClusterTest, AGangOfFourInAQueueForThreeKeepsItsGatesUntilTheQueueGrows) {
  AddQueue("3", "64Gi");
  const Answer group =
      Create({resources::kPodGroups, ns_}, MakePodGroup("gang", 4, Own("q")).Ns(ns_).Text());
  ASSERT_TRUE(group) << group.error().message;
  for (int i = 0; i < 4; ++i) {
    CreatePod(Annotated("gang-" + std::to_string(i)).Group("gang").Text());
  }
  Pause(5s);
  EXPECT_EQ(history_->most_without_gate(), 0u) << "of a part of a gang";
  const Answer grown = Patch({resources::kQueues, "", Own("q")}, kube::PatchKind::kMerge,
                             R"({"spec":{"capability":{"cpu":"4"}}})");
  ASSERT_TRUE(grown) << grown.error().message;
  for (int i = 0; i < 4; ++i) WaitForState("gang-" + std::to_string(i), "Running");
  EXPECT_EQ(history_->without_gate(), 4u);
}

// Its configuration is still there, as after a crash.
TEST_F(GatesOnRealClusterTest, WithTheWebhookAwayAnnotatedPodsAreOrdinaryOnesOfTheirQueue) {
  webhook_.reset();
  AddQueue("1", "1Gi");
  for (const char* name : {"pod-1", "pod-2"}) CreatePod(Annotated(name).Text());
  std::string first, second;
  WaitFor("one of them runs", [&] {
    first = PhaseOf("pod-1") == "Running" ? "pod-1" : "pod-2";
    second = first == "pod-1" ? "pod-2" : "pod-1";
    return PhaseOf(first) == "Running";
  });
  Pause(4s);
  EXPECT_EQ(StateOf(second).substr(0, 4), "open") << "it neither has a gate nor a node";
  DeletePod(first);
  WaitForState(second, "Running");
}

}  // namespace
}  // namespace basalt::testutil
