#include <gtest/gtest.h>

#include "apiserver/admission/admission.h"
#include "apiserver/server_test_util.h"

// What the server itself asks of a write and adds to it, whoever sends it.
namespace basalt::apiserver {
namespace {

const std::string kAdmittedPods = "/api/v1/namespaces/default/pods";
const std::string kClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";
const std::string kClaims = "/api/v1/namespaces/default/persistentvolumeclaims";
const std::string kServices = "/api/v1/namespaces/default/services";

std::string AdmittedPod(const std::string& name, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name +
         R"("},"spec":{"containers":[{"name":"c","image":"x"}])" + more + "}}";
}

std::string ClaimText(const std::string& name, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{"accessModes":["ReadWriteOnce"],
         "resources":{"requests":{"storage":"1Gi"}})" +
         more + "}}";
}

TEST(BuiltinStepsTest, APodGetsThePriorityOfItsClass) {
  TestServer server;
  ASSERT_EQ(server.Post(kClasses, R"({"metadata":{"name":"high"},"value":7})").status, 201);
  const Answer pod = server.Post(kAdmittedPods, AdmittedPod("a", R"(,"priorityClassName":"high")"));
  EXPECT_EQ(pod.At("spec.priority"), "7");
  EXPECT_EQ(pod.At("spec.preemptionPolicy"), "PreemptLowerPriority");
  EXPECT_EQ(server.Post(kAdmittedPods, AdmittedPod("b")).At("spec.priority"), "0");
  for (const char* refused : {R"(,"priorityClassName":"none")", R"(,"priority":3)",
                              R"(,"priorityClassName":"high","preemptionPolicy":"Never")"}) {
    EXPECT_EQ(server.Post(kAdmittedPods, AdmittedPod("c", refused)).status, 403) << refused;
  }
}

TEST(BuiltinStepsTest, TheDefaultClassIsForPodsThatNameNoneAndThereIsOne) {
  TestServer server;
  ASSERT_EQ(server.Post(kClasses, R"({"metadata":{"name":"usual"},"value":5,"globalDefault":true})")
                .status,
            201);
  const Answer pod = server.Post(kAdmittedPods, AdmittedPod("a"));
  EXPECT_EQ(pod.At("spec.priorityClassName"), "usual");
  EXPECT_EQ(pod.At("spec.priority"), "5");
  EXPECT_EQ(server.Post(kClasses, R"({"metadata":{"name":"other"},"value":1,"globalDefault":true})")
                .status,
            403);
  EXPECT_EQ(server.Delete(kClasses + "/system-node-critical").status, 403);
  EXPECT_EQ(server.Delete(kClasses + "/usual").status, 200);
}

TEST(BuiltinStepsTest, APodOutlivesFiveMinutesOfItsNodesAbsenceUnlessItSaysOtherwise) {
  TestServer server;
  const Answer pod = server.Post(kAdmittedPods, AdmittedPod("a"));
  EXPECT_EQ(pod.At("spec.tolerations.0.key"), "node.kubernetes.io/not-ready");
  EXPECT_EQ(pod.At("spec.tolerations.1.key"), "node.kubernetes.io/unreachable");
  EXPECT_EQ(pod.At("spec.tolerations.1.tolerationSeconds"), "300");
  const Answer patient =
      server.Post(kAdmittedPods, AdmittedPod("b", R"(,"tolerations":[{"operator":"Exists"}])"));
  EXPECT_EQ(patient.At("spec.tolerations.1"), "");
}

TEST(BuiltinStepsTest, APodOnANodeCarriesTheNodesPlace) {
  TestServer server;
  ASSERT_EQ(server
                .Post("/api/v1/nodes", R"({"metadata":{"name":"n","labels":{
                  "topology.kubernetes.io/zone":"z","other":"o"}}})")
                .status,
            201);
  const Answer pod = server.Post(kAdmittedPods, AdmittedPod("a", R"(,"nodeName":"n")"));
  EXPECT_EQ(boost::json::serialize(pod.json.at("metadata").at("labels")),
            R"({"topology.kubernetes.io/zone":"z"})");
  ASSERT_EQ(server.Post(kAdmittedPods, AdmittedPod("b")).status, 201);
  ASSERT_EQ(server
                .Post(kAdmittedPods + "/b/binding",
                      R"({"metadata":{"name":"b"},"target":{"kind":"Node","name":"n"}})")
                .status,
            201);
  const Answer bound = server.Get(kAdmittedPods + "/b");
  EXPECT_EQ(bound.json.at("metadata").at("labels").at("topology.kubernetes.io/zone"), "z");
}

TEST(BuiltinStepsTest, RuntimeClassesAreNotRun) {
  TestServer server;
  EXPECT_EQ(server.Post(kAdmittedPods, AdmittedPod("a", R"(,"runtimeClassName":"r")")).status, 403);
  EXPECT_EQ(server.Post(kAdmittedPods, AdmittedPod("a", R"(,"overhead":{"cpu":"1"})")).status, 403);
}

TEST(BuiltinStepsTest, NothingIsMadeInANamespaceThatIsNotThereOrGoes) {
  TestServer server;
  const Answer missing = server.Post("/api/v1/namespaces/none/pods", AdmittedPod("a"));
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.At("details.kind"), "namespaces");
  ASSERT_EQ(server.Post("/api/v1/namespaces", R"({"metadata":{"name":"n"}})").status, 201);
  ASSERT_EQ(server
                .Post("/api/v1/namespaces/n/configmaps",
                      R"({"metadata":{"name":"a","finalizers":["a.b/c"]}})")
                .status,
            201);
  ASSERT_EQ(server.Delete("/api/v1/namespaces/n").status, 200);
  const Answer going =
      server.Post("/api/v1/namespaces/n/configmaps", R"({"metadata":{"name":"b"}})");
  EXPECT_EQ(going.status, 403);
  EXPECT_EQ(going.At("details.causes.0.reason"), "NamespaceTerminating");
  EXPECT_EQ(server.Delete("/api/v1/namespaces/default").status, 403);
}

TEST(BuiltinStepsTest, AClaimGetsTheNewestDefaultClassAndIsProtected) {
  TestServer server;
  const std::string classes = "/apis/storage.k8s.io/v1/storageclasses";
  const Answer plain = server.Post(kClaims, ClaimText("plain"));
  EXPECT_EQ(plain.At("spec.storageClassName"), "");
  EXPECT_EQ(plain.At("metadata.finalizers.0"), "kubernetes.io/pvc-protection");
  for (const char* name : {"old", "new"}) {
    ASSERT_EQ(server
                  .Post(classes, R"({"metadata":{"name":")" + std::string(name) +
                                     R"(","annotations":{
                  "storageclass.kubernetes.io/is-default-class":"true"}},"provisioner":"p"})")
                  .status,
              201);
    server.loop().RunFor(5s);
  }
  EXPECT_EQ(server.Post(kClaims, ClaimText("a")).At("spec.storageClassName"), "new");
  EXPECT_EQ(server.Post(kClaims, ClaimText("b", R"(,"storageClassName":"old")"))
                .At("spec.storageClassName"),
            "old");
}

TEST(BuiltinStepsTest, EveryServiceGetsAnAddressOfItsOwn) {
  TestServer server;
  const auto make = [&](const std::string& name, const std::string& more) {
    return server.Post(kServices, R"({"metadata":{"name":")" + name + R"("},"spec":{)" + more +
                                      R"("ports":[{"port":80}]}})");
  };
  const Answer one = make("one", "");
  const Answer two = make("two", "");
  EXPECT_FALSE(one.At("spec.clusterIP").empty());
  EXPECT_EQ(one.At("spec.clusterIPs.0"), one.At("spec.clusterIP"));
  EXPECT_NE(one.At("spec.clusterIP"), two.At("spec.clusterIP"));
  EXPECT_EQ(make("headless", R"("clusterIP":"None",)").At("spec.clusterIP"), "None");
  EXPECT_EQ(make("outside", R"("type":"ExternalName","externalName":"e",)").At("spec.clusterIP"),
            "");
}

}  // namespace
}  // namespace basalt::apiserver
