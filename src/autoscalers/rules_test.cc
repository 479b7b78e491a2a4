#include "autoscalers/rules.h"

#include <gtest/gtest.h>

namespace basalt::autoscalers {
namespace {

using View = ClusterAutoscalerView;

struct Row {
  const char* what;
  kube::ConditionStatus status = kube::ConditionStatus::kUnknown;
  const char* reason = "";
  const char* nominated = "";
  const char* node = "";
  bool deleting = false;
  int priority = 0;
  const char* owner_kind = "";
  View cluster_autoscaler;
  bool karpenter;
};

kube::Pod PodOf(const Row& row) {
  kube::Pod pod;
  pod.meta.name = "p";
  pod.spec.node_name = row.node;
  pod.spec.priority = row.priority;
  pod.status.nominated_node_name = row.nominated;
  if (row.deleting) pod.meta.deletion_timestamp = Time{};
  if (*row.reason) {
    pod.status.conditions.push_back(
        {.type = "PodScheduled", .status = row.status, .reason = row.reason});
  }
  if (*row.owner_kind) {
    pod.meta.owner_references.push_back({.api_version = "apps/v1", .kind = row.owner_kind});
  }
  return pod;
}

TEST(AutoscalerRulesTest, WhoGetsANewNode) {
  const auto kFalse = kube::ConditionStatus::kFalse;
  const Row rows[] = {
      {.what = "a pod that no scheduler has looked at",
       .cluster_autoscaler = View::kUnprocessed,
       .karpenter = false},
      {.what = "a gated pod",
       .status = kFalse,
       .reason = "SchedulingGated",
       .cluster_autoscaler = View::kUnprocessed,
       .karpenter = false},
      {.what = "a pod that fits nowhere",
       .status = kFalse,
       .reason = "Unschedulable",
       .cluster_autoscaler = View::kUnschedulable,
       .karpenter = true},
      {.what = "a pod that is promised a node",
       .status = kFalse,
       .reason = "Unschedulable",
       .nominated = "n1",
       .cluster_autoscaler = View::kPlaced,
       .karpenter = false},
      {.what = "a pod that is promised a node which is gone: only Karpenter waits",
       .status = kFalse,
       .reason = "Unschedulable",
       .nominated = "gone",
       .cluster_autoscaler = View::kUnschedulable,
       .karpenter = false},
      {.what = "a nomination alone is no placement for Cluster Autoscaler",
       .nominated = "n1",
       .cluster_autoscaler = View::kUnprocessed,
       .karpenter = false},
      {.what = "a bound pod",
       .status = kFalse,
       .reason = "Unschedulable",
       .node = "n1",
       .cluster_autoscaler = View::kScheduled,
       .karpenter = false},
      {.what = "a pod that is being deleted: Karpenter does not look",
       .status = kFalse,
       .reason = "Unschedulable",
       .deleting = true,
       .cluster_autoscaler = View::kDone,
       .karpenter = true},
      {.what = "a pod of very low priority",
       .status = kFalse,
       .reason = "Unschedulable",
       .priority = -11,
       .cluster_autoscaler = View::kExpendable,
       .karpenter = true},
      {.what = "a pod of a DaemonSet",
       .status = kFalse,
       .reason = "Unschedulable",
       .owner_kind = "DaemonSet",
       .cluster_autoscaler = View::kUnschedulable,
       .karpenter = false},
      {.what = "Karpenter reads the reason alone",
       .status = kube::ConditionStatus::kTrue,
       .reason = "Unschedulable",
       .cluster_autoscaler = View::kUnprocessed,
       .karpenter = true},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const kube::Pod pod = PodOf(row);
    EXPECT_EQ(SeenByClusterAutoscaler(pod, {"n1"}), row.cluster_autoscaler);
    EXPECT_EQ(KarpenterIsProvisionable(pod), row.karpenter);
  }
}

TEST(AutoscalerRulesTest, PromisedPodsCountOnTheirNode) {
  const std::vector<kube::Pod> pods = {
      PodOf(
          {.status = kube::ConditionStatus::kFalse, .reason = "Unschedulable", .nominated = "n1"}),
      PodOf({.status = kube::ConditionStatus::kFalse, .reason = "Unschedulable"})};
  EXPECT_EQ(ClusterAutoscalerCountsOn("n1", pods, {"n1"}).size(), 1u);
  EXPECT_EQ(ClusterAutoscalerWants(pods, {"n1"}).size(), 1u);
}

}  // namespace
}  // namespace basalt::autoscalers
