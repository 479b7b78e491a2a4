// Who may be moved at all: DefaultEvictor's arguments, budgets, schedulers, namespaces.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "descheduler/planner/planner_test_util.h"

namespace basalt::descheduler {
namespace {

struct Case {
  std::string what;
  std::function<void(PlanCluster&, kube::Pod&)> change;
  std::string reason;  // "": it goes
};

void ExpectReason(const Case& each) {
  PlanCluster cluster;
  cluster.Node("a").Node("t").Pod("t1", "t", "7");
  kube::Pod pod = PlanCluster::PodOf("a1", "a", "1");
  each.change(cluster, pod);
  cluster.Add(pod);
  const Plan plan = cluster.Make();
  EXPECT_EQ(BlockedOf(plan), each.reason.empty() ? "" : "a/a1 " + each.reason) << each.what;
  EXPECT_EQ(MovesOf(plan), each.reason.empty() ? "a1: a -> t" : "") << each.what;
  for (const Blocked& blocked : plan.blocked) EXPECT_NE(blocked.message, "") << each.what;
}

void AddVolume(kube::Pod& pod, kube::Volume::Kind kind, std::string source = "") {
  pod.spec.volumes.push_back({.name = "v", .kind = kind, .source = std::move(source)});
}
DefaultEvictorArgs& EvictorOf(PlanCluster& cluster) { return cluster.profile().evictor; }

constexpr std::string_view kEvict = "descheduler.alpha.kubernetes.io/evict";
constexpr std::string_view kPreferNot = "descheduler.alpha.kubernetes.io/prefer-no-eviction";

TEST(EvictionRulesTest, EachArgumentKeepsThePodsThatItNames) {
  using Kind = kube::Volume::Kind;
  const Case kCases[] = {
      {"nothing", [](auto&, auto&) {}, ""},
      {"another scheduler", [](auto&, auto& pod) { pod.spec.scheduler_name = "default-scheduler"; },
       "OtherScheduler"},
      {"another scheduler that is asked for",
       [](auto& cluster, auto& pod) {
         pod.spec.scheduler_name = "mine";
         cluster.request.scheduler_names = {"volcano", "mine"};
       },
       ""},
      {"no owner", [](auto&, auto& pod) { pod.meta.owner_references.clear(); }, "Bare"},
      {"an owner that is no controller",
       [](auto&, auto& pod) { pod.meta.owner_references[0].controller = false; }, "Bare"},
      {"no owner, and the annotation",
       [](auto&, auto& pod) {
         pod.meta.owner_references.clear();
         pod.meta.annotations.Set(kEvict, "true");
       },
       "Bare"},
      {"emptyDir", [](auto&, auto& pod) { AddVolume(pod, Kind::kEmptyDir); }, "LocalStorage"},
      {"hostPath", [](auto&, auto& pod) { AddVolume(pod, Kind::kHostPath); }, "LocalStorage"},
      {"emptyDir, and the annotation",
       [](auto&, auto& pod) {
         AddVolume(pod, Kind::kEmptyDir);
         pod.meta.annotations.Set(kEvict, "");
       },
       ""},
      {"emptyDir, and no protection",
       [](auto& cluster, auto& pod) {
         AddVolume(pod, Kind::kEmptyDir);
         EvictorOf(cluster).protections.local_storage = false;
       },
       ""},
      {"critical", [](auto&, auto& pod) { pod.spec.priority = 2'000'000'000; }, "SystemCritical"},
      {"critical, and no protection",
       [](auto& cluster, auto& pod) {
         pod.spec.priority = 2'000'001'000;
         EvictorOf(cluster).protections.system_critical = false;
       },
       ""},
      {"at the threshold",
       [](auto& cluster, auto& pod) {
         pod.spec.priority = 10'000;
         EvictorOf(cluster).priority_threshold.value = 10'000;
       },
       "PriorityThreshold"},
      {"below the threshold",
       [](auto& cluster, auto& pod) {
         pod.spec.priority = 9'999;
         EvictorOf(cluster).priority_threshold.value = 10'000;
       },
       ""},
      {"above the threshold, and no protection of critical pods",
       [](auto& cluster, auto& pod) {
         pod.spec.priority = 10'001;
         EvictorOf(cluster).priority_threshold.value = 10'000;
         EvictorOf(cluster).protections.system_critical = false;
       },
       ""},
      {"at a class",
       [](auto& cluster, auto& pod) {
         pod.spec.priority = 500;
         auto high = std::make_shared<kube::PriorityClass>();
         high->meta.name = "high";
         high->value = 500;
         cluster.objects.cluster.mutable_objects().priority_classes.Set(std::move(high));
         EvictorOf(cluster).priority_threshold.name = "high";
       },
       "PriorityThreshold"},
      {"a class that is not there",
       [](auto& cluster, auto& pod) {
         pod.spec.priority = 500;
         EvictorOf(cluster).priority_threshold.name = "gone";
       },
       "PriorityThreshold"},
      {"labels that are not selected",
       [](auto& cluster, auto&) {
         EvictorOf(cluster).label_selector = *kube::LabelSelector::Parse("app=other");
       },
       "LabelSelector"},
      {"labels that the plugin does not select",
       [](auto& cluster, auto&) {
         cluster.args().label_selector = *kube::LabelSelector::Parse("app=other");
       },
       "LabelSelector"},
      {"labels that are not selected, and the annotation",
       [](auto& cluster, auto& pod) {
         cluster.args().label_selector = *kube::LabelSelector::Parse("app=other");
         pod.meta.annotations.Set(kEvict, "");
       },
       "LabelSelector"},
      {"a namespace that is left alone",
       [](auto& cluster, auto&) { cluster.args().evictable_namespaces.exclude = {"ns"}; },
       "Namespace"},
      {"another namespace that is included",
       [](auto& cluster, auto&) { cluster.args().evictable_namespaces.include = {"other"}; },
       "Namespace"},
      {"a namespace whose labels are not selected",
       [](auto& cluster, auto&) {
         auto ns = std::make_shared<kube::Namespace>();
         ns->meta.name = "ns";
         ns->meta.labels.Set("team", "a");
         cluster.objects.cluster.mutable_objects().namespaces.Set(std::move(ns));
         EvictorOf(cluster).namespace_label_selector = *kube::LabelSelector::Parse("team=b");
       },
       "Namespace"},
      {"the same, and the evictor is no filter there",
       [](auto& cluster, auto&) {
         EvictorOf(cluster).namespace_label_selector = *kube::LabelSelector::Parse("team=b");
         cluster.profile().evictor_prefilters = false;
       },
       ""},
      {"too few replicas", [](auto& cluster, auto&) { EvictorOf(cluster).min_replicas = 2; },
       "MinReplicas"},
      {"enough replicas",
       [](auto& cluster, auto& pod) {
         EvictorOf(cluster).min_replicas = 2;
         kube::Pod other = PlanCluster::PodOf("t2", "t", "100m");
         other.meta.owner_references = pod.meta.owner_references;
         cluster.Add(other);
       },
       ""},
      {"ten thousand owners",
       [](auto& cluster, auto& pod) {
         EvictorOf(cluster).min_replicas = 2;
         for (int i = 0; i < 10'000; ++i) {
           pod.meta.owner_references.push_back({.kind = "Thing", .uid = std::to_string(i)});
         }
       },
       ""},
      {"too young",
       [](auto& cluster, auto&) { EvictorOf(cluster).min_pod_age = std::chrono::hours(2); },
       "MinPodAge"},
      {"old enough",
       [](auto& cluster, auto&) { EvictorOf(cluster).min_pod_age = std::chrono::hours(1); }, ""},
      {"not started",
       [](auto& cluster, auto& pod) {
         pod.status.start_time.reset();
         EvictorOf(cluster).min_pod_age = std::chrono::seconds(0);
       },
       "MinPodAge"},
      {"a wish not to be evicted",
       [](auto&, auto& pod) { pod.meta.annotations.Set(kPreferNot, ""); }, ""},
      {"a wish not to be evicted that counts",
       [](auto& cluster, auto& pod) {
         pod.meta.annotations.Set(kPreferNot, "");
         EvictorOf(cluster).no_eviction_policy = NoEvictionPolicy::kMandatory;
       },
       "NoEviction"},
      {"a claim, and pods with claims are left alone",
       [](auto& cluster, auto& pod) {
         AddVolume(pod, Kind::kPersistentVolumeClaim, "data");
         EvictorOf(cluster).protections.with_pvc = true;
       },
       "PersistentVolumeClaim"},
      {"a claim of a class that is protected",
       [](auto& cluster, auto& pod) {
         AddVolume(pod, Kind::kPersistentVolumeClaim, "data");
         auto claim = std::make_shared<kube::PersistentVolumeClaim>();
         claim->meta.ns = "ns";
         claim->meta.name = "data";
         claim->storage_class_name = "fast";
         cluster.objects.cluster.mutable_objects().volume_claims.Set(std::move(claim));
         EvictorOf(cluster).protections.with_pvc = true;
         EvictorOf(cluster).protections.protected_storage_classes = {"slow", "fast"};
       },
       "PersistentVolumeClaim"},
      {"no budget, and pods without are left alone",
       [](auto& cluster, auto&) { EvictorOf(cluster).protections.without_pdb = true; },
       "PodDisruptionBudget"},
      {"a budget that allows one",
       [](auto& cluster, auto&) {
         EvictorOf(cluster).protections.without_pdb = true;
         cluster.Budget("a1", 1);
       },
       ""},
      {"a budget that allows none", [](auto& cluster, auto&) { cluster.Budget("a1", 0); },
       "PodDisruptionBudget"},
      {"a budget that allows none, and the annotation",
       [](auto& cluster, auto& pod) {
         cluster.Budget("a1", 0);
         pod.meta.annotations.Set(kEvict, "");
       },
       "PodDisruptionBudget"},
      {"a budget of others", [](auto& cluster, auto&) { cluster.Budget("t1", 0); }, ""},
      {"the evictor is no filter",
       [](auto& cluster, auto& pod) {
         AddVolume(pod, Kind::kEmptyDir);
         cluster.profile().evictor_filters = false;
       },
       ""},
      {"the evictor is no filter, and no owner",
       [](auto& cluster, auto& pod) {
         pod.meta.owner_references.clear();
         cluster.profile().evictor_filters = false;
       },
       "Bare"},
      {"targets that the evictor does not select",
       [](auto& cluster, auto&) {
         EvictorOf(cluster).node_selector = *kube::LabelSelector::Parse("pool=batch");
       },
       "NoTarget"},
  };
  for (const Case& each : kCases) ExpectReason(each);
}

// Budgets are asked again at each eviction: that several pods of one go is no matter for the plan.
TEST(EvictionRulesTest, ABudgetThatAllowsOneLetsAllGoOneAfterTheOther) {
  PlanCluster cluster;
  cluster.Node("a").Node("t").Pod("t1", "t", "7").Budget("web", 1);
  for (const std::string name : {"a1", "a2"}) {
    kube::Pod pod = PlanCluster::PodOf(name, "a", "500m");
    pod.meta.labels.Set("app", "web");
    cluster.Add(pod);
  }
  EXPECT_EQ(MovesOf(cluster.Make()), "a1: a -> t; a2: a -> t");
}

}  // namespace
}  // namespace basalt::descheduler
