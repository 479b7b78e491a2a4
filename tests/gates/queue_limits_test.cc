// deps: basalt_testing basalt_testing_scheduling basalt_scheduler_service
// Gated pods and the limit of their queue, which changes more than once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/service/scheduler_service.h"
#include "testing/builders.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

namespace resources = kube::resources;

using testutil::kGate;

class QueueLimitsTest : public testing::Test {
 protected:
  QueueLimitsTest() : api_(cluster_.network()), client_(api_), service_(cluster_.loop(), client_) {
    cluster_.Create(testutil::MakeQueue("q")
                        .Set("spec.capability.cpu", "1")
                        .Set("spec.capability.memory", "64Gi"));
    service_.Start();
    cluster_.loop().RunFor(3s);
  }

  void AddPods(int count) {
    for (int i = 0; i < count; ++i) {
      auto pod = testutil::MakePod("p" + std::to_string(i)).Cpu("2").Gate(kGate);
      pod.Annotation(kGate, "true").Annotation("scheduling.volcano.sh/queue-name", "q");
      cluster_.Create(pod);
    }
  }
  // How many have lost their gate, after a while with this limit.
  int OpenWithCapability(std::string_view cpu) {
    const std::string patch = R"({"spec":{"capability":{"cpu":")" + std::string(cpu) + R"("}}})";
    EXPECT_TRUE(cluster_.Patch({resources::kQueues, "", "q"}, kube::PatchKind::kMerge, patch));
    cluster_.loop().RunFor(10s);
    int open = 0;
    for (const auto& pod : cluster_.List(resources::kPods)) {
      if (testutil::FindPath(pod, "spec.schedulingGates.0") == nullptr) ++open;
    }
    return open;
  }

  testutil::SchedulingCluster cluster_;
  testutil::DirectApiClient api_;
  kube::Client client_;
  SchedulerService service_;
};

TEST_F(QueueLimitsTest, EachChangeOfAQueuesLimitIsSeenByThoseWhoWaitForIt) {
  AddPods(4);
  EXPECT_EQ(OpenWithCapability("1500m"), 0);
  EXPECT_EQ(OpenWithCapability("2"), 1);
  EXPECT_EQ(OpenWithCapability("3"), 1);
  EXPECT_EQ(OpenWithCapability("4"), 2);
  EXPECT_EQ(OpenWithCapability("8"), 4);
}

}  // namespace
}  // namespace basalt::scheduler
