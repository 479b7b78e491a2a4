// deps: basalt_simnode basalt_testing_scheduling basalt_scheduler_service basalt_cli
#include <fmt/format.h>

#include <memory>
#include <string>

#include "testing/scheduling/scheduling_cluster.h"
#include "tests/cluster/simulated_cluster.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

// Objects that one tenant may create are there before the scheduler starts; another tenant's pod is
// bound all the same.
class HostileObjectsTest : public SimulatedClusterTest {
 protected:
  void SetUp() override {
    SimulatedClusterTest::SetUp();
    if (HasFatalFailure()) return;
    Add(MakeQueue(ns_));
    AddNode(MakeNode(Own("0")).Cpu("8"));
  }
  void TearDown() override {
    bool stopped = scheduler_ == nullptr;
    if (scheduler_) scheduler_->Stop([&] { stopped = true; });
    RunUntil("the scheduler stops", [&] { return stopped; });
    scheduler_.reset();
    SimulatedClusterTest::TearDown();
  }

  void StartScheduler() {
    scheduler_ = std::make_unique<scheduler::SchedulerService>(loop_, *client_, OwnScheduler());
    scheduler_->Start();
    RunUntil("the nodes are ready", [&] { return nodes_->Settled(); });
    RunUntil(
        "the scheduler has read the cluster", [&] { return scheduler_->ready(); }, 5min);
  }
  void ExpectThatAPlainPodIsBound() {
    CreatePod(OwnPod("plain", "1").Text());
    WaitFor("the plain pod has a node", [&] {
      const Answer pod = Get({resources::kPods, ns_, "plain"});
      return pod && !TextAt(*pod, "spec.nodeName").empty();
    });
  }

  std::unique_ptr<scheduler::SchedulerService> scheduler_;
};

TEST_F(HostileObjectsTest, APodOfTooManyCpusAndDeepManagedFieldsStopNobody) {
  CreatePod(OwnPod("greedy", "1e29").Text());
  std::string fields = R"({"f:a":{}})";
  for (int depth = 1; depth < 40; ++depth) fields = fmt::format(R"({{"f:a":{}}})", fields);
  const Answer patched = Patch(
      {resources::kPods, ns_, "greedy"}, kube::PatchKind::kMerge,
      fmt::format(R"({{"metadata":{{"managedFields":[{{"manager":"m","operation":"Update",)"
                  R"("apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1",)"
                  R"("fieldsV1":{}}}]}}}})",
                  fields));
  ASSERT_TRUE(patched) << patched.error().message;
  StartScheduler();
  ExpectThatAPlainPodIsBound();
}

TEST_F(HostileObjectsTest, PodsThatFillMoreThanAPageAreReadAllTheSame) {
  constexpr std::size_t kPods = 195;
  const std::string large(1'400'000, 'x');
  for (std::size_t i = 0; i < kPods; ++i) {
    CreatePod(OwnPod(fmt::format("large-{}", i), "1")
                  .Scheduler("somebody-else")
                  .Command({"sh", "-c", large})
                  .Text());
  }
  StartScheduler();
  ExpectThatAPlainPodIsBound();
  EXPECT_GT(scheduler_->informers().Of<kube::Pod>().store().size(), kPods);
}

}  // namespace
}  // namespace basalt::testutil
