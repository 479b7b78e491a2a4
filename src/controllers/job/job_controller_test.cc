#include "controllers/job/job_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controllers/job/job_controller_test_util.h"

namespace basalt::controllers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

class JobControllerTest : public testing::Test, public JobCluster {
 protected:
  using JobCluster::Run;  // testing::Test has one too
  // A job whose pods run.
  void RunJob(const std::string& spec) {
    AddJob(spec);
    Admit();
    SetAll("Running");
  }
  std::string Tasks(int master, int worker, std::string_view worker_more = "") {
    return fmt::format(R"("tasks": [{}, {}])", Task("m", master), Task("w", worker, worker_more));
  }
};

TEST_F(JobControllerTest, AJobGoesFromPendingToCompleted) {
  AddJob(Tasks(1, 2));
  EXPECT_EQ(Phase(), "Pending");
  EXPECT_EQ(Count("minAvailable"), 3);
  ASSERT_THAT(Names(resources::kPodGroups), SizeIs(1));
  EXPECT_THAT(Pods(), IsEmpty()) << "the group has not been let in";
  Admit();
  EXPECT_THAT(Pods(), ElementsAre("train-m-0", "train-w-0", "train-w-1"));
  EXPECT_EQ(Count("pending"), 3);
  SetPod("train-m-0", "Running");
  SetPod("train-w-0", "Running");
  Run();
  EXPECT_EQ(Phase(), "Pending");
  SetPod("train-w-1", "Running");
  Run();
  EXPECT_EQ(Phase(), "Running");
  EXPECT_EQ(Count("running"), 3);
  SetAll("Succeeded");
  EXPECT_EQ(Phases(), "Pending Running Completed");
  EXPECT_EQ(Count("succeeded"), 3);
  EXPECT_THAT(Names(resources::kPodGroups), IsEmpty());
  EXPECT_THAT(Pods(), SizeIs(3)) << "what has ended stays";
  for (const std::string& pod : Pods()) DeletePod(pod);
  Run();
  EXPECT_EQ(Count("succeeded"), 3) << "and stays counted";
}

TEST_F(JobControllerTest, PodsSayWhoseTheyAre) {
  auto job = testutil::MakeObject(resources::kVcJobs, "train");
  job.Set("spec", boost::json::parse(fmt::format(
                      R"({{"queue": "default", "priorityClassName": "p", "tasks": [{}]}})",
                      Task("w", 2, R"("topologyPolicy": "restricted", "partitionPolicy":
                           {"totalPartitions": 2, "partitionSize": 1},)"))));
  job.Annotation("volcano.sh/revocable-zone", "z").Label("volcano.sh/preemptable", "true");
  cluster().Create(testutil::MakeObject(resources::kPriorityClasses, "p").Set("value", 7));
  cluster().Create(job);
  Run();
  Admit();
  const json::value pod = cluster().Get(resources::kPods, "default", "train-w-1");
  const json::object& labels = pod.at("metadata").at("labels").get_object();
  const json::object& annotations = pod.at("metadata").at("annotations").get_object();
  const std::string uid = TextAt(Job(), "metadata.uid");
  EXPECT_EQ(TextAt(pod, "metadata.ownerReferences.0.uid"), uid);
  EXPECT_EQ(labels.at("volcano.sh/job-name"), "train");
  EXPECT_EQ(labels.at("volcano.sh/task-spec"), "w");
  EXPECT_EQ(labels.at("volcano.sh/task-index"), "1");
  EXPECT_EQ(labels.at("volcano.sh/queue-name"), "default");
  EXPECT_EQ(labels.at("volcano.sh/job-namespace"), "default");
  EXPECT_EQ(labels.at("volcano.sh/partition-id"), "1");
  EXPECT_EQ(labels.at("volcano.sh/preemptable"), "true");
  EXPECT_EQ(std::string(annotations.at("scheduling.k8s.io/group-name").get_string()),
            "train-" + uid);
  EXPECT_EQ(annotations.at("volcano.sh/job-version"), "0");
  EXPECT_EQ(annotations.at("volcano.sh/job-retry-count"), "0");
  EXPECT_EQ(annotations.at("volcano.sh/template-uid"), "train-w");
  EXPECT_EQ(annotations.at("volcano.sh/numa-topology-policy"), "restricted");
  EXPECT_EQ(annotations.at("volcano.sh/revocable-zone"), "z");
  EXPECT_EQ(TextAt(pod, "spec.schedulerName"), "volcano");
  EXPECT_EQ(TextAt(pod, "spec.priorityClassName"), "p");
}

TEST_F(JobControllerTest, AFailedPodRestartsTheJobUntilItsRetriesAreUsedUp) {
  RunJob(R"("maxRetry": 2, "policies": [{"event": "PodFailed", "action": "RestartJob"}], )" +
         Tasks(1, 1));
  ASSERT_EQ(Phase(), "Running");
  const std::string first = UidOf("train-w-0");
  SetPod("train-w-0", "Failed", 3);
  Run();
  EXPECT_EQ(Phases(), "Pending Running Restarting Pending");
  EXPECT_EQ(Count("retryCount"), 1);
  EXPECT_EQ(Count("version"), 1);
  Admit();
  EXPECT_NE(UidOf("train-w-0"), first);
  EXPECT_EQ(cluster()
                .Get(resources::kPods, "default", "train-w-0")
                .at("metadata")
                .at("annotations")
                .at("volcano.sh/job-version"),
            "1");
  SetAll("Running");
  SetPod("train-w-0", "Failed", 3);
  Run();
  EXPECT_EQ(Phases(), "Pending Running Restarting Pending Running Restarting Failed");
  EXPECT_EQ(Count("retryCount"), 2);
  EXPECT_THAT(Pods(), ElementsAre("train-w-0")) << "the last failed pod can be looked at";
  EXPECT_THAT(Events(), HasSubstr("ExecuteAction: RestartJob on PodFailed: pod train-w-0 failed "
                                  "with exit code 3"));
}

TEST_F(JobControllerTest, ARestartOfATaskLeavesTheOtherPodsAlone) {
  RunJob(Tasks(1, 2, R"("policies": [{"event": "PodEvicted", "action": "RestartTask"}],)"));
  const std::string master = UidOf("train-m-0");
  const std::string worker = UidOf("train-w-1");
  const std::string group = Names(resources::kPodGroups)[0];
  DeletePod("train-w-0");
  Run();
  EXPECT_EQ(Phases(), "Pending Running Restarting Pending");
  EXPECT_EQ(UidOf("train-m-0"), master);
  EXPECT_NE(UidOf("train-w-1"), worker);
  EXPECT_THAT(Names(resources::kPodGroups), ElementsAre(group));
  EXPECT_EQ(Count("retryCount"), 1);
  SetAll("Running");
  EXPECT_EQ(Phase(), "Running");
}

TEST_F(JobControllerTest, ADeletedPodIsMadeAgain) {
  RunJob(Tasks(1, 1));
  const std::string uid = UidOf("train-w-0");
  DeletePod("train-w-0");
  Run();
  EXPECT_NE(UidOf("train-w-0"), uid);
  EXPECT_EQ(Phase(), "Pending") << "too many pend";
}

TEST_F(JobControllerTest, CommandsAbortAndResume) {
  RunJob(Tasks(1, 1));
  Command("AbortJob");
  EXPECT_EQ(Phases(), "Pending Running Aborting Aborted");
  EXPECT_THAT(Pods(), IsEmpty());
  EXPECT_THAT(Names(resources::kPodGroups), IsEmpty());
  EXPECT_TRUE(cluster().List(resources::kCommands).empty());
  EXPECT_EQ(TextAt(Job(), "status.state.reason"), "CommandIssued");
  Command("ResumeJob");
  EXPECT_EQ(Phases(), "Pending Running Aborting Aborted Restarting Pending");
  Admit();
  SetAll("Running");
  EXPECT_EQ(Phase(), "Running");
  Command("TerminateJob");
  EXPECT_EQ(Phase(), "Terminated");
  Command("Explode");
  EXPECT_THAT(Events(), HasSubstr("Explode is nothing that a Command can ask"));
  EXPECT_EQ(Phase(), "Terminated");
}

TEST_F(JobControllerTest, APolicyMayWait) {
  RunJob(R"("policies": [{"event": "PodFailed", "action": "TerminateJob", "timeout": "1m"}], )" +
         Tasks(1, 1));
  SetPod("train-w-0", "Failed", 1);
  Run(50s);
  EXPECT_EQ(Phase(), "Running");
  Run(15s);
  EXPECT_EQ(Phase(), "Terminated");
}

TEST_F(JobControllerTest, APodThatPendsTooLongIsNotWaitedFor) {
  AddJob(R"("policies": [{"event": "PodPending", "action": "RestartJob", "timeout": "30s"}], )" +
         Tasks(1, 2));
  Admit();
  SetPod("train-m-0", "Running");
  Run(20s);
  EXPECT_EQ(Phases(), "Pending");
  Run(12s);
  EXPECT_EQ(Phases(), "Pending Restarting Pending");
  Admit();
  Run(5s);
  EXPECT_EQ(Count("retryCount"), 1) << "the two that waited were one";
}

TEST_F(JobControllerTest, TaskCompletedAndTaskFailed) {
  RunJob(Tasks(1, 2, R"("maxRetry": 2, "policies": [
      {"event": "TaskCompleted", "action": "CompleteJob"},
      {"event": "TaskFailed", "action": "AbortJob"}],)"));
  SetPod("train-w-0", "Succeeded");
  Run();
  EXPECT_EQ(Phase(), "Running");
  SetPod("train-w-1", "Succeeded");
  Run();
  EXPECT_EQ(Phases(), "Pending Running Completing Completed");
  EXPECT_THAT(Pods(), ElementsAre("train-w-0", "train-w-1"));
}

TEST_F(JobControllerTest, ContainersThatRestartTooOftenFailTheTask) {
  RunJob(Tasks(1, 2, R"("maxRetry": 2, "policies": [
      {"event": "TaskFailed", "action": "AbortJob"}],)"));
  SetPod("train-w-0", "Running", 0, 1);
  Run();
  EXPECT_EQ(Phase(), "Running");
  SetPod("train-w-1", "Running", 0, 1);
  Run();
  EXPECT_EQ(Phase(), "Aborted");
}

TEST_F(JobControllerTest, AGroupThatBecomesUnknownIsAnEvent) {
  RunJob(R"("policies": [{"event": "Unknown", "action": "RestartJob"}], )" + Tasks(1, 1));
  SetGroupPhase(Names(resources::kPodGroups)[0], "Unknown");
  Run();
  EXPECT_EQ(Phases(), "Pending Running Restarting Pending");
  EXPECT_EQ(Count("retryCount"), 1);
}

TEST_F(JobControllerTest, ScalingMakesAndRemovesTheHighestWithoutAnEvent) {
  RunJob(R"("minAvailable": 1, "policies": [{"event": "PodEvicted", "action": "TerminateJob"}], )" +
         Tasks(1, 2));
  const auto scale = [&](int replicas) {
    ASSERT_TRUE(cluster().Patch(
        {resources::kVcJobs, "default", "train"}, kube::PatchKind::kJson,
        fmt::format(R"([{{"op": "replace", "path": "/spec/tasks/1/replicas", "value": {}}}])",
                    replicas)));
    Run();
  };
  scale(3);
  EXPECT_THAT(Pods(), ElementsAre("train-m-0", "train-w-0", "train-w-1", "train-w-2"));
  scale(1);
  EXPECT_THAT(Pods(), ElementsAre("train-m-0", "train-w-0"));
  EXPECT_EQ(Phase(), "Running");
}

TEST_F(JobControllerTest, TasksWaitForOthersAndTheGroupAsksForThoseAlone) {
  AddJob(Tasks(1, 2, R"("dependsOn": {"name": ["m"]},)"));
  const auto min_member = [&] {
    return cluster().List(resources::kPodGroups)[0].at("spec").at("minMember");
  };
  EXPECT_EQ(min_member(), 1);
  Admit();
  EXPECT_THAT(Pods(), ElementsAre("train-m-0"));
  SetPod("train-m-0", "Running");
  Run();
  EXPECT_THAT(Pods(), SizeIs(3));
  EXPECT_EQ(min_member(), 3);
  SetAll("Running");
  EXPECT_EQ(Phase(), "Running");
}

TEST_F(JobControllerTest, PluginsObjectsComeAndGoWithThePods) {
  AddJob(R"("plugins": {"svc": [], "ssh": [], "env": []}, )" + Tasks(1, 1));
  EXPECT_THAT(Names(resources::kServices), ElementsAre("train"));
  EXPECT_THAT(Names(resources::kNetworkPolicies), ElementsAre("train"));
  EXPECT_THAT(Names(resources::kConfigMaps), ElementsAre("train-svc"));
  EXPECT_THAT(Names(resources::kSecrets), ElementsAre("train-ssh"));
  EXPECT_EQ(json::serialize(Job().at("status").at("controlledResources")),
            R"({"plugin-env":"env","plugin-ssh":"ssh","plugin-svc":"svc"})");
  Admit();
  SetAll("Running");
  Command("AbortJob");
  EXPECT_EQ(Phase(), "Aborted");
  EXPECT_THAT(Names(resources::kServices), IsEmpty());
  EXPECT_THAT(Names(resources::kSecrets), IsEmpty());
  EXPECT_EQ(testutil::FindPath(Job(), "status.controlledResources"), nullptr);
  Command("ResumeJob");
  EXPECT_THAT(Names(resources::kServices), ElementsAre("train"));
  Admit();
  EXPECT_THAT(Pods(), SizeIs(2));
  ASSERT_TRUE(
      cluster().Patch({resources::kVcJobs, "default", "train"}, kube::PatchKind::kJson,
                      R"([{"op": "replace", "path": "/spec/tasks/1/replicas", "value": 2}])"));
  Run();
  EXPECT_EQ(TextAt(cluster().Get(resources::kConfigMaps, "default", "train-svc"), "data.VC_W_NUM"),
            "2");
}

TEST_F(JobControllerTest, ClaimsAreMadeAndMounted) {
  AddJob(R"("volumes": [{"mountPath": "/data", "volumeClaim": {"accessModes": ["ReadWriteOnce"],
              "resources": {"requests": {"storage": "1Gi"}}}},
            {"mountPath": "/shared", "volumeClaimName": "shared"}], )" +
         Tasks(1, 1));
  EXPECT_THAT(Events(), HasSubstr("PersistentVolumeClaim shared that is to be mounted at /shared "
                                  "does not exist"));
  EXPECT_EQ(Phase(), "Pending");
  cluster().Create(testutil::MakeObject(resources::kPersistentVolumeClaims, "shared")
                       .Set("spec", json::parse(R"({"accessModes": ["ReadWriteOnce"],
                            "resources": {"requests": {"storage": "1Gi"}}})")));
  Run();
  Admit();
  const std::vector<std::string> claims = Names(resources::kPersistentVolumeClaims);
  ASSERT_THAT(claims, SizeIs(2));
  EXPECT_EQ(claims[1].size(), std::string("train-pvc-").size() + 12);
  EXPECT_EQ(TextAt(Job(), "spec.volumes.0.volumeClaimName"), claims[1]);
  const json::value pod = cluster().Get(resources::kPods, "default", "train-m-0");
  EXPECT_EQ(TextAt(pod, "spec.volumes.0.persistentVolumeClaim.claimName"), claims[1]);
  EXPECT_EQ(TextAt(pod, "spec.containers.0.volumeMounts.1.mountPath"), "/shared");
}

TEST_F(JobControllerTest, NothingIsLostWhileTheControllerIsAway) {
  RunJob(R"("policies": [{"event": "PodFailed", "action": "RestartJob"},
                         {"event": "PodEvicted", "action": "RestartJob"}], )" +
         Tasks(1, 1));
  KillController();
  SetPod("train-w-0", "Failed", 1);
  Run();
  StartController();
  Run();
  EXPECT_EQ(Count("retryCount"), 1);
  Admit();
  SetAll("Running");
  ASSERT_EQ(Phase(), "Running");
  KillController();
  DeletePod("train-m-0");
  Run();
  StartController();
  Run();
  EXPECT_EQ(Count("retryCount"), 2) << Phases();
}

TEST_F(JobControllerTest, AnUndisturbedJobCostsNoWriteAndCountsAreWrittenOnceASecond) {
  AddJob(R"("minAvailable": 20, "tasks": [)" + Task("w", 20) + "]");
  Admit();
  process().counting.Clear();
  for (int i = 0; i < 19; ++i) {
    SetPod(fmt::format("train-w-{}", i), "Running");
    Run(100ms);
  }
  EXPECT_LE(process().counting.writes("PATCH jobs/status"), 3);
  SetPod("train-w-19", "Running");
  Run();
  EXPECT_EQ(Phase(), "Running");
  process().counting.Clear();
  Run(10min);
  EXPECT_THAT(process().counting.writes(), IsEmpty());
}

TEST_F(JobControllerTest, APodCostsOneWrite) {
  AddJob(R"("tasks": [)" + Task("w", 200) + "]");
  process().counting.Clear();
  Admit();
  EXPECT_EQ(process().counting.writes("POST pods"), 200);
  EXPECT_EQ(process().counting.writes("PATCH pods"), 0);
  EXPECT_THAT(Pods(), SizeIs(200));
}

TEST_F(JobControllerTest, AJobThatCannotBePreparedIsGivenUp) {
  // Somebody else's Service has the name.
  cluster().Create(testutil::MakeObject(resources::kServices, "train")
                       .Set("spec", json::parse(R"({"clusterIP": "None"})")));
  AddJob(R"("plugins": {"svc": []}, )" + Tasks(1, 1));
  Run(1min);
  EXPECT_EQ(Phase(), "Terminated");
  EXPECT_THAT(Events(), HasSubstr("PluginError: plugin svc: Service train: it exists and is not "
                                  "this job's"));
}

TEST_F(JobControllerTest, PodsOfAFormerJobOfThatNameAreWaitedFor) {
  cluster().Create(testutil::MakePod("train-m-0")
                       .Label("volcano.sh/job-name", "train")
                       .Finalizer("example.com/stays")
                       .Owner(resources::kVcJobs, "train", "former"));
  AddJob(Tasks(1, 1));
  Admit();
  EXPECT_THAT(Pods(), ElementsAre("train-m-0", "train-w-0"));
  EXPECT_EQ(Count("pending"), 1);
  DeletePod("train-m-0");
  ASSERT_TRUE(cluster().Patch({resources::kPods, "default", "train-m-0"}, kube::PatchKind::kMerge,
                              R"({"metadata": {"finalizers": null}})"));
  Run();
  EXPECT_EQ(TextAt(cluster().Get(resources::kPods, "default", "train-m-0"),
                   "metadata.ownerReferences.0.uid"),
            TextAt(Job(), "metadata.uid"));
}

TEST_F(JobControllerTest, ADeletedJobIsLeftToTheGarbageCollector) {
  RunJob(Tasks(1, 1));
  ASSERT_TRUE(cluster().Delete({resources::kVcJobs, "default", "train"}));
  Run(10s);
  EXPECT_THAT(Pods(), IsEmpty());
  EXPECT_THAT(Names(resources::kPodGroups), IsEmpty());
}

}  // namespace
}  // namespace basalt::controllers
