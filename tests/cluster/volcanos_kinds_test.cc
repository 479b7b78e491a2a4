// deps: basalt_testing_scheduling
// A real API server that has kept Volcano's own definition of PodGroups, without a status
// subresource.
#include "testing/scheduling/volcanos_kinds.h"

#include <boost/json/serialize.hpp>
#include <memory>
#include <string>

#include "testing/scheduling/scheduling_cluster.h"
#include "tests/cluster/simulated_cluster.h"

namespace basalt::testutil {
namespace {

namespace resources = kube::resources;

class VolcanosKindsOnRealClusterTest : public SimulatedClusterTest {
 protected:
  void SetUp() override {
    SimulatedClusterTest::SetUp();
    if (HasFatalFailure()) return;
    Define(WithoutStatusSubresource);
    WaitForStatusSubresource(false);
  }
  void TearDown() override {
    scheduler_.reset();
    if (client_ != nullptr) {
      Define(WithStatusSubresource);
      WaitForStatusSubresource(true);
    }
    SimulatedClusterTest::TearDown();
  }

  void Define(json::value (*change)(json::value)) {
    const kube::Target target{resources::kCustomResourceDefinitions, "", kPodGroupDefinition};
    WaitFor("the definition is changed", [&] {  // the server's own controllers write it too
      const Answer now = Get(target);
      return now && Update(target, json::serialize(change(*now)));
    });
  }
  // The server serves what the definition says a moment later.
  void WaitForStatusSubresource(bool there) {
    if (Answer made = Create({resources::kPodGroups, ns_}, MakePodGroup("probe", 1).Ns(ns_).Text());
        !made) {
      ASSERT_EQ(made.error().code, ErrorCode::kAlreadyExists) << made.error().message;
    }
    WaitFor("the server serves it so", [&] {
      return Get({resources::kPodGroups, ns_, "probe", "status"}).has_value() == there;
    });
  }

  std::unique_ptr<scheduler::SchedulerService> scheduler_;
};

TEST_F(VolcanosKindsOnRealClusterTest, AGroupsStatusIsWrittenIntoTheGroupItself) {
  AddNode(MakeNode(Own("n0")).Cpu("8"));
  scheduler_ = std::make_unique<scheduler::SchedulerService>(loop_, *client_, OwnScheduler());
  scheduler_->Start();
  for (const std::string name : {"first", "second"}) {
    const Answer made = Create({resources::kPodGroups, ns_}, MakePodGroup(name, 1).Ns(ns_).Text());
    ASSERT_TRUE(made) << made.error().message;
    CreatePod(OwnPod(name, "1").Group(name).Text());
    WaitFor("its group says that it runs", [&] {
      const Answer group = Get({resources::kPodGroups, ns_, name});
      const json::value* running = group ? FindPath(*group, "status.running") : nullptr;
      return running != nullptr && *running == 1 && TextAt(*group, "status.phase") == "Running";
    });
  }
}

}  // namespace
}  // namespace basalt::testutil
