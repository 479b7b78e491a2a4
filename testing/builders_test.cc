#include "testing/builders.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "testing/realistic.h"

namespace basalt::testutil {
namespace {

TEST(BuildersTest, MakeAPod) {
  const PodBuilder pod = MakePod("a")
                             .Ns("ns")
                             .Cpu("500m")
                             .Gpu("1")
                             .Label("app.kubernetes.io/name", "web")
                             .Toleration("gpu", "", "NoSchedule");
  const json::value expected = json::parse(R"({
    "apiVersion": "v1", "kind": "Pod",
    "metadata": {"name": "a", "namespace": "ns", "labels": {"app.kubernetes.io/name": "web"}},
    "spec": {
      "schedulerName": "volcano",
      "containers": [{"name": "main", "image": "busybox", "resources": {
        "requests": {"cpu": "500m", "nvidia.com/gpu": "1"}, "limits": {"nvidia.com/gpu": "1"}}}],
      "tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]}})");
  EXPECT_EQ(json::value(pod.Json()), expected);
}

TEST(BuildersTest, MakeANodeAndAnythingElse) {
  const NodeBuilder node = MakeNode("n1").Cpu("4").Taint("a", "b", "NoExecute");
  EXPECT_EQ(TextAt(node.Json(), "status.allocatable.cpu"), "4");
  EXPECT_EQ(TextAt(node.Json(), "status.conditions.0.type"), "Ready");
  EXPECT_EQ(TextAt(node.Json(), "spec.taints.0.effect"), "NoExecute");
  EXPECT_EQ(TextAt(node.Json(), "metadata.namespace"), "");
  const AnyBuilder any = MakeObject(kube::resources::kDeployments, "web")
                             .Set("spec.replicas", 3)
                             .Owner(kube::resources::kNodes, "n", "u");
  EXPECT_EQ(*FindPath(any.Json(), "spec.replicas"), 3);
  EXPECT_EQ(TextAt(any.Json(), "apiVersion"), "apps/v1");
  EXPECT_EQ(TextAt(any.Json(), "metadata.ownerReferences.0.uid"), "u");
  EXPECT_EQ(FindPath(any.Json(), "metadata.ownerReferences.1.uid"), nullptr);
}

TEST(RealisticTest, ObjectsAreJsonOfARealSizeAndDiffer) {
  const RealisticObject pod = RealisticPod(7, 100);
  EXPECT_GT(pod.body.size() + pod.status_patch.size(), 4000u);
  EXPECT_EQ(TextAt(json::parse(pod.body), "spec.nodeName"), RealisticNode(7).name);
  EXPECT_EQ(TextAt(json::parse(pod.status_patch), "status.phase"), "Running");
  EXPECT_NE(pod.name, RealisticPod(8, 100).name);
  const RealisticObject node = RealisticNode(300);
  EXPECT_GT(node.body.size() + node.status_patch.size(), 4500u);
  EXPECT_NE(node.name, RealisticNode(44).name);
}

}  // namespace
}  // namespace basalt::testutil
