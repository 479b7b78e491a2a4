// deps: basalt_testing basalt_simnode basalt_workloads
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "testing/seeds.h"
#include "tests/system/workload_cluster.h"

namespace basalt::systemtest {
namespace {

using testutil::FindPath;
using testutil::TextAt;

constexpr kube::Resource kJobs = kube::resources::kJobs;
constexpr kube::Resource kDeployments = kube::resources::kDeployments;
constexpr kube::Resource kReplicaSets = kube::resources::kReplicaSets;

std::int64_t Number(const json::value& object, std::string_view path) {
  return WorkloadCluster::Number(object, path);
}
std::string Condition(const json::value& object, std::string_view type) {
  return WorkloadCluster::Condition(object, type);
}

Result<json::value> PatchDeployment(WorkloadCluster& w, std::string_view name, std::string body) {
  return w.cluster().Patch({kDeployments, "default", name}, kube::PatchKind::kStrategic,
                           std::move(body));
}
std::string NewImage(std::string_view image) {
  return R"({"spec":{"template":{"spec":{"containers":[{"name":"main","image":")" +
         std::string(image) + R"("}]}}}})";
}

TEST(DeploymentTest, RunsItsReplicasAndSaysSo) {
  WorkloadCluster w;
  w.cluster().Create(w.Deployment("web", 3));
  w.Run(5s);
  EXPECT_EQ(w.ReadyPods(), 3);
  const json::value deployment = w.cluster().Get(kDeployments, "default", "web");
  EXPECT_EQ(Number(deployment, "status.replicas"), 3);
  EXPECT_EQ(Number(deployment, "status.updatedReplicas"), 3);
  EXPECT_EQ(Number(deployment, "status.availableReplicas"), 3);
  EXPECT_EQ(Number(deployment, "status.observedGeneration"),
            Number(deployment, "metadata.generation"));
  EXPECT_EQ(Condition(deployment, "Available"), "True");
  EXPECT_EQ(Condition(deployment, "Progressing"), "True");
  EXPECT_EQ(deployment.at("metadata").at("annotations").at("deployment.kubernetes.io/revision"),
            "1");
  const auto sets = w.cluster().List(kReplicaSets, "default");
  ASSERT_EQ(sets.size(), 1u);
  const std::string hash = TextAt(sets[0], "metadata.labels.pod-template-hash");
  EXPECT_EQ(TextAt(sets[0], "metadata.name"), "web-" + hash);
  for (const json::value& pod : w.Pods()) {
    EXPECT_EQ(TextAt(pod, "metadata.labels.pod-template-hash"), hash);
    EXPECT_EQ(TextAt(pod, "metadata.ownerReferences.0.kind"), "ReplicaSet");
    EXPECT_EQ(*FindPath(pod, "metadata.ownerReferences.0.controller"), true);
    EXPECT_EQ(*FindPath(pod, "metadata.ownerReferences.0.blockOwnerDeletion"), true);
  }
}

TEST(DeploymentTest, AnEvictedPodIsReplaced) {
  WorkloadCluster w;
  w.cluster().Create(w.Deployment("web", 3));
  w.Run(5s);
  const std::string victim = TextAt(w.Pods().front(), "metadata.name");
  ASSERT_TRUE(w.cluster().Call([&](kube::Client& client, kube::ApiHandler done) {
    client.Create({kube::resources::kPods, "default", victim, "eviction"},
                  R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":")" + victim +
                      R"(","namespace":"default"}})",
                  std::move(done));
  }));
  w.Run(2s);
  EXPECT_EQ(w.ReadyPods(), 3);
  EXPECT_EQ(w.Pods().size(), 4u);  // the old one takes its grace period
  w.Run(31s);
  EXPECT_EQ(w.Pods().size(), 3u);
  for (const json::value& pod : w.Pods()) EXPECT_NE(TextAt(pod, "metadata.name"), victim);
}

TEST(DeploymentTest, ARollingUpdateNeverGoesBelowAvailability) {
  struct Case {
    json::value surge;
    json::value unavailable;
    int least;
    int most;
  };
  for (const Case& c :
       std::initializer_list<Case>{{1, 0, 10, 11}, {0, 3, 7, 10}, {"25%", "25%", 8, 13}}) {
    WorkloadCluster w;
    auto deployment = w.Deployment("web", 10);
    json::object pod_template = w.Template("web");
    pod_template["metadata"].as_object()["annotations"] =
        json::object{{"basalt.sh/start-delay", "7s"}};
    deployment.Set("spec.template", pod_template)
        .Set("spec.strategy.rollingUpdate.maxSurge", c.surge)
        .Set("spec.strategy.rollingUpdate.maxUnavailable", c.unavailable);
    w.cluster().Create(deployment);
    w.Run(20s);
    ASSERT_EQ(w.ReadyPods(), 10);
    ASSERT_TRUE(PatchDeployment(w, "web", NewImage("v2")));
    int seconds = 0;
    for (; seconds < 600; ++seconds) {
      w.Run(1s);
      EXPECT_GE(w.ReadyPods(), c.least) << seconds;
      EXPECT_LE(std::ssize(w.ActivePods()), c.most) << seconds;
      const json::value now = w.cluster().Get(kDeployments, "default", "web");
      if (Number(now, "status.updatedReplicas") == 10 && Number(now, "status.replicas") == 10 &&
          Number(now, "status.availableReplicas") == 10) {
        break;
      }
    }
    EXPECT_LT(seconds, 600);
    for (const json::value& pod : w.ActivePods()) {
      EXPECT_EQ(TextAt(pod, "spec.containers.0.image"), "v2");
    }
  }
}

TEST(DeploymentTest, RecreateRunsNoTwoVersionsAtOnce) {
  WorkloadCluster w;
  w.cluster().Create(w.Deployment("web", 3).Set("spec.strategy.type", "Recreate"));
  w.Run(5s);
  ASSERT_TRUE(PatchDeployment(w, "web", NewImage("v2")));
  for (int second = 0; second < 60; ++second) {
    w.Run(1s);
    std::set<std::string> images;
    for (const json::value& pod : w.Pods()) images.insert(TextAt(pod, "spec.containers.0.image"));
    EXPECT_LE(images.size(), 1u) << second;
  }
  EXPECT_EQ(w.ReadyPods(), 3);
  EXPECT_EQ(TextAt(w.ActivePods().front(), "spec.containers.0.image"), "v2");
}

TEST(DeploymentTest, ScalesPausesResumesAndGoesBack) {
  WorkloadCluster w;
  w.cluster().Create(w.Deployment("web", 2));
  w.Run(5s);
  ASSERT_TRUE(PatchDeployment(w, "web", R"({"spec":{"replicas":5}})"));
  w.Run(5s);
  EXPECT_EQ(w.ReadyPods(), 5);
  ASSERT_TRUE(PatchDeployment(w, "web", R"({"spec":{"paused":true}})"));
  ASSERT_TRUE(PatchDeployment(w, "web", NewImage("v2")));
  w.Run(60s);
  EXPECT_EQ(w.cluster().List(kReplicaSets, "default").size(), 1u);
  ASSERT_TRUE(PatchDeployment(w, "web", R"({"spec":{"paused":false}})"));
  w.Run(120s);
  EXPECT_EQ(w.cluster().List(kReplicaSets, "default").size(), 2u);
  EXPECT_EQ(w.ReadyPods(), 5);
  EXPECT_EQ(TextAt(w.ActivePods().front(), "spec.containers.0.image"), "v2");
  ASSERT_TRUE(PatchDeployment(w, "web", NewImage("v1")));
  w.Run(120s);
  EXPECT_EQ(w.cluster().List(kReplicaSets, "default").size(), 2u);
  EXPECT_EQ(TextAt(w.ActivePods().front(), "spec.containers.0.image"), "v1");
  const json::value deployment = w.cluster().Get(kDeployments, "default", "web");
  EXPECT_EQ(deployment.at("metadata").at("annotations").at("deployment.kubernetes.io/revision"),
            "3");
  ASSERT_TRUE(PatchDeployment(w, "web", R"({"spec":{"replicas":0}})"));
  w.Run(60s);
  EXPECT_TRUE(w.Pods().empty());
}

TEST(DeploymentTest, KeepsAsManyOldSetsAsItIsTold) {
  WorkloadCluster w;
  w.cluster().Create(w.Deployment("web", 1).Set("spec.revisionHistoryLimit", 2));
  for (int version = 2; version <= 6; ++version) {
    w.Run(60s);
    ASSERT_TRUE(PatchDeployment(w, "web", NewImage("v" + std::to_string(version))));
  }
  w.Run(120s);
  EXPECT_EQ(w.cluster().List(kReplicaSets, "default").size(), 3u);
}

TEST(DeploymentTest, ARolloutThatGetsNowhereSaysSo) {
  WorkloadCluster w;
  w.cluster().Create(w.Deployment("web", 1).Set("spec.progressDeadlineSeconds", 30));
  w.Run(5s);
  json::object stuck = w.Template("web", "v2");
  stuck["spec"].as_object()["nodeName"] = "no-such-node";
  ASSERT_TRUE(PatchDeployment(
      w, "web", json::serialize(json::object{{"spec", json::object{{"template", stuck}}}})));
  w.Run(60s);
  const json::value deployment = w.cluster().Get(kDeployments, "default", "web");
  EXPECT_EQ(Condition(deployment, "Progressing"), "False");
  EXPECT_EQ(w.ReadyPods(), 1);  // the old one stays
}

TEST(ReplicaSetTest, AdoptsPodsThatMatchAndLetsGoOfThoseThatDoNot) {
  WorkloadCluster w;
  w.cluster().Create(testutil::MakePod("mine").Label("app", "web").Node("node"));
  w.cluster().Create(testutil::MakeObject(kReplicaSets, "web")
                         .Set("spec.replicas", 2)
                         .Set("spec.selector.matchLabels.app", "web")
                         .Set("spec.template", w.Template("web")));
  w.Run(5s);
  EXPECT_EQ(w.Pods().size(), 2u);
  EXPECT_EQ(TextAt(w.cluster().Get(kube::resources::kPods, "default", "mine"),
                   "metadata.ownerReferences.0.name"),
            "web");
  ASSERT_TRUE(w.cluster().Patch({kube::resources::kPods, "default", "mine"},
                                kube::PatchKind::kMerge,
                                R"({"metadata":{"labels":{"app":"other"}}})"));
  w.Run(5s);
  EXPECT_EQ(w.Pods().size(), 3u);
  EXPECT_EQ(TextAt(w.cluster().Get(kube::resources::kPods, "default", "mine"),
                   "metadata.ownerReferences.0.name"),
            "");
}

TEST(ReplicaSetTest, WaitsForMinReadySeconds) {
  WorkloadCluster w;
  w.cluster().Create(testutil::MakeObject(kReplicaSets, "web")
                         .Set("spec.replicas", 2)
                         .Set("spec.minReadySeconds", 30)
                         .Set("spec.selector.matchLabels.app", "web")
                         .Set("spec.template", w.Template("web")));
  w.Run(25s);
  EXPECT_EQ(Number(w.cluster().Get(kReplicaSets, "default", "web"), "status.readyReplicas"), 2);
  EXPECT_EQ(Number(w.cluster().Get(kReplicaSets, "default", "web"), "status.availableReplicas"), 0);
  w.Run(10s);
  EXPECT_EQ(Number(w.cluster().Get(kReplicaSets, "default", "web"), "status.availableReplicas"), 2);
}

TEST(JobTest, TenCompletionsThreeAtATime) {
  WorkloadCluster w;
  w.cluster().Create(w.Job("sum", 3, 10, "10"));
  int most = 0;
  for (int second = 0; second < 60; ++second) {
    w.Run(1s);
    most = std::max(most, static_cast<int>(w.ActivePods().size()));
  }
  EXPECT_EQ(most, 3);
  const json::value job = w.cluster().Get(kJobs, "default", "sum");
  EXPECT_EQ(Condition(job, "Complete"), "True");
  EXPECT_EQ(Number(job, "status.succeeded"), 10);
  EXPECT_FALSE(TextAt(job, "status.completionTime").empty());
  EXPECT_EQ(w.Pods().size(), 10u);
  for (const json::value& pod : w.Pods()) {
    EXPECT_EQ(FindPath(pod, "metadata.finalizers"), nullptr);
  }
}

TEST(JobTest, FailsAtItsBackoffLimit) {
  WorkloadCluster w;
  auto job = w.Job("bad", 1, 1, "1").Set("spec.backoffLimit", 2);
  job.Set("spec.template.metadata.annotations", json::object{{"basalt.sh/exit-code", "1"}});
  w.cluster().Create(job);
  w.Run(2min);
  const json::value done = w.cluster().Get(kJobs, "default", "bad");
  EXPECT_EQ(Condition(done, "Failed"), "True");
  EXPECT_EQ(Number(done, "status.failed"), 3);
}

TEST(JobTest, SuspendsResumesAndGoesWhenItsTimeIsOver) {
  WorkloadCluster w;
  w.cluster().Create(
      w.Job("late", 2, 2, "10").Set("spec.suspend", true).Set("spec.ttlSecondsAfterFinished", 60));
  w.Run(30s);
  EXPECT_TRUE(w.Pods().empty());
  ASSERT_TRUE(w.cluster().Patch({kJobs, "default", "late"}, kube::PatchKind::kMerge,
                                R"({"spec":{"suspend":false}})"));
  w.Run(15s);
  EXPECT_EQ(Condition(w.cluster().Get(kJobs, "default", "late"), "Complete"), "True");
  w.Run(70s);
  EXPECT_TRUE(w.cluster().Get(kJobs, "default", "late").is_null());
  EXPECT_TRUE(w.Pods().empty());
}

TEST(JobTest, AnIndexedJobRunsEveryIndex) {
  WorkloadCluster w;
  w.cluster().Create(w.Job("each", 2, 5, "5").Set("spec.completionMode", "Indexed"));
  w.Run(60s);
  const json::value job = w.cluster().Get(kJobs, "default", "each");
  EXPECT_EQ(Condition(job, "Complete"), "True");
  EXPECT_EQ(TextAt(job, "status.completedIndexes"), "0-4");
}

TEST(JobTest, ADeletedJobTakesItsPodsWithIt) {
  WorkloadCluster w;
  w.cluster().Create(w.Job("gone", 3, 3, "1000"));
  w.Run(5s);
  ASSERT_EQ(w.ActivePods().size(), 3u);
  ASSERT_TRUE(w.cluster().Delete({kJobs, "default", "gone"}, {.propagation = "Background"}));
  w.Run(60s);
  EXPECT_TRUE(w.Pods().empty());
}

TEST(WorkloadsTest, AnHourOfClusterTimeTakesAboutASecond) {
  const auto begin = std::chrono::steady_clock::now();
  WorkloadCluster w;
  w.cluster().Create(w.Deployment("web", 20));
  for (int i = 0; i < 60; ++i) {
    w.cluster().Create(w.Job("job-" + std::to_string(i), 2, 4, "20"));
    w.Run(1min);
  }
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(w.ReadyPods(), 20);
  // A second on an idle core; ten leave room for a busy machine and sanitizers.
  EXPECT_LT(took, 10s);
  RecordProperty("milliseconds", static_cast<int>(took / 1ms));
}

// Dropped, delayed and repeated requests, lost answers, broken watches, restarts of the server and
// of the controllers: in the end there are exactly as many pods as asked for, and every Job has
// counted every success once.
TEST(WorkloadsTest, EverythingComesOutRightThroughFaults) {
  testutil::ForEachSeed(20, [](std::uint64_t seed) {
    WorkloadCluster w({.seed = seed,
                       .faults = {.most_latency = 50ms,
                                  .refuse = 0.03,
                                  .lose_response = 0.03,
                                  .too_many_requests = 0.02,
                                  .internal_error = 0.02,
                                  .unavailable = 0.02,
                                  .cut_watch = 0.02,
                                  .delay_piece = 0.05,
                                  .most_delay = 2s,
                                  .compact_every = 5min,
                                  .restart_every = 5min}});
    w.cluster().Create(w.Deployment("web", 7));
    w.cluster().Create(w.Job("sum", 4, 12, "15"));
    w.cluster().Create(w.Job("each", 3, 6, "20").Set("spec.completionMode", "Indexed"));
    w.Run(20s);
    ASSERT_TRUE(PatchDeployment(w, "web", NewImage("v2")));
    w.Run(10s);
    w.RestartRoles();
    w.Run(30s);
    ASSERT_TRUE(PatchDeployment(w, "web", R"({"spec":{"replicas":4}})"));
    w.Run(30min);
    w.cluster().network().set_plan({});
    w.Run(5min);
    EXPECT_EQ(w.ReadyPods(), 4);
    for (const json::value& pod : w.ActivePods()) {
      EXPECT_EQ(TextAt(pod, "spec.containers.0.image"), "v2");
    }
    const json::value sum = w.cluster().Get(kJobs, "default", "sum");
    EXPECT_EQ(Condition(sum, "Complete"), "True") << json::serialize(sum);
    EXPECT_EQ(Number(sum, "status.succeeded"), 12);
    const json::value each = w.cluster().Get(kJobs, "default", "each");
    EXPECT_EQ(Condition(each, "Complete"), "True") << json::serialize(each);
    EXPECT_EQ(TextAt(each, "status.completedIndexes"), "0-5");
  });
}

std::set<std::string> Names(const std::vector<json::value>& objects) {
  std::set<std::string> names;
  for (const json::value& object : objects) names.insert(TextAt(object, "metadata.name"));
  return names;
}

// What `kubectl rollout status` looks at: everything that is asked for is there and new.
bool RolledOut(const json::value& set) {
  return Number(set, "status.observedGeneration") == Number(set, "metadata.generation") &&
         Number(set, "status.readyReplicas") == Number(set, "spec.replicas") &&
         TextAt(set, "status.currentRevision") == TextAt(set, "status.updateRevision");
}

TEST(StatefulSetTest, StartsInOrderUpdatesDownwardsAndEndsDownwards) {
  constexpr kube::Resource kSets = kube::resources::kStatefulSets;
  WorkloadCluster w;
  w.cluster().Create(
      w.StatefulSet("db", 3)
          .Set("spec.template.metadata.annotations", json::object{{"basalt.sh/start-delay", "10s"}})
          .Set("spec.volumeClaimTemplates",
               json::array{json::parse(
                   R"({"metadata":{"name":"data"},"spec":{"accessModes":)"
                   R"(["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}})")}));
  w.Run(5s);
  EXPECT_EQ(Names(w.Pods()), (std::set<std::string>{"db-0"}));
  w.Run(10s);
  EXPECT_EQ(Names(w.Pods()), (std::set<std::string>{"db-0", "db-1"}));
  w.Run(20s);
  EXPECT_EQ(w.ReadyPods(), 3);
  EXPECT_TRUE(RolledOut(w.cluster().Get(kSets, "default", "db")));
  EXPECT_EQ(Names(w.cluster().List(kube::resources::kPersistentVolumeClaims, "default")),
            (std::set<std::string>{"data-db-0", "data-db-1", "data-db-2"}));
  EXPECT_EQ(TextAt(w.cluster().Get(kube::resources::kPods, "default", "db-1"), "spec.hostname"),
            "db-1");

  ASSERT_TRUE(
      w.cluster().Patch({kSets, "default", "db"}, kube::PatchKind::kStrategic, NewImage("v2")));
  w.Run(5s);
  const json::value going = w.cluster().Get(kube::resources::kPods, "default", "db-2");
  EXPECT_NE(FindPath(going, "metadata.deletionTimestamp"), nullptr);
  EXPECT_FALSE(RolledOut(w.cluster().Get(kSets, "default", "db")));
  w.RestartRoles();
  w.Run(3min);
  EXPECT_TRUE(RolledOut(w.cluster().Get(kSets, "default", "db")));
  for (const json::value& pod : w.Pods()) {
    EXPECT_EQ(TextAt(pod, "spec.containers.0.image"), "v2");
  }

  ASSERT_TRUE(w.cluster().Patch({kSets, "default", "db"}, kube::PatchKind::kMerge,
                                R"({"spec":{"replicas":1}})"));
  w.Run(2min);
  EXPECT_EQ(Names(w.Pods()), (std::set<std::string>{"db-0"}));
  EXPECT_EQ(w.cluster().List(kube::resources::kPersistentVolumeClaims, "default").size(), 3u)
      << "claims stay";
}

TEST(DaemonSetTest, RunsOnItsNodesAndIsReplacedThere) {
  constexpr kube::Resource kSets = kube::resources::kDaemonSets;
  WorkloadCluster w;
  w.cluster().Create(w.DaemonSet("agent"));
  w.Run(5s);
  EXPECT_EQ(w.ReadyPods(), 1);
  json::value set = w.cluster().Get(kSets, "default", "agent");
  EXPECT_EQ(Number(set, "status.desiredNumberScheduled"), 1);
  EXPECT_EQ(Number(set, "status.numberAvailable"), 1);
  EXPECT_EQ(Number(set, "status.updatedNumberScheduled"), 1);
  EXPECT_EQ(Number(set, "status.observedGeneration"), Number(set, "metadata.generation"));

  ASSERT_TRUE(
      w.cluster().Patch({kSets, "default", "agent"}, kube::PatchKind::kStrategic, NewImage("v2")));
  w.Run(1min);
  ASSERT_EQ(w.ActivePods().size(), 1u);
  EXPECT_EQ(TextAt(w.ActivePods()[0], "spec.containers.0.image"), "v2");

  ASSERT_TRUE(w.cluster().Patch(
      {kube::resources::kNodes, "", "node"}, kube::PatchKind::kStrategic,
      R"({"spec":{"taints":[{"key":"dedicated","value":"x","effect":"NoSchedule"}]}})"));
  w.Run(1min);
  EXPECT_EQ(w.ActivePods().size(), 0u);
  set = w.cluster().Get(kSets, "default", "agent");
  EXPECT_EQ(Number(set, "status.desiredNumberScheduled"), 0);
}

// Whatever happens between the controllers and the server, each number has one pod.
TEST(StatefulSetTest, ComesToItsPodsThroughFaults) {
  testutil::ForEachSeed(20, [](std::uint64_t seed) {
    WorkloadCluster w({.seed = seed,
                       .faults = {.most_latency = 50ms,
                                  .refuse = 0.05,
                                  .lose_response = 0.05,
                                  .internal_error = 0.02,
                                  .cut_watch = 0.02,
                                  .compact_every = 2min}});
    w.cluster().Create(w.StatefulSet("db", 5));
    w.cluster().Create(w.DaemonSet("agent"));
    w.Run(20s);
    w.RestartRoles();
    w.Run(5min);
    EXPECT_EQ(w.ReadyPods(), 6);
    EXPECT_EQ(w.ActivePods().size(), 6u);
  });
}

}  // namespace
}  // namespace basalt::systemtest
