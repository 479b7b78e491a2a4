#include "descheduler/migration/bodies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "kube/types/codec.h"
#include "kube/types/reservation.h"

namespace basalt::descheduler {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

constexpr std::string_view kPod = R"({
  "metadata": {"name": "web-1", "namespace": "a", "uid": "u1", "labels": {"app": "web"},
    "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web",
                         "uid": "rs1", "controller": true}]},
  "spec": {"schedulerName": "volcano", "nodeName": "n1", "priority": 0,
    "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists",
                     "effect": "NoExecute", "tolerationSeconds": 300}],
    "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}},
      "volumeMounts": [{"name": "kube-api-access-x", "mountPath": "/x"}]}],
    "volumes": [{"name": "kube-api-access-x"}]}})";

const ReservationOfMove kMove{.name = "migration-p-0",
                              .plan = "p",
                              .descheduler = "volcano-system",
                              .queue = "q",
                              .target = "n2",
                              .ttl = 600s};

TEST(BodiesTest, AReservationHoldsOnePlaceOnTheTargetForThePodsController) {
  const Result<json::object> made = ReservationBody(json::parse(kPod).as_object(), kMove);
  ASSERT_TRUE(made);
  EXPECT_EQ(json::value(*made), json::parse(R"({
    "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Reservation",
    "metadata": {"name": "migration-p-0", "namespace": "a", "labels": {
      "basalt.sh/migration": "p", "basalt.sh/migrating-pod": "u1",
      "basalt.sh/descheduler": "volcano-system"}},
    "spec": {"schedulerName": "volcano", "minAvailable": 1, "queue": "q", "ttl": "600s",
      "owners": [{"object": {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web",
                             "uid": "rs1"}}],
      "tasks": [{"name": "pod", "replicas": 1, "reservationNodeNames": ["n2"],
        "reservationNodePolicy": "Required",
        "template": {"metadata": {"labels": {"app": "web"}},
          "spec": {"schedulerName": "volcano", "containers": [{"name": "c", "image": "i",
            "resources": {"requests": {"cpu": "1"}}}]}}}]}})"))
      << json::serialize(*made);
  EXPECT_TRUE(kube::Decode<kube::Reservation>(json::serialize(*made)));
  EXPECT_TRUE(IsReservationOfMove(*made, kMove, "u1"));
  EXPECT_FALSE(IsReservationOfMove(*made, kMove, "u2"));
  EXPECT_FALSE(IsReservationOfMove({}, kMove, "u1"));
}

TEST(BodiesTest, APodThatNobodyWouldReplaceHasNone) {
  json::object pod = json::parse(kPod).as_object();
  pod["metadata"].as_object().erase("ownerReferences");
  EXPECT_FALSE(ReservationBody(pod, kMove));
}

TEST(BodiesTest, ATaintIsAddedBesideOthersAndTakenFromAmongThem) {
  kube::Node node;
  node.meta.resource_version = "7";
  EXPECT_EQ(json::parse(*TaintPatch(node, "p")), json::parse(R"([
    {"op": "test", "path": "/metadata/resourceVersion", "value": "7"},
    {"op": "add", "path": "/spec/taints", "value": [
      {"key": "basalt.sh/defragmentation", "value": "p", "effect": "NoSchedule"}]}])"));
  EXPECT_FALSE(UntaintPatch(node, "p"));
  node.spec.taints = {{.key = "x", .value = "y"}};
  EXPECT_THAT(*TaintPatch(node, "p"), HasSubstr("/spec/taints/-"));
  node.spec.taints.push_back({.key = "basalt.sh/defragmentation", .value = "p"});
  EXPECT_FALSE(TaintPatch(node, "p"));
  EXPECT_FALSE(TaintPatch(node, "another")) << "the node is emptied already";
  EXPECT_FALSE(UntaintPatch(node, "another"));
  EXPECT_EQ(TaintingPlan(node), "p");
  EXPECT_EQ(json::parse(*UntaintPatch(node, "p")), json::parse(R"([
    {"op": "test", "path": "/spec/taints/1/key", "value": "basalt.sh/defragmentation"},
    {"op": "test", "path": "/spec/taints/1/value", "value": "p"},
    {"op": "remove", "path": "/spec/taints/1"}])"));
}

TEST(BodiesTest, AnEvictionIsOfThePodThatWasMeant) {
  EXPECT_EQ(json::parse(EvictionBody("a", "web-1", "u1", -1)), json::parse(R"({
    "apiVersion": "policy/v1", "kind": "Eviction",
    "metadata": {"name": "web-1", "namespace": "a"},
    "deleteOptions": {"preconditions": {"uid": "u1"}}})"));
  EXPECT_THAT(EvictionBody("a", "web-1", "u1", 5), HasSubstr(R"("gracePeriodSeconds":5)"));
}

TEST(BodiesTest, ACoolDownIsATime) {
  EXPECT_EQ(CoolDownPatch("x/cool-down-until", Time{} + 90s),
            R"({"metadata":{"annotations":{"x/cool-down-until":"1970-01-01T00:01:30Z"}}})");
}

}  // namespace
}  // namespace basalt::descheduler
