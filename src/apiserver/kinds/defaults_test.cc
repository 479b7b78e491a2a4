#include <gtest/gtest.h>

#include "apiserver/kinds/kinds_test_util.h"

// What is filled into objects where nobody says.
namespace basalt::apiserver {
namespace {

struct Filled {
  const char* kind;
  const char* change;  // of the least that the kind takes
  const char* pointer;
  const char* value;  // empty: nothing is there
};

void ExpectFilled(std::initializer_list<Filled> rows) {
  for (const Filled& row : rows) {
    EXPECT_EQ(At(Created(row.kind, row.change), row.pointer), row.value)
        << row.kind << " " << row.change << " " << row.pointer;
  }
}

TEST(DefaultsTest, Pods) {
  ExpectFilled({
      {"pods", "{}", "/spec/restartPolicy", R"("Always")"},
      {"pods", "{}", "/spec/dnsPolicy", R"("ClusterFirst")"},
      {"pods", "{}", "/spec/terminationGracePeriodSeconds", "30"},
      {"pods", R"({"spec":{"terminationGracePeriodSeconds":0}})",
       "/spec/terminationGracePeriodSeconds", "0"},
      {"pods", R"({"spec":{"terminationGracePeriodSeconds":-5}})",
       "/spec/terminationGracePeriodSeconds", "1"},
      {"pods", "{}", "/spec/schedulerName", R"("default-scheduler")"},
      {"pods", "{}", "/spec/securityContext", "{}"},
      {"pods", "{}", "/spec/enableServiceLinks", "true"},
      {"pods", R"({"spec":{"serviceAccountName":"a"}})", "/spec/serviceAccount", R"("a")"},
      {"pods", R"({"spec":{"serviceAccount":"a"}})", "/spec/serviceAccountName", R"("a")"},
      {"pods", "{}", "/metadata/generation", "1"},
      {"pods", R"({"status":{"phase":"Running"}})", "/status/phase", R"("Pending")"},
      {"pods", R"({"spec":{"schedulingGates":[{"name":"g"}]}})", "/status/conditions/0/reason",
       R"("SchedulingGated")"},
  });
}

TEST(DefaultsTest, Containers) {
  ExpectFilled({
      {"pods", "{}", "/spec/containers/0/imagePullPolicy", R"("Always")"},
      {"pods", R"({"spec":{"containers":{"0":{"image":"h:5000/x"}}}})",
       "/spec/containers/0/imagePullPolicy", R"("Always")"},
      {"pods", R"({"spec":{"containers":{"0":{"image":"x:1"}}}})",
       "/spec/containers/0/imagePullPolicy", R"("IfNotPresent")"},
      {"pods", R"({"spec":{"containers":{"0":{"image":"x@sha256:1"}}}})",
       "/spec/containers/0/imagePullPolicy", R"("IfNotPresent")"},
      {"pods", "{}", "/spec/containers/0/terminationMessagePolicy", R"("File")"},
      {"pods", R"({"spec":{"containers":{"0":{"ports":[{"containerPort":1}]}}}})",
       "/spec/containers/0/ports/0", R"({"containerPort":1,"protocol":"TCP"})"},
      {"pods",
       R"({"spec":{"hostNetwork":true,"containers":{"0":{"ports":[{"containerPort":1}]}}}})",
       "/spec/containers/0/ports/0/hostPort", "1"},
      {"pods", R"({"spec":{"containers":{"0":{"resources":{"limits":{"cpu":1}}}}}})",
       "/spec/containers/0/resources/requests", R"({"cpu":"1"})"},
      {"deployments",
       R"({"spec":{"template":{"spec":{"containers":{"0":{"resources":{"limits":{"cpu":1}}}}}}}})",
       "/spec/template/spec/containers/0/resources/requests", ""},
      {"pods", R"({"spec":{"containers":{"0":{"livenessProbe":{"httpGet":{"port":1}}}}}})",
       "/spec/containers/0/livenessProbe/httpGet", R"({"port":1,"path":"/","scheme":"HTTP"})"},
      {"pods", R"({"spec":{"containers":{"0":{"livenessProbe":{"exec":{}}}}}})",
       "/spec/containers/0/livenessProbe/periodSeconds", "10"},
      {"pods",
       R"({"spec":{"containers":{"0":{"env":[{"name":"a","valueFrom":
         {"fieldRef":{"fieldPath":"metadata.name"}}}]}}}})",
       "/spec/containers/0/env/0/valueFrom/fieldRef/apiVersion", R"("v1")"},
  });
}

TEST(DefaultsTest, WhatKindOfServiceAPodGets) {
  ExpectFilled({
      {"pods", "{}", "/status/qosClass", R"("BestEffort")"},
      {"pods", R"({"spec":{"containers":{"0":{"resources":{"requests":{"cpu":1}}}}}})",
       "/status/qosClass", R"("Burstable")"},
      {"pods", R"({"spec":{"containers":{"0":{"resources":{"limits":{"cpu":1,"memory":1}}}}}})",
       "/status/qosClass", R"("Guaranteed")"},
      {"pods",
       R"({"spec":{"containers":{"0":{"resources":{"limits":{"cpu":2,"memory":1},
         "requests":{"cpu":1}}}}}})",
       "/status/qosClass", R"("Burstable")"},
  });
}

TEST(DefaultsTest, Volumes) {
  ExpectFilled({
      {"pods", R"({"spec":{"volumes":[{"name":"v"}]}})", "/spec/volumes/0/emptyDir", "{}"},
      {"pods", R"({"spec":{"volumes":[{"name":"v","secret":{"secretName":"s"}}]}})",
       "/spec/volumes/0/secret/defaultMode", "420"},
      {"pods", R"({"spec":{"volumes":[{"name":"v","hostPath":{"path":"/a"}}]}})",
       "/spec/volumes/0/hostPath/type", R"("")"},
      {"pods",
       R"({"spec":{"volumes":[{"name":"v","projected":{"sources":[
         {"serviceAccountToken":{"path":"t"}}]}}]}})",
       "/spec/volumes/0/projected/sources/0/serviceAccountToken/expirationSeconds", "3600"},
      {"pods",
       R"({"spec":{"volumes":[{"name":"v","ephemeral":{"volumeClaimTemplate":{"spec":{}}}}]}})",
       "/spec/volumes/0/ephemeral/volumeClaimTemplate/spec/volumeMode", R"("Filesystem")"},
      {"persistentvolumeclaims", "{}", "/status", R"({"phase":"Pending"})"},
      {"persistentvolumes", "{}", "/spec/persistentVolumeReclaimPolicy", R"("Retain")"},
      {"persistentvolumes", "{}", "/status/lastPhaseTransitionTime", R"("2026-01-01T00:00:00Z")"},
      {"storageclasses", "{}", "/volumeBindingMode", R"("Immediate")"},
      {"csidrivers", "{}", "/spec/volumeLifecycleModes", R"(["Persistent"])"},
      {"csidrivers", R"({"spec":{"attachRequired":false}})", "/spec/attachRequired", "false"},
  });
}

TEST(DefaultsTest, Workloads) {
  ExpectFilled({
      {"deployments", "{}", "/spec/replicas", "1"},
      {"deployments", R"({"spec":{"replicas":0}})", "/spec/replicas", "0"},
      {"deployments", "{}", "/spec/strategy",
       R"({"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}})"},
      {"deployments", R"({"spec":{"strategy":{"type":"Recreate"}}})", "/spec/strategy",
       R"({"type":"Recreate"})"},
      {"deployments", "{}", "/spec/template/spec/schedulerName", R"("default-scheduler")"},
      {"statefulsets", "{}", "/spec/updateStrategy/rollingUpdate/partition", "0"},
      {"statefulsets", R"({"spec":{"volumeClaimTemplates":[{"metadata":{"name":"v"}}]}})",
       "/spec/volumeClaimTemplates/0/kind", R"("PersistentVolumeClaim")"},
      {"statefulsets", R"({"spec":{"volumeClaimTemplates":[{"metadata":{"name":"v"}}]}})",
       "/spec/volumeClaimTemplates/0/status/phase", R"("Pending")"},
      {"daemonsets", "{}", "/spec/updateStrategy/rollingUpdate",
       R"({"maxUnavailable":1,"maxSurge":0})"},
      {"daemonsets", "{}", "/metadata/annotations/deprecated.daemonset.template.generation",
       R"("1")"},
      {"replicationcontrollers", "{}", "/spec/selector", R"({"app":"a"})"},
      {"jobs", "{}", "/spec/completions", "1"},
      {"jobs", R"({"spec":{"parallelism":2}})", "/spec/completions", ""},
      {"jobs", "{}", "/spec/backoffLimit", "6"},
      {"jobs", R"({"spec":{"backoffLimitPerIndex":1}})", "/spec/backoffLimit", "2147483647"},
      {"jobs", "{}", "/spec/selector/matchLabels",
       R"({"batch.kubernetes.io/controller-uid":"uid"})"},
      {"jobs", "{}", "/spec/template/metadata/labels/job-name", R"("it")"},
      {"jobs", R"({"spec":{"manualSelector":true}})", "/spec/selector", ""},
      {"jobs", R"({"spec":{"podFailurePolicy":{"rules":[]}}})", "/spec/podReplacementPolicy",
       R"("Failed")"},
      {"cronjobs", "{}", "/spec/concurrencyPolicy", R"("Allow")"},
      {"cronjobs", "{}", "/spec/jobTemplate/spec/template/spec/dnsPolicy", R"("ClusterFirst")"},
      {"cronjobs", "{}", "/spec/jobTemplate/spec/suspend", ""},
      {"horizontalpodautoscalers", "{}", "/spec/metrics/0/resource/target/averageUtilization",
       "80"},
  });
}

TEST(DefaultsTest, TheClusterAndItsNetwork) {
  ExpectFilled({
      {"nodes", R"({"status":{"capacity":{"cpu":4,"memory":8},"allocatable":{"cpu":3}}})",
       "/status/allocatable", R"({"cpu":"3","memory":"8"})"},
      {"nodes", R"({"spec":{"podCIDR":"10.0.0.0/24"}})", "/spec/podCIDRs", R"(["10.0.0.0/24"])"},
      {"namespaces", "{}", "/metadata/labels/kubernetes.io~1metadata.name", R"("it")"},
      {"namespaces", "{}", "/spec/finalizers", R"(["kubernetes"])"},
      {"namespaces", "{}", "/status/phase", R"("Active")"},
      {"secrets", R"({"stringData":{"a":"b"}})", "/data", R"({"a":"Yg=="})"},
      {"secrets", R"({"stringData":{"a":"b"}})", "/stringData", ""},
      {"secrets", "{}", "/type", R"("Opaque")"},
      {"priorityclasses", "{}", "/preemptionPolicy", R"("PreemptLowerPriority")"},
      {"leases", R"({"spec":{"strategy":"OldestEmulationVersion"}})", "/spec/strategy", ""},
      {"limitranges", R"({"spec":{"limits":[{"type":"Container","max":{"cpu":2}}]}})",
       "/spec/limits/0/defaultRequest", R"({"cpu":"2"})"},
      {"limitranges", R"({"spec":{"limits":[{"type":"Pod","max":{"cpu":2}}]}})",
       "/spec/limits/0/defaultRequest", ""},
      {"rolebindings", R"({"subjects":[{"kind":"User","name":"u"}]})", "/subjects/0/apiGroup",
       R"("rbac.authorization.k8s.io")"},
      {"rolebindings", R"({"subjects":[{"kind":"ServiceAccount","name":"u"}]})",
       "/subjects/0/apiGroup", ""},
      {"rolebindings", "{}", "/roleRef/apiGroup", R"("rbac.authorization.k8s.io")"},
      {"services", "{}", "/spec/type", R"("ClusterIP")"},
      {"services", "{}", "/spec/ports/0", R"({"port":80,"targetPort":80,"protocol":"TCP"})"},
      {"services", R"({"spec":{"ports":[{"port":80,"targetPort":"web"}]}})",
       "/spec/ports/0/targetPort", R"("web")"},
      {"services", R"({"spec":{"type":"NodePort"}})", "/spec/externalTrafficPolicy",
       R"("Cluster")"},
      {"services", "{}", "/spec/externalTrafficPolicy", ""},
      {"services", R"({"spec":{"type":"ExternalName","externalName":"e"}})", "/spec/ipFamilies",
       ""},
      {"services", R"({"spec":{"clusterIP":"10.0.0.1"}})", "/spec/clusterIPs", R"(["10.0.0.1"])"},
      {"services", R"({"spec":{"sessionAffinity":"ClientIP"}})",
       "/spec/sessionAffinityConfig/clientIP/timeoutSeconds", "10800"},
      {"networkpolicies", "{}", "/spec/policyTypes", R"(["Ingress"])"},
      {"networkpolicies", R"({"spec":{"egress":[{}]}})", "/spec/policyTypes",
       R"(["Ingress","Egress"])"},
      {"endpointslices", R"({"ports":[{"port":1}]})", "/ports/0",
       R"({"port":1,"name":"","protocol":"TCP"})"},
      {"ingressclasses", R"({"spec":{"parameters":{"kind":"k","name":"n"}}})",
       "/spec/parameters/scope", R"("Cluster")"},
      {"mutatingwebhookconfigurations", "{}", "/webhooks/0/failurePolicy", R"("Fail")"},
      {"mutatingwebhookconfigurations", "{}", "/webhooks/0/reinvocationPolicy", R"("Never")"},
      {"validatingwebhookconfigurations", "{}", "/webhooks/0/reinvocationPolicy", ""},
      {"validatingwebhookconfigurations", "{}", "/webhooks/0/rules/0/scope", R"("*")"},
  });
}

TEST(DefaultsTest, AGenerationCountsChangesOfWhatIsDesired) {
  struct Row {
    const char* kind;
    const char* change;
    const char* generation;
  };
  const Row rows[] = {
      {"deployments", R"({"metadata":{"labels":{"a":"b"}}})", "1"},
      {"deployments", R"({"metadata":{"annotations":{"a":"b"}}})", "2"},
      {"deployments", R"({"spec":{"replicas":5}})", "2"},
      {"replicasets", R"({"metadata":{"annotations":{"a":"b"}}})", "1"},
      {"pods", R"({"spec":{"containers":{"0":{"image":"y"}}}})", "2"},
  };
  for (const Row& row : rows) {
    const KindRules& rules = *KindNamed(row.kind).rules;
    const json::object old = Created(row.kind, "{}");
    json::value value = old;
    Change(value, json::parse(row.change));
    json::object object = value.get_object();
    rules.PrepareForUpdate(object, old);
    EXPECT_EQ(At(object, "/metadata/generation"), row.generation) << row.kind << row.change;
  }
}

TEST(DefaultsTest, AnUpdateKeepsTheStatusAndAStatusUpdateKeepsAllElse) {
  const KindRules& rules = *KindNamed("deployments").rules;
  json::object old = Created("deployments", "{}");
  old["status"] = {{"replicas", 1}};
  json::object object = old;
  object["status"] = {{"replicas", 2}};
  Child(object, "spec")["replicas"] = 3;
  json::object by_update = object;
  rules.PrepareForUpdate(by_update, old);
  EXPECT_EQ(GetInt(by_update, {"status", "replicas"}), 1);
  EXPECT_EQ(GetInt(by_update, {"spec", "replicas"}), 3);
  rules.PrepareForStatusUpdate(object, old);
  EXPECT_EQ(GetInt(object, {"status", "replicas"}), 2);
  EXPECT_EQ(GetInt(object, {"spec", "replicas"}), 1);
}

TEST(DefaultsTest, AServicesAddressStaysWhereAnUpdateDoesNotNameIt) {
  const json::object old = Created("services", R"({"spec":{"clusterIP":"10.0.0.1"}})");
  json::object object = Written("services", "{}");
  KindNamed("services").rules->PrepareForUpdate(object, old);
  EXPECT_EQ(GetString(object, {"spec", "clusterIP"}), "10.0.0.1");
}

}  // namespace
}  // namespace basalt::apiserver
