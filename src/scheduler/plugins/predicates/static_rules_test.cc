// What a node's object alone says about who may run there.
#include "scheduler/plugins/predicates/static_rules.h"

#include <gtest/gtest.h>

#include "scheduler/plugins/predicates/one_pod_claims.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::TestCluster;

kube::Pod Tolerating(std::initializer_list<const char*> keys) {
  kube::Pod pod = MakePod("p", "", {});
  for (const char* key : keys) {
    kube::Toleration toleration;
    toleration.key = key;
    toleration.op = kube::Toleration::Operator::kExists;
    pod.spec.tolerations.push_back(std::move(toleration));
  }
  return pod;
}

struct ConditionRow {
  const char* type;
  kube::ConditionStatus status;
  const char* taint;  // what a pod must tolerate to run there all the same
  const char* why;    // "": nothing is wrong
};

class NodeConditionTest : public testing::TestWithParam<ConditionRow> {};

TEST_P(NodeConditionTest, KeepsAwayPodsThatDoNotTolerateIt) {
  kube::Node node = MakeNode("n", {});
  node.status.conditions.push_back({.type = GetParam().type, .status = GetParam().status});
  EXPECT_EQ(CheckConditions(Tolerating({}), node).reason, GetParam().why);
  EXPECT_EQ(CheckConditions(Tolerating({"another"}), node).reason, GetParam().why);
  EXPECT_TRUE(CheckConditions(Tolerating({GetParam().taint}), node).ok());
}

using ConditionIs = kube::ConditionStatus;
INSTANTIATE_TEST_SUITE_P(StaticRules, NodeConditionTest,
                         testing::ValuesIn<ConditionRow>({
                             {"Ready", ConditionIs::kTrue, "x", ""},
                             {"Ready", ConditionIs::kFalse, "node.kubernetes.io/not-ready",
                              "node(s) were not ready"},
                             {"Ready", ConditionIs::kUnknown, "node.kubernetes.io/unreachable",
                              "node(s) were unreachable"},
                             {"MemoryPressure", ConditionIs::kTrue,
                              "node.kubernetes.io/memory-pressure", "node(s) had memory pressure"},
                             {"MemoryPressure", ConditionIs::kFalse, "x", ""},
                             {"DiskPressure", ConditionIs::kTrue,
                              "node.kubernetes.io/disk-pressure", "node(s) had disk pressure"},
                             {"DiskPressure", ConditionIs::kUnknown, "x", ""},
                             {"PIDPressure", ConditionIs::kTrue, "node.kubernetes.io/pid-pressure",
                              "node(s) had PID pressure"},
                             {"NetworkUnavailable", ConditionIs::kTrue,
                              "node.kubernetes.io/network-unavailable", "node(s) had no network"},
                             {"SomethingElse", ConditionIs::kTrue, "x", ""},
                         }));

TEST(StaticRulesTest, EachBadConditionMustBeTolerated) {
  kube::Node node = MakeNode("n", {});
  node.status.conditions.push_back({.type = "DiskPressure", .status = ConditionIs::kTrue});
  node.status.conditions.push_back({.type = "PIDPressure", .status = ConditionIs::kTrue});
  EXPECT_EQ(CheckConditions(Tolerating({"node.kubernetes.io/disk-pressure"}), node).reason,
            "node(s) had PID pressure");
}

TEST(StaticRulesTest, ACordonedNodeTakesThoseThatTolerateThat) {
  kube::Node node = MakeNode("n", {});
  EXPECT_TRUE(CheckUnschedulable(Tolerating({}), node).ok());
  node.spec.unschedulable = true;
  EXPECT_FALSE(CheckUnschedulable(Tolerating({}), node).ok());
  EXPECT_TRUE(CheckUnschedulable(Tolerating({"node.kubernetes.io/unschedulable"}), node).ok());
}

TEST(StaticRulesTest, TheFirstTaintThatKeepsAPodAwayIsNamed) {
  kube::Node node = MakeNode("n", {});
  node.spec.taints.push_back(
      {.key = "soft", .value = "1", .effect = kube::TaintEffect::kPreferNoSchedule});
  Reasons reasons;
  EXPECT_TRUE(CheckTaints(Tolerating({}), node, reasons).ok()) << "it is but a wish";
  node.spec.taints.push_back({.key = "a", .value = "1", .effect = kube::TaintEffect::kNoSchedule});
  node.spec.taints.push_back({.key = "b", .value = "2", .effect = kube::TaintEffect::kNoExecute});
  EXPECT_EQ(CheckTaints(Tolerating({}), node, reasons).reason,
            "node(s) had untolerated taint {a: 1}");
  EXPECT_EQ(CheckTaints(Tolerating({"a"}), node, reasons).reason,
            "node(s) had untolerated taint {b: 2}");
  EXPECT_TRUE(CheckTaints(Tolerating({"a", "b"}), node, reasons).ok());
}

TEST(StaticRulesTest, ANodeHasEveryLabelThatAPodSelects) {
  kube::Node node = MakeNode("n", {});
  node.meta.labels.Set("zone", "a");
  node.meta.labels.Set("disk", "ssd");
  kube::Pod pod = MakePod("p", "", {});
  EXPECT_TRUE(MatchesNodeRules(pod, node));
  pod.spec.node_selector.Set("zone", "a");
  EXPECT_TRUE(MatchesNodeSelector(pod, node));
  pod.spec.node_selector.Set("disk", "hdd");
  EXPECT_FALSE(MatchesNodeSelector(pod, node));
  EXPECT_FALSE(MatchesNodeRules(pod, node));
  pod.spec.node_selector.Set("disk", "ssd");
  EXPECT_TRUE(MatchesNodeRules(pod, node));
  pod.spec.node_selector.Set("gpu", "");
  EXPECT_FALSE(MatchesNodeSelector(pod, node)) << "no label is not an empty one";
}

// ---- claims that one pod at a time may use

class OnePodClaimsTest : public testing::Test {
 protected:
  OnePodClaimsTest() {
    given_.Add(MakeNode("n1", {{"cpu", "8"}}));
    for (const char* name : {"alone", "shared"}) {
      kube::PersistentVolumeClaim claim;
      claim.meta.ns = "ns";
      claim.meta.name = name;
      claim.access_modes = {name == std::string_view("alone") ? "ReadWriteOncePod"
                                                              : "ReadWriteOnce"};
      given_.cluster.mutable_objects().volume_claims.Set(
          std::make_shared<const kube::PersistentVolumeClaim>(std::move(claim)));
    }
    Add("a", {"alone", "alone"});
    Add("b", {"alone"});
    Add("c", {"shared"});
    claims_.Open(given_.cluster);
  }
  void Add(const char* name, std::initializer_list<const char*> claims) {
    kube::Pod pod = MakePod(name, "", {{"cpu", "1"}});
    for (const char* claim : claims) {
      pod.spec.volumes.push_back(
          {.name = claim, .kind = kube::Volume::Kind::kPersistentVolumeClaim, .source = claim});
    }
    given_.Add(std::move(pod));
  }
  void Place(const char* name, bool there) {
    const model::Task& task = given_.task(name);
    const model::Holding from = task.holding;
    given_.cluster.Move(task.id, there ? model::Holding{.status = model::TaskStatus::kAllocated,
                                                        .node = given_.node("n1").id}
                                       : model::Holding{});
    claims_.TaskMoved(task, from);
  }
  bool May(const char* name) { return claims_.Check(given_.task(name)).ok(); }

  TestCluster given_;
  OnePodClaims claims_;
};

TEST_F(OnePodClaimsTest, AreUsedByOneAtATimeWhereverItIs) {
  EXPECT_TRUE(May("a"));
  EXPECT_TRUE(May("b"));
  Place("a", true);
  EXPECT_TRUE(May("a")) << "it is not in its own way, though it mounts it twice";
  EXPECT_FALSE(May("b"));
  EXPECT_TRUE(May("c"));
  Place("a", false);
  EXPECT_TRUE(May("b"));
  Place("b", true);
  EXPECT_FALSE(May("a"));
}

TEST_F(OnePodClaimsTest, WhoUsedThemBeforeTheSessionIsKnownWhenItIsAsked) {
  Place("a", true);
  claims_.Open(given_.cluster);
  EXPECT_FALSE(May("b"));
  EXPECT_TRUE(May("a"));
}

TEST_F(OnePodClaimsTest, OnesThatAreForManyConcernNobody) {
  EXPECT_TRUE(claims_.Concern(given_.task("a")));
  EXPECT_FALSE(claims_.Concern(given_.task("c")));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
