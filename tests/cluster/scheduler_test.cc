// deps: basalt_simnode basalt_testing_scheduling basalt_scheduler_service basalt_cli
#include <memory>
#include <string>

#include "testing/scheduling/scheduling_cluster.h"
#include "tests/cluster/simulated_cluster.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

constexpr int kNodes = 10;
constexpr int kCpusPerNode = 10;

// Room for a hundred pods on simulated nodes, and the scheduler as a role.
class SchedulerOnRealClusterTest : public SimulatedClusterTest {
 protected:
  void SetUp() override {
    SimulatedClusterTest::SetUp();
    if (HasFatalFailure()) return;
    Add(MakeQueue(ns_));
    for (int i = 0; i < kNodes; ++i) {
      AddNode(MakeNode(Own(std::to_string(i))).Cpu(std::to_string(kCpusPerNode)));
    }
    scheduler::SchedulerServiceOptions options = OwnScheduler();
    options.election = {.ns = ns_, .name = "volcano", .identity = "test"};
    scheduler_ = std::make_unique<scheduler::SchedulerService>(loop_, *client_, options);
    scheduler_->Start();
    RunUntil("the nodes are ready", [&] { return nodes_->Settled(); });
    RunUntil("the scheduler leads", [&] { return scheduler_->ready() && scheduler_->leads(); });
  }
  void TearDown() override {
    bool stopped = scheduler_ == nullptr;
    if (scheduler_) scheduler_->Stop([&] { stopped = true; });
    RunUntil("the scheduler stops", [&] { return stopped; });
    scheduler_.reset();
    SimulatedClusterTest::TearDown();
  }

  void CreateGang(const std::string& name, int size) {
    ASSERT_TRUE(Create({resources::kPodGroups, ns_}, MakePodGroup(name, size, ns_).Ns(ns_).Text()));
    for (int i = 0; i < size; ++i) {
      CreatePod(OwnPod(name + "-" + std::to_string(i), "1").Group(name).Text());
    }
  }
  int Bound() {
    int bound = 0;
    for (const json::value& pod : Items(resources::kPods)) {
      if (!TextAt(pod, "spec.nodeName").empty()) ++bound;
    }
    return bound;
  }
  // The message of a condition that is true; "": it is not, or not there.
  static std::string Condition(const json::value& object, std::string_view type,
                               std::string_view status) {
    const json::value* conditions = FindPath(object, "status.conditions");
    if (conditions == nullptr) return "";
    for (const json::value& condition : conditions->as_array()) {
      if (TextAt(condition, "type") == type && TextAt(condition, "status") == status) {
        return TextAt(condition, "message");
      }
    }
    return "";
  }

  std::unique_ptr<scheduler::SchedulerService> scheduler_;
};

TEST_F(SchedulerOnRealClusterTest, AGangOfAHundredIsBound) {
  CreateGang("train", 100);
  WaitFor("all have a node", [&] { return Bound() == 100; });
}

TEST_F(SchedulerOnRealClusterTest, OfAGangThatIsOneTooLargeNothingIsBoundAndTheReasonSaysSo) {
  CreateGang("train", 101);
  std::string why;
  WaitFor("the group says why", [&] {
    const Answer group = Get({resources::kPodGroups, ns_, "train"});
    if (group) why = Condition(*group, "Unschedulable", "True");
    return !why.empty();
  });
  EXPECT_EQ(Bound(), 0);
  // The pods say it too, each of them.
  std::string pod_says;
  WaitFor("a pod says why", [&] {
    const Answer pod = Get({resources::kPods, ns_, "train-100"});
    if (pod) pod_says = Condition(*pod, "PodScheduled", "False");
    return !pod_says.empty();
  });
  EXPECT_EQ(Bound(), 0);
  RecordProperty("group", why);
  RecordProperty("pod", pod_says);
}

}  // namespace
}  // namespace basalt::testutil
