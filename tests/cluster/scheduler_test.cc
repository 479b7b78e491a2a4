// deps: basalt_simnode basalt_testing_scheduling basalt_scheduler_service basalt_cli
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <optional>
#include <string>

#include "cli/applier.h"
#include "cli/crds.h"
#include "scheduler/service/scheduler_service.h"
#include "simnode/sim_nodes.h"
#include "testing/builders.h"
#include "testing/scheduling/scheduling_cluster.h"
#include "tests/cluster/real_cluster.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

constexpr int kNodes = 10;
constexpr int kCpusPerNode = 10;

// Room for a hundred pods on simulated nodes, and the scheduler as a role.
class SchedulerOnRealClusterTest : public RealClusterTest {
 protected:
  void SetUp() override {
    RealClusterTest::SetUp();
    if (HasFatalFailure()) return;
    InstallCrds();
    ASSERT_TRUE(Create({resources::kQueues}, MakeQueue(ns_).Text()));
    for (int i = 0; i < kNodes; ++i) {
      json::object node = MakeNode(NodeName(i))
                              .Label("simulated-for", ns_)
                              .Cpu(std::to_string(kCpusPerNode))
                              .Json();
      node.at("status").as_object().erase("conditions");  // the simulated kubelet's to say
      ASSERT_TRUE(Create({resources::kNodes}, json::serialize(node)));
    }
    simnode::SimNodesOptions simulated;
    simulated.nodes.selector = *kube::LabelSelector::Parse("simulated-for=" + ns_);
    nodes_ = std::make_unique<simnode::SimNodes>(*client_, simulated);
    nodes_->Start();
    scheduler::SchedulerServiceOptions options;
    options.scheduler.state.scheduler_names = {"volcano"};
    options.node_labels = {{"simulated-for", ns_}};
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
    nodes_.reset();
    if (client_ != nullptr) {
      for (int i = 0; i < kNodes; ++i) Delete({resources::kNodes, "", NodeName(i)});
      Delete({resources::kQueues, "", ns_});
    }
    RealClusterTest::TearDown();
  }

  void InstallCrds() {
    cli::Applier applier(*client_);
    auto crds = cli::ParseManifests(cli::CrdManifests(), "built-in CRDs");
    ASSERT_TRUE(crds) << crds.error().message;
    std::optional<Result<void>> applied;
    applier.Apply(std::move(*crds), [&](Result<void> result) { applied = std::move(result); });
    RunUntil("the CRDs are applied", [&] { return applied.has_value(); });
    ASSERT_TRUE(applied && *applied) << (*applied).error().message;
    // They are served a moment later.
    for (int attempt = 0; attempt < 100; ++attempt) {
      if (List(resources::kQueues) && List(resources::kPodGroups, ns_)) return;
      Pause();
    }
    FAIL() << "the CRDs are not served";
  }

  std::string NodeName(int i) const { return ns_ + "-" + std::to_string(i); }

  void CreateGang(const std::string& name, int size) {
    ASSERT_TRUE(Create({resources::kPodGroups, ns_}, MakePodGroup(name, size, ns_).Ns(ns_).Text()));
    for (int i = 0; i < size; ++i) {
      CreatePod(MakePod(name + "-" + std::to_string(i)).Ns(ns_).Cpu("1").Group(name).Text());
    }
  }
  int Bound() {
    const Answer pods = List(resources::kPods, ns_);
    int bound = 0;
    if (!pods) return bound;
    for (const json::value& pod : pods->at("items").as_array()) {
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

  std::unique_ptr<simnode::SimNodes> nodes_;
  std::unique_ptr<scheduler::SchedulerService> scheduler_;
};

TEST_F(SchedulerOnRealClusterTest, AGangOfAHundredIsBound) {
  CreateGang("train", 100);
  int bound = 0;
  for (int i = 0; i < 200 && bound < 100; ++i) {
    Pause();
    bound = Bound();
  }
  EXPECT_EQ(bound, 100);
}

TEST_F(SchedulerOnRealClusterTest, OfAGangThatIsOneTooLargeNothingIsBoundAndTheReasonSaysSo) {
  CreateGang("train", 101);
  std::string why;
  for (int i = 0; i < 200 && why.empty(); ++i) {
    Pause();
    const Answer group = Get({resources::kPodGroups, ns_, "train"});
    ASSERT_TRUE(group) << group.error().message;
    why = Condition(*group, "Unschedulable", "True");
  }
  EXPECT_NE(why, "");
  EXPECT_EQ(Bound(), 0);
  // The pods say it too, each of them.
  std::string pod_says;
  for (int i = 0; i < 200 && pod_says.empty(); ++i) {
    Pause();
    const Answer pod = Get({resources::kPods, ns_, "train-100"});
    ASSERT_TRUE(pod) << pod.error().message;
    pod_says = Condition(*pod, "PodScheduled", "False");
  }
  EXPECT_NE(pod_says, "");
  EXPECT_EQ(Bound(), 0);
  RecordProperty("group", why);
  RecordProperty("pod", pod_says);
}

}  // namespace
}  // namespace basalt::testutil
