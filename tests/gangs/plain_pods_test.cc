// deps: basalt_controllers_podgroup basalt_controllers_queue basalt_testing_scheduling

// What plain pods cost: one bind each and, at most, an event.
#include <gtest/gtest.h>

#include <iostream>
#include <memory>

#include "controllers/podgroup/podgroup_controller.h"
#include "controllers/queue/queue_controller.h"
#include "controllers/runtime/controller_manager.h"
#include "scheduler/service/scheduler_service.h"
#include "simnode/sim_nodes.h"
#include "testing/counting_api_client.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::controllers {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
namespace resources = kube::resources;

TEST(PlainPods, TenThousandCostABindEachAndLeaveNothingBehind) {
  constexpr int kPods = 10'000;
  testutil::SchedulingCluster cluster;
  for (int i = 0; i < 100; ++i) {
    cluster.Create(MakeNode("n" + std::to_string(i)).Cpu("110").Memory("1Ti"));
  }
  simnode::SimNodes nodes(cluster.client(), {.nodes = {.heartbeats = false}});
  nodes.Start();
  testutil::DirectApiClient direct(cluster.network());
  testutil::CountingApiClient api(direct);
  kube::Client client(api);
  scheduler::SchedulerService scheduler(cluster.loop(), client,
                                        {.scheduler = {.state = {.scheduler_names = {"volcano"}}}});
  ControllerManager controllers(api, {}, [](kube::Client& own, kube::EventRecorder& events) {
    ControllerManager::Controllers made;
    made.push_back(std::make_unique<PodGroupController>(own, events, PodGroupControllerOptions{}));
    made.push_back(std::make_unique<QueueController>(own, events));
    return made;
  });
  scheduler.Start();
  controllers.Start();
  cluster.loop().RunFor(10s);
  const model::Cluster& state = scheduler.scheduler().state().cluster();
  const std::uint64_t before = state.Hash();
  api.Clear();

  for (int i = 0; i < kPods; ++i) {
    cluster.Create(MakePod("p" + std::to_string(i))
                       .Cpu("1")
                       .Label("app", "plain")
                       .Set("spec.terminationGracePeriodSeconds", 1));
  }
  cluster.loop().RunUntil([&] { return state.jobs().live() == kPods; }, 60s);
  cluster.loop().RunFor(120s);
  EXPECT_EQ(cluster.Bound(), kPods);
  EXPECT_EQ(state.jobs().live(), static_cast<std::size_t>(kPods)) << "each has its shadow";
  EXPECT_EQ(state.CheckLedgers(), "");
  EXPECT_TRUE(cluster.List(resources::kPodGroups).empty());
  EXPECT_EQ(api.writes("POST pods/binding"), kPods);
  EXPECT_LE(api.writes("POST events") + api.writes("PATCH events"), kPods);

  ASSERT_TRUE(cluster.Call([](kube::Client& own, kube::ApiHandler done) {
    own.DeleteCollection(resources::kPods, "default", {}, {}, std::move(done));
  }));
  cluster.loop().RunFor(120s);
  EXPECT_TRUE(cluster.List(resources::kPods).empty());
  EXPECT_EQ(state.tasks().live(), 0u);
  EXPECT_EQ(state.jobs().live(), 0u);
  EXPECT_EQ(state.Hash(), before) << "the state is back to what it was";
  for (const auto& [what, count] : api.writes()) {
    std::cout << what << ": " << count << "\n";
    const bool expected =
        what == "POST pods/binding" || what.ends_with(" events") || what == "PATCH queues/status";
    EXPECT_TRUE(expected) << what << ": " << count;
  }
  // The queue's counts follow at their own pace, whatever the number of pods.
  EXPECT_LT(api.writes("PATCH queues/status"), kPods / 10);
}

}  // namespace
}  // namespace basalt::controllers
