// deps: basalt_controllers_podgroup basalt_cli basalt_testing

// Gangs by annotation and plain pods on a real API server, with simulated nodes. StatefulSets and
// DaemonSets are the real controllers'; the others are those of Basalt.
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "controllers/podgroup/podgroup_controller.h"
#include "controllers/runtime/controller_manager.h"
#include "testing/counting_api_client.h"
#include "tests/cluster/simulated_cluster.h"
#include "workloads/workloads.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

constexpr const char* kMinMember = "scheduling.volcano.sh/group-min-member";
constexpr const char* kGroupName = "scheduling.k8s.io/group-name";

class GangsOnRealClusterTest : public SimulatedClusterTest {
 protected:
  void SetUp() override {
    SimulatedClusterTest::SetUp();
    if (HasFatalFailure()) return;
    workloads_ = std::make_unique<workloads::Workloads>(*client_);
    counting_ = std::make_unique<CountingApiClient>(*api_);
    kube::ClientOptions unlimited;
    unlimited.pacing.qps = 0;
    own_client_ = std::make_unique<kube::Client>(*counting_, unlimited);
    scheduler_ = std::make_unique<scheduler::SchedulerService>(loop_, *own_client_, OwnScheduler());
    controllers_ = std::make_unique<controllers::ControllerManager>(
        *counting_, controllers::ControllerManagerOptions{.client = unlimited},
        [this](kube::Client& client, kube::EventRecorder& events) {
          controllers::ControllerManager::Controllers made;
          made.push_back(std::make_unique<controllers::PodGroupController>(
              client, events, controllers::PodGroupControllerOptions{.scheduler_names = {ns_}}));
          return made;
        });
    workloads_->Start();
    scheduler_->Start();
    controllers_->Start();
    RunUntil("everybody knows everything", [&] {
      return workloads_->HasSynced() && scheduler_->ready() && controllers_->ready();
    });
  }
  void TearDown() override {
    controllers_.reset();
    scheduler_.reset();
    own_client_.reset();
    workloads_.reset();
    SimulatedClusterTest::TearDown();
  }

  void SetCpu(const std::string& suffix, std::string_view cpu) {
    const json::object amounts{{"cpu", cpu}};
    const auto set =
        Patch({resources::kNodes, "", Own(suffix), "status"}, kube::PatchKind::kMerge,
              json::serialize(json::object{
                  {"status", json::object{{"capacity", amounts}, {"allocatable", amounts}}}}));
    ASSERT_TRUE(set) << set.error().message;
  }
  json::object PodSpec(std::string_view restart) {
    json::value spec = OwnPod("", "1").Json().at("spec");
    spec.as_object()["restartPolicy"] = restart;
    // The real controller makes a DaemonSet's pods for nodes, not the scheduler.
    spec.as_object()["nodeSelector"] = json::object{{"simulated-for", ns_}};
    return spec.as_object();
  }
  json::object Template(std::string_view restart) {
    return {{"metadata", json::object{{"labels", json::object{{"app", "a"}}},
                                      {"annotations", json::object{{kMinMember, "3"}}}}},
            {"spec", PodSpec(restart)}};
  }
  static bool IsLeaving(const json::value& object) {
    return FindPath(object, "metadata.deletionTimestamp") != nullptr;
  }
  // Pods that stay and have a node; with the label where one is given.
  int Bound(std::string_view version = "") {
    int bound = 0;
    for (const json::value& pod : Items(resources::kPods)) {
      if (IsLeaving(pod) || TextAt(pod, "spec.nodeName").empty()) continue;
      if (version.empty() || TextAt(pod, "metadata.labels.version") == version) ++bound;
    }
    return bound;
  }

  std::unique_ptr<workloads::Workloads> workloads_;
  std::unique_ptr<CountingApiClient> counting_;
  std::unique_ptr<kube::Client> own_client_;
  std::unique_ptr<scheduler::SchedulerService> scheduler_;
  std::unique_ptr<controllers::ControllerManager> controllers_;
};

struct KindCase {
  const char* name;
  const kube::Resource& kind;
  bool replicated;
  bool rolls;  // its template can be changed and its pods follow
};

class GangOfKindTest : public GangsOnRealClusterTest, public testing::WithParamInterface<KindCase> {
 protected:
  AnyBuilder Workload() {
    AnyBuilder made = MakeObject(GetParam().kind, "w");
    made.Ns(ns_);
    const std::string_view kind = GetParam().name;
    if (kind == "Job") {
      return made.Set("spec.parallelism", 3)
          .Set("spec.completions", 3)
          .Set("spec.template", Template("Never"));
    }
    made.Set("spec.selector.matchLabels.app", "a").Set("spec.template", Template("Always"));
    if (GetParam().replicated) made.Set("spec.replicas", 3);
    if (kind == "StatefulSet") {
      made.Set("spec.serviceName", "s").Set("spec.podManagementPolicy", "Parallel");
    }
    return made;
  }
  void PatchIt(std::string_view patch) {
    const auto patched =
        Patch({GetParam().kind, ns_, "w"}, kube::PatchKind::kMerge, std::string(patch));
    ASSERT_TRUE(patched) << patched.error().message;
  }
};

TEST_P(GangOfKindTest, OneGroupAllOrNothingScaledChangedAndGone) {
  AddNode(MakeNode(Own("a")).Cpu("3").Pods("2000"));
  AddNode(MakeNode(Own("b")).Cpu("100m").Pods("2000"));
  AddNode(MakeNode(Own("c")).Cpu("100m").Pods("2000"));
  if (std::string_view(GetParam().name) != "DaemonSet") SetCpu("a", "2");
  const auto created = Create({GetParam().kind, ns_}, Workload().Text());
  ASSERT_TRUE(created) << created.error().message;
  WaitFor("its pods say that they wait", [&] {
    int waiting = 0;
    for (const json::value& pod : Items(resources::kPods)) {
      if (json::serialize(pod).find("Unschedulable") != std::string::npos) ++waiting;
    }
    return waiting == 3;
  });
  EXPECT_EQ(Bound(), 0) << "some would fit, but three are asked for";
  std::vector<json::value> groups = Items(resources::kPodGroups);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(*FindPath(groups[0], "spec.minMember"), 3);
  EXPECT_EQ(TextAt(groups[0], "metadata.name"),
            "podgroup-" + TextAt(groups[0], "metadata.ownerReferences.0.uid"));

  SetCpu("b", "3");
  SetCpu("c", "3");
  WaitFor("all three have a node", [&] { return Bound() == 3; });
  for (const json::value& pod : Items(resources::kPods)) {
    EXPECT_EQ(pod.at("metadata").at("annotations").at(kGroupName),
              json::value(TextAt(groups[0], "metadata.name")));
    EXPECT_EQ(TextAt(pod, "metadata.ownerReferences.0.uid"),
              TextAt(groups[0], "metadata.ownerReferences.0.uid"));
  }
  if (GetParam().replicated) {
    PatchIt(R"({"spec":{"replicas":5}})");
    WaitFor("five have a node", [&] { return Bound() == 5; });
    EXPECT_EQ(Items(resources::kPodGroups).size(), 1u);
    PatchIt(R"({"spec":{"replicas":3}})");
    WaitFor("three are left", [&] { return Bound() == 3; });
  }
  if (GetParam().rolls) {
    PatchIt(R"({"spec":{"template":{"metadata":{"labels":{"version":"2"}}}}})");
    WaitFor("all three are of the new template", [&] { return Bound("2") == 3 && Bound() == 3; });
    WaitFor("one group is left, as large as before", [&] {
      const std::vector<json::value> now = Items(resources::kPodGroups);
      return now.size() == 1 && *FindPath(now[0], "spec.minMember") == 3;
    });
  }
  if (GetParam().replicated) {
    PatchIt(R"({"spec":{"replicas":0}})");
    WaitFor("no group without pods", [&] { return Items(resources::kPodGroups).empty(); });
    PatchIt(R"({"spec":{"replicas":3}})");
    WaitFor("all three are back", [&] { return Bound() == 3; });
  }
  ASSERT_TRUE(Delete({GetParam().kind, ns_, "w"}, {.propagation = "Background"}));
  WaitFor("its pods and its group are gone",
          [&] { return Items(resources::kPods).empty() && Items(resources::kPodGroups).empty(); });
}

INSTANTIATE_TEST_SUITE_P(
    ByKind, GangOfKindTest,
    testing::Values(KindCase{"ReplicaSet", resources::kReplicaSets, true, false},
                    KindCase{"Deployment", resources::kDeployments, true, true},
                    KindCase{"StatefulSet", resources::kStatefulSets, true, true},
                    KindCase{"DaemonSet", resources::kDaemonSets, false, true},
                    KindCase{"Job", resources::kJobs, false, false}),
    [](const auto& test) { return test.param.name; });

TEST_F(GangsOnRealClusterTest, AThousandPlainPodsCostABindEach) {
  constexpr int kPods = 1000;
  AddNode(MakeNode(Own("a")).Cpu("2000").Pods("2000"));
  CreatePod(MakePod("first").Ns(ns_).Set("spec", PodSpec("Always")).Text());
  WaitFor("the first has a node", [&] { return Bound() == 1; });
  WaitFor("its event is written", [&] {
    return std::ranges::any_of(Items(resources::kEvents), [](const json::value& event) {
      return TextAt(event, "reason") == "Scheduled";
    });
  });
  counting_->Clear();
  int made = 0;
  for (int i = 0; i < kPods; ++i) {
    client_->Create({resources::kPods, ns_},
                    MakePod("p" + std::to_string(i)).Ns(ns_).Set("spec", PodSpec("Always")).Text(),
                    [&](const Result<kube::ApiResponse>& result) {
                      EXPECT_TRUE(result) << result.error().message;
                      ++made;
                    });
  }
  RunUntil("they are made", [&] { return made == kPods; });
  WaitFor("they have a node", [&] { return Bound() == kPods + 1; });
  EXPECT_TRUE(Items(resources::kPodGroups).empty());
  bool deleted = false;
  client_->DeleteCollection(resources::kPods, ns_, {}, {},
                            [&](const Result<kube::ApiResponse>& result) {
                              EXPECT_TRUE(result) << result.error().message;
                              deleted = true;
                            });
  RunUntil("they are deleted", [&] { return deleted; });
  const model::Cluster& state = scheduler_->scheduler().state().cluster();
  WaitFor("they are gone", [&] { return Items(resources::kPods).empty(); });
  // Of other tests there may be groups.
  RunUntil("the state is empty again", [&] {
    int left = 0;
    state.jobs().ForEach([&](const model::Job& job) { left += job.ns == ns_; });
    return left == 0;
  });
  EXPECT_EQ(counting_->writes("POST pods/binding"), kPods);
  EXPECT_LE(counting_->writes("POST events") + counting_->writes("PATCH events"), kPods);
  for (const auto& [what, count] : counting_->writes()) {
    std::cout << what << ": " << count << "\n";
    const bool expected =
        what == "POST pods/binding" || what.ends_with(" events") || what == "PATCH queues/status";
    EXPECT_TRUE(expected) << what << ": " << count;
  }
}

}  // namespace
}  // namespace basalt::testutil
