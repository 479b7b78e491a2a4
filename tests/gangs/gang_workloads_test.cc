// deps: basalt_controllers_podgroup basalt_testing_scheduling basalt_workloads basalt_simnode
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "controllers/podgroup/podgroup_controller.h"
#include "controllers/runtime/controller_manager.h"
#include "scheduler/service/scheduler_service.h"
#include "simnode/sim_nodes.h"
#include "testing/scheduling/scheduling_cluster.h"
#include "workloads/workloads.h"

namespace basalt::controllers {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testutil::AnyBuilder;
using testutil::FindPath;
using testutil::MakeNode;
using testutil::MakeObject;
using testutil::MakePod;
using testutil::MakePodGroup;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

constexpr const char* kMinMember = "scheduling.volcano.sh/group-min-member";
constexpr const char* kMinResources = "scheduling.volcano.sh/group-min-resources";

// Everything that makes, groups, places and runs pods, each as its role has it.
class PodGroupControllerTest : public testing::Test {
 protected:
  PodGroupControllerTest() {
    simnode_.Start();
    workloads_.Start();
    scheduler_.Start();
    StartController();
    Run(1s);
  }
  void StartController() {
    manager_ = std::make_unique<ControllerManager>(
        cluster_.api(), ControllerManagerOptions{},
        [](kube::Client& client, kube::EventRecorder& events) {
          ControllerManager::Controllers controllers;
          controllers.push_back(
              std::make_unique<PodGroupController>(client, events, PodGroupControllerOptions{}));
          return controllers;
        });
    manager_->Start();
  }
  void Run(Duration duration) { cluster_.loop().RunFor(duration); }

  static json::object Template(std::string_view least, std::string_view restart = "Always") {
    json::object annotations{{"volcano.sh/preemptable", "false"}};
    if (!least.empty()) annotations[kMinMember] = least;
    return {{"metadata", json::object{{"labels", json::object{{"app", "a"}}},
                                      {"annotations", std::move(annotations)}}},
            {"spec",
             json::object{
                 {"schedulerName", "volcano"},
                 {"restartPolicy", restart},
                 {"terminationGracePeriodSeconds", 1},
                 {"containers",
                  json::array{json::object{
                      {"name", "main"},
                      {"image", "registry.example/app:1"},
                      {"resources", json::object{{"requests", json::object{{"cpu", "1"}}}}}}}}}}};
  }
  static AnyBuilder Replicated(const kube::Resource& kind, int replicas, std::string_view least) {
    return MakeObject(kind, "w")
        .Set("spec.replicas", replicas)
        .Set("spec.selector.matchLabels.app", "a")
        .Set("spec.template", Template(least));
  }
  static AnyBuilder JobOf(int pods, std::string_view least) {
    return MakeObject(resources::kJobs, "w")
        .Set("spec.parallelism", pods)
        .Set("spec.completions", pods)
        .Set("spec.template", Template(least, "Never"));
  }
  void Patch(const kube::Resource& kind, std::string_view patch) {
    const auto answer =
        cluster_.Patch({kind, "default", "w"}, kube::PatchKind::kMerge, std::string(patch));
    ASSERT_TRUE(answer) << answer.error().message;
  }
  void AddNode(std::string_view name, std::string_view cpu) {
    cluster_.Create(MakeNode(name).Cpu(cpu));
  }
  std::vector<json::value> Groups() { return cluster_.List(resources::kPodGroups); }
  json::value TheGroup() {
    const std::vector<json::value> groups = Groups();
    EXPECT_EQ(groups.size(), 1u);
    return groups.empty() ? json::value() : groups.front();
  }
  std::int64_t MinMember() {
    const json::value group = TheGroup();
    const json::value* least = FindPath(group, "spec.minMember");
    return least ? least->as_int64() : -1;
  }
  // The groups that pods say they are in, each once.
  std::set<std::string> NamedGroups() {
    std::set<std::string> names;
    for (const json::value& pod : cluster_.List(resources::kPods)) {
      const json::value* annotations = FindPath(pod, "metadata.annotations");
      const json::value* name =
          annotations && annotations->as_object().contains("scheduling.k8s.io/group-name")
              ? &annotations->at("scheduling.k8s.io/group-name")
              : nullptr;
      names.insert(name ? std::string(name->as_string()) : "");
    }
    return names;
  }
  std::vector<std::string> Events(std::string_view kind) {
    std::vector<std::string> messages;
    for (const json::value& event : cluster_.List(resources::kEvents)) {
      if (TextAt(event, "involvedObject.kind") == kind && TextAt(event, "type") == "Warning" &&
          TextAt(event, "source.component") == "vc-controller-manager") {
        messages.push_back(TextAt(event, "message"));
      }
    }
    return messages;
  }

  testutil::SchedulingCluster cluster_;
  simnode::SimNodes simnode_{cluster_.client(), {.nodes = {.heartbeats = false}}};
  workloads::Workloads workloads_{cluster_.client()};
  scheduler::SchedulerService scheduler_{
      cluster_.loop(),
      cluster_.client(),
      {.scheduler = {.state = {.scheduler_names = {"volcano"}}}}};
  std::unique_ptr<ControllerManager> manager_;
};

// Anybody may copy labels from a Volcano job's pod: who owns a pod counts, not what it says.
TEST_F(PodGroupControllerTest, PodsThatSayTheyBelongToAVolcanoJobAndDoNotAreAGangLikeOthers) {
  AddNode("n", "4");
  AnyBuilder set = Replicated(resources::kReplicaSets, 2, "2");
  json::object pod = Template("2");
  pod["metadata"].as_object()["labels"].as_object()["volcano.sh/job-name"] = "other";
  cluster_.Create(set.Set("spec.template", std::move(pod)));
  Run(5s);
  EXPECT_EQ(MinMember(), 2);
  EXPECT_EQ(NamedGroups(), std::set{TextAt(TheGroup(), "metadata.name")});
  EXPECT_EQ(cluster_.Bound(), 2);
}

// ---- the life of a gang, by kind

struct KindCase {
  const char* kind;
  const kube::Resource& resource;
};
class GangLifeTest : public PodGroupControllerTest, public testing::WithParamInterface<KindCase> {};

TEST_P(GangLifeTest, OneGroupAllOrNothingUpDownToZeroAndBackAndGone) {
  const kube::Resource& kind = GetParam().resource;
  AddNode("n1", "3");
  cluster_.Create(Replicated(kind, 4, "4"));
  Run(5s);
  json::value group = TheGroup();
  EXPECT_EQ(MinMember(), 4);
  EXPECT_EQ(TextAt(group, "spec.minResources.cpu"), "4");
  EXPECT_EQ(TextAt(group, "spec.queue"), "default");
  EXPECT_EQ(TextAt(group, "metadata.ownerReferences.0.kind"), "ReplicaSet");
  EXPECT_EQ(TextAt(group, "metadata.name"),
            "podgroup-" + TextAt(group, "metadata.ownerReferences.0.uid"));
  EXPECT_EQ(group.at("metadata").at("annotations").at("volcano.sh/preemptable"), "false");
  EXPECT_THAT(NamedGroups(), ElementsAre(TextAt(group, "metadata.name")));
  EXPECT_EQ(cluster_.Bound(), 0) << "three would fit, but four are asked for";

  AddNode("n2", "3");
  Run(5s);
  EXPECT_EQ(cluster_.Bound(), 4);
  EXPECT_EQ(TextAt(TheGroup(), "status.phase"), "Running");

  Patch(kind, R"({"spec":{"replicas":6}})");
  Run(5s);
  EXPECT_EQ(cluster_.Bound(), 6);
  EXPECT_EQ(MinMember(), 4);
  EXPECT_EQ(NamedGroups().size(), 1u);

  Patch(kind, R"({"spec":{"replicas":2}})");
  Run(10s);
  EXPECT_EQ(cluster_.Bound(), 2);
  EXPECT_EQ(MinMember(), 4);

  Patch(kind, R"({"spec":{"replicas":0}})");
  Run(10s);
  EXPECT_EQ(cluster_.Bound(), 0);
  EXPECT_THAT(Groups(), IsEmpty());

  Patch(kind, R"({"spec":{"replicas":4}})");
  Run(10s);
  EXPECT_EQ(cluster_.Bound(), 4);
  EXPECT_EQ(MinMember(), 4);

  ASSERT_TRUE(cluster_.Delete({kind, "default", "w"}, {.propagation = "Background"}));
  Run(10s);
  EXPECT_THAT(cluster_.List(resources::kPods), IsEmpty());
  EXPECT_THAT(Groups(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(ByKind, GangLifeTest,
                         testing::Values(KindCase{"ReplicaSet", resources::kReplicaSets},
                                         KindCase{"Deployment", resources::kDeployments}),
                         [](const auto& test) { return test.param.kind; });

TEST_F(PodGroupControllerTest, AJobsPodsStartTogetherAndItsGroupCompletesAndGoesWithIt) {
  AddNode("n1", "3");
  AnyBuilder job = JobOf(4, "4");
  job.Set("spec.template.spec.containers",
          json::array{
              json::object{{"name", "main"},
                           {"image", "registry.example/app:1"},
                           {"command", json::array{"sleep", "20"}},
                           {"resources", json::object{{"requests", json::object{{"cpu", "1"}}}}}}});
  cluster_.Create(job);
  Run(5s);
  EXPECT_EQ(MinMember(), 4);
  EXPECT_EQ(TextAt(TheGroup(), "metadata.ownerReferences.0.kind"), "Job");
  EXPECT_EQ(cluster_.Bound(), 0);
  AddNode("n2", "3");
  Run(5s);
  EXPECT_EQ(cluster_.Bound(), 4);
  Run(60s);
  EXPECT_EQ(TextAt(TheGroup(), "status.phase"), "Completed");
  ASSERT_TRUE(cluster_.Delete({resources::kJobs, "default", "w"}, {.propagation = "Background"}));
  Run(10s);
  EXPECT_THAT(Groups(), IsEmpty());
}

TEST_F(PodGroupControllerTest, AStatefulSetAndADaemonSetHaveTheirGroupBeforeTheirPods) {
  cluster_.Create(Replicated(resources::kStatefulSets, 3, "3")
                      .Set("spec.serviceName", "s")
                      .Set("spec.podManagementPolicy", "Parallel"));
  Run(1s);
  EXPECT_EQ(MinMember(), 3);
  EXPECT_EQ(TextAt(TheGroup(), "metadata.ownerReferences.0.kind"), "StatefulSet");
  EXPECT_THAT(Events("StatefulSet"), IsEmpty());
  ASSERT_TRUE(cluster_.Delete({resources::kStatefulSets, "default", "w"}));
  Run(1s);
  EXPECT_THAT(Groups(), IsEmpty());

  cluster_.Create(MakeObject(resources::kDaemonSets, "w")
                      .Set("spec.selector.matchLabels.app", "a")
                      .Set("spec.template", Template("2")));
  Run(1s);
  EXPECT_EQ(MinMember(), 2);
  EXPECT_EQ(TextAt(TheGroup(), "metadata.ownerReferences.0.kind"), "DaemonSet");
}

TEST_F(PodGroupControllerTest, AnOrderedStatefulSetIsToldThatItsGangNeverCompletes) {
  cluster_.Create(Replicated(resources::kStatefulSets, 3, "3").Set("spec.serviceName", "s"));
  Run(1s);
  EXPECT_THAT(Events("StatefulSet"), ElementsAre(HasSubstr("podManagementPolicy")));
}

// ---- changes

TEST_F(PodGroupControllerTest, ARolloutReplacesTheGroupStepByStep) {
  AddNode("n1", "8");
  cluster_.Create(Replicated(resources::kDeployments, 4, "4"));
  Run(10s);
  ASSERT_EQ(cluster_.Bound(), 4);
  const std::string before = TextAt(TheGroup(), "metadata.name");
  Patch(resources::kDeployments,
        R"({"spec":{"template":{"metadata":{"labels":{"version":"2"}}}}})");
  Run(60s);
  EXPECT_EQ(cluster_.Bound(), 4);
  EXPECT_NE(TextAt(TheGroup(), "metadata.name"), before);
  EXPECT_EQ(MinMember(), 4);
  EXPECT_THAT(NamedGroups(), ElementsAre(TextAt(TheGroup(), "metadata.name")));
}

// Where there is just room for the Deployment, whatever it may have in excess finds none.
TEST_F(PodGroupControllerTest, ARolloutMovesOnWhereThereIsRoomForNothingElse) {
  struct Case {
    const char* what;
    json::value surge;
    json::value unavailable;
    const char* resources = "";  // group-min-resources
  };
  const Case cases[] = {{"the default", "25%", "25%"},
                        {"all new ones are asked for at once", "100%", 1},
                        {"half of them at a time", 0, 2},
                        {"one by one", 0, 1},
                        {"with what they need given", "25%", "25%", R"({"cpu":"4"})"}};
  AddNode("n1", "4");
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    json::object pods = Template("4");
    if (*c.resources) {
      pods["metadata"].as_object()["annotations"].as_object()[kMinResources] = c.resources;
    }
    cluster_.Create(
        Replicated(resources::kDeployments, 4, "4")
            .Set("spec.template", std::move(pods))
            .Set("spec.strategy",
                 json::object{{"type", "RollingUpdate"},
                              {"rollingUpdate", json::object{{"maxSurge", c.surge},
                                                             {"maxUnavailable", c.unavailable}}}}));
    Run(10s);
    ASSERT_EQ(cluster_.Bound(), 4);
    const std::string before = TextAt(TheGroup(), "metadata.name");
    Patch(resources::kDeployments,
          R"({"spec":{"template":{"metadata":{"labels":{"version":"2"}}}}})");
    Run(5min);
    EXPECT_EQ(cluster_.Bound(), 4);
    EXPECT_NE(TextAt(TheGroup(), "metadata.name"), before);
    EXPECT_EQ(MinMember(), 4);
    EXPECT_THAT(NamedGroups(), ElementsAre(TextAt(TheGroup(), "metadata.name")));
    ASSERT_TRUE(
        cluster_.Delete({resources::kDeployments, "default", "w"}, {.propagation = "Background"}));
    Run(1min);
  }
}

TEST_F(PodGroupControllerTest, AChangedAnnotationChangesTheGroup) {
  AddNode("n1", "2");
  cluster_.Create(Replicated(resources::kReplicaSets, 3, "3"));
  Run(5s);
  EXPECT_EQ(cluster_.Bound(), 0);
  Patch(resources::kReplicaSets,
        R"({"spec":{"template":{"metadata":{"annotations":{
            "scheduling.volcano.sh/group-min-member":"2","volcano.sh/preemptable":null}}}}})");
  Run(5s);
  EXPECT_EQ(MinMember(), 2);
  EXPECT_EQ(TextAt(TheGroup(), "spec.minResources.cpu"), "2");
  EXPECT_FALSE(
      TheGroup().at("metadata").at("annotations").as_object().contains("volcano.sh/preemptable"));
  EXPECT_EQ(cluster_.Bound(), 2);
}

TEST_F(PodGroupControllerTest, ABadValueIsToldOnTheWorkloadAndItsPodsWaitUntilItIsCorrected) {
  AddNode("n1", "8");
  for (const char* bad : {"two", "0", "-3", "1.5", "99999999999", ""}) {
    SCOPED_TRACE(bad);
    AnyBuilder workload = Replicated(resources::kReplicaSets, 2, "x");
    json::object pods = Template("x");
    pods["metadata"].as_object()["annotations"].as_object()[kMinMember] = bad;
    cluster_.Create(workload.Set("spec.template", pods));
    Run(5s);
    EXPECT_THAT(Groups(), IsEmpty());
    EXPECT_EQ(cluster_.Bound(), 0);
    ASSERT_THAT(Events("ReplicaSet"), testing::Not(IsEmpty()));
    EXPECT_THAT(Events("ReplicaSet").back(),
                AllOf(HasSubstr(kMinMember), HasSubstr("must be a positive integer")));
    const json::value pod = cluster_.List(resources::kPods).front();
    EXPECT_THAT(json::serialize(pod.at("status")), HasSubstr("must be a positive integer"));
    Patch(resources::kReplicaSets,
          R"({"spec":{"template":{"metadata":{"annotations":{
              "scheduling.volcano.sh/group-min-member":"2"}}}}})");
    Run(5s);
    EXPECT_EQ(MinMember(), 2);
    EXPECT_EQ(cluster_.Bound(), 2);
    ASSERT_TRUE(
        cluster_.Delete({resources::kReplicaSets, "default", "w"}, {.propagation = "Background"}));
    Run(10s);
  }
}

TEST_F(PodGroupControllerTest, ABadValueOfADeploymentIsToldOnTheDeployment) {
  cluster_.Create(Replicated(resources::kDeployments, 2, "two"));
  Run(5s);
  EXPECT_THAT(Events("Deployment"), ElementsAre(HasSubstr("must be a positive integer")));
}

TEST_F(PodGroupControllerTest, TheWorkloadsOwnAnnotationCountsAndTheTemplateWins) {
  cluster_.Create(Replicated(resources::kDeployments, 3, "").Annotation(kMinMember, "3"));
  Run(5s);
  EXPECT_EQ(MinMember(), 3);
  EXPECT_THAT(NamedGroups(), ElementsAre(TextAt(TheGroup(), "metadata.name")));
  ASSERT_TRUE(
      cluster_.Delete({resources::kDeployments, "default", "w"}, {.propagation = "Background"}));
  Run(10s);
  cluster_.Create(Replicated(resources::kReplicaSets, 3, "2").Annotation(kMinMember, "3"));
  Run(5s);
  EXPECT_EQ(MinMember(), 2);
}

TEST_F(PodGroupControllerTest, AnOwnerInAnotherNamespaceIsNobodysOwner) {
  cluster_.Create(MakeObject(resources::kNamespaces, "theirs"));
  AnyBuilder theirs = JobOf(4, "4");
  cluster_.Create(theirs.Set("metadata.namespace", "theirs"));
  Run(2s);
  const json::value job = cluster_.Get(resources::kJobs, "theirs", "w");
  cluster_.Create(
      MakePod("ours").Cpu("1").Owner(resources::kJobs, "w", TextAt(job, "metadata.uid")));
  Run(5s);
  for (const json::value& group : Groups()) {
    EXPECT_EQ(TextAt(group, "metadata.namespace"), "theirs") << json::serialize(group);
  }
  EXPECT_EQ(Groups().size(), 1u);
}

TEST_F(PodGroupControllerTest, AGroupThatIsDeletedIsMadeAgain) {
  cluster_.Create(Replicated(resources::kReplicaSets, 2, "2"));
  Run(2s);
  const std::string name = TextAt(TheGroup(), "metadata.name");
  ASSERT_TRUE(cluster_.Delete({resources::kPodGroups, "default", name}));
  Run(2s);
  EXPECT_EQ(TextAt(TheGroup(), "metadata.name"), name);
}

TEST_F(PodGroupControllerTest, AGroupThatIsThereIsAdopted) {
  manager_.reset();
  const json::value set = cluster_.Create(Replicated(resources::kReplicaSets, 2, "2"));
  const std::string name = "podgroup-" + TextAt(set, "metadata.uid");
  cluster_.Create(MakePodGroup(name, 7).Annotation("mine", "stays"));
  StartController();
  Run(2s);
  EXPECT_EQ(MinMember(), 2);
  EXPECT_EQ(TextAt(TheGroup(), "metadata.ownerReferences.0.name"), "w");
  EXPECT_EQ(TextAt(TheGroup(), "metadata.annotations.mine"), "stays");
}

TEST_F(PodGroupControllerTest, AGroupOfSomebodyElseIsLeftAlone) {
  const json::value set = cluster_.Create(Replicated(resources::kReplicaSets, 2, ""));
  const json::value owner =
      cluster_.Create(MakeObject(resources::kReplicaSets, "other")
                          .Set("spec.replicas", 0)
                          .Set("spec.selector.matchLabels.app", "b")
                          .Set("spec.template.metadata.labels.app", "b")
                          .Set("spec.template.spec", Template("").at("spec")));
  const std::string name = "podgroup-" + TextAt(set, "metadata.uid");
  cluster_.Create(
      MakePodGroup(name, 7).Owner(resources::kReplicaSets, "other", TextAt(owner, "metadata.uid")));
  Patch(resources::kReplicaSets, R"({"metadata":{"annotations":{
      "scheduling.volcano.sh/group-min-member":"2"}}})");
  Run(2s);
  EXPECT_EQ(MinMember(), 7);
}

// ---- pods without a workload

TEST_F(PodGroupControllerTest, PodsWithASharedOwnerMakeOneGroup) {
  AddNode("n1", "2");
  const json::value owner =
      cluster_.Create(MakeObject(kube::Resource{"", "v1", "configmaps", "ConfigMap"}, "owner"));
  for (int i = 0; i < 3; ++i) {
    cluster_.Create(
        MakePod("p" + std::to_string(i))
            .Cpu("1")
            .Annotation(kMinMember, "3")
            .Owner({"", "v1", "configmaps", "ConfigMap"}, "owner", TextAt(owner, "metadata.uid")));
  }
  Run(5s);
  EXPECT_EQ(TextAt(TheGroup(), "metadata.name"), "podgroup-" + TextAt(owner, "metadata.uid"));
  EXPECT_EQ(MinMember(), 3);
  EXPECT_EQ(cluster_.Bound(), 0);
  AddNode("n2", "2");
  Run(5s);
  EXPECT_EQ(cluster_.Bound(), 3);
}

TEST_F(PodGroupControllerTest, ABarePodWithoutAnOwnerIsAGroupOfItsOwn) {
  AddNode("n1", "2");
  const json::value pod = cluster_.Create(MakePod("p").Cpu("1").Annotation(kMinMember, "1"));
  Run(5s);
  EXPECT_EQ(TextAt(TheGroup(), "metadata.name"), "podgroup-" + TextAt(pod, "metadata.uid"));
  EXPECT_EQ(cluster_.Bound(), 1);
  ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", "p"}));
  Run(60s);
  EXPECT_THAT(Groups(), IsEmpty());
}

TEST_F(PodGroupControllerTest, WorkloadsThatDoNotAskHaveNone) {
  AddNode("n1", "8");
  cluster_.Create(Replicated(resources::kDeployments, 4, ""));
  cluster_.Create(MakePod("plain").Cpu("1"));
  Run(5s);
  EXPECT_EQ(cluster_.Bound(), 5);
  EXPECT_THAT(Groups(), IsEmpty());
  EXPECT_THAT(NamedGroups(), ElementsAre(""));
}

TEST_F(PodGroupControllerTest, PodsOfOtherSchedulersHaveNone) {
  json::object pods = Template("2");
  pods["spec"].as_object()["schedulerName"] = "default-scheduler";
  cluster_.Create(Replicated(resources::kReplicaSets, 2, "2").Set("spec.template", pods));
  Run(5s);
  EXPECT_THAT(Groups(), IsEmpty());
}

TEST_F(PodGroupControllerTest, WithoutTheControllerThePodsWaitAndWhenItComesTheyStart) {
  manager_.reset();
  AddNode("n1", "8");
  cluster_.Create(Replicated(resources::kReplicaSets, 3, "3"));
  Run(10s);
  EXPECT_EQ(cluster_.Bound(), 0);
  const json::value pod = cluster_.List(resources::kPods).front();
  EXPECT_THAT(json::serialize(pod.at("status")),
              AllOf(HasSubstr("PodGroupNotFound"), HasSubstr("which does not exist yet")));
  StartController();
  Run(5s);
  EXPECT_EQ(cluster_.Bound(), 3);
}

}  // namespace
}  // namespace basalt::controllers
