#include <gtest/gtest.h>

#include "apiserver/kinds/kinds_test_util.h"

// What is refused of new objects: the field, and why. The texts are for people and free to change.
namespace basalt::apiserver {
namespace {

struct Refused {
  const char* kind;
  const char* change;  // of the least that the kind takes
  const char* told;
};

void ExpectTold(std::initializer_list<Refused> rows) {
  for (const Refused& row : rows) {
    EXPECT_EQ(ToldOfCreate(row.kind, row.change), row.told) << row.kind << " " << row.change;
  }
}

TEST(ValidationTest, TheLeastOfEveryKindIsTaken) {
  for (const KindInfo& kind : BuiltinKinds()) {
    if (kind.kind == "CustomResourceDefinition" || kind.kind == "Event") continue;
    EXPECT_EQ(ToldOfCreate(kind.plural, "{}"), "") << kind.plural;
  }
}

TEST(ValidationTest, Metadata) {
  ExpectTold({
      {"pods", R"({"metadata":{"name":null}})", "Required metadata.name"},
      {"pods", R"({"metadata":{"name":"Big"}})", "Invalid metadata.name"},
      {"pods", R"({"metadata":{"generateName":"Big-"}})", "Invalid metadata.generateName"},
      {"pods", R"({"metadata":{"generateName":"small-"}})", ""},
      {"pods", R"({"metadata":{"namespace":null}})", "Required metadata.namespace"},
      {"nodes", R"({"metadata":{"namespace":"a"}})", "Forbidden metadata.namespace"},
      {"pods", R"({"metadata":{"labels":{"a b":"c"}}})", "Invalid metadata.labels"},
      {"pods", R"({"metadata":{"labels":{"a":"b c"}}})", "Invalid metadata.labels"},
      {"pods", R"({"metadata":{"annotations":{"a b":"c"}}})", "Invalid metadata.annotations"},
      {"pods", R"({"metadata":{"finalizers":["mine"]}})", "Invalid metadata.finalizers[0]"},
      {"pods", R"({"metadata":{"finalizers":["orphan","foregroundDeletion"]}})",
       "Invalid metadata.finalizers"},
      {"pods", R"({"metadata":{"ownerReferences":[{"apiVersion":"v1"}]}})",
       "Invalid metadata.ownerReferences.kind, Invalid metadata.ownerReferences.name, "
       "Invalid metadata.ownerReferences.uid"},
      {"namespaces", R"({"metadata":{"name":"a.b"}})", "Invalid metadata.name"},
      {"services", R"({"metadata":{"name":"a.b"}})", "Invalid metadata.name"},
      {"statefulsets", R"({"metadata":{"name":"a.b"}})", "Invalid metadata.name"},
      {"clusterroles", R"({"metadata":{"name":"system:node"}})", ""},
      {"clusterroles", R"({"metadata":{"name":"a/b"}})", "Invalid metadata.name"},
      {"cronjobs",
       R"({"metadata":{"name":"a-name-of-a-cron-job-that-is-longer-than-its-jobs-can-be"}})",
       "Invalid metadata.name"},
  });
}

TEST(ValidationTest, PodSpecs) {
  ExpectTold({
      {"pods", R"({"spec":{"containers":null}})", "Required spec.containers"},
      {"pods", R"({"spec":{"restartPolicy":"Sometimes"}})", "NotSupported spec.restartPolicy"},
      {"pods", R"({"spec":{"dnsPolicy":"Mine"}})", "NotSupported spec.dnsPolicy"},
      {"pods", R"({"spec":{"dnsPolicy":"None"}})", "Required spec.dnsConfig"},
      {"pods", R"({"spec":{"dnsPolicy":"None","dnsConfig":{}}})",
       "Required spec.dnsConfig.nameservers"},
      {"pods", R"({"spec":{"dnsConfig":{"nameservers":["1.1.1.1","1.1.1.2","1.1.1.3","x"]}}})",
       "Invalid spec.dnsConfig.nameservers[3], TooMany spec.dnsConfig.nameservers"},
      {"pods", R"({"spec":{"dnsConfig":{"searches":[".","a.b.","A"]}}})",
       "Invalid spec.dnsConfig.searches[2]"},
      {"pods", R"({"spec":{"dnsConfig":{"options":[{"value":"1"}]}}})",
       "Required spec.dnsConfig.options[0]"},
      {"pods", R"({"spec":{"activeDeadlineSeconds":0}})", "Invalid spec.activeDeadlineSeconds"},
      {"pods", R"({"spec":{"nodeName":"Big"}})", "Invalid spec.nodeName"},
      {"pods", R"({"spec":{"serviceAccountName":"Big"}})", "Invalid spec.serviceAccountName"},
      {"pods", R"({"spec":{"hostname":"a.b"}})", "Invalid spec.hostname"},
      {"pods", R"({"spec":{"priorityClassName":"Big"}})", "Invalid spec.priorityClassName"},
      {"pods", R"({"spec":{"preemptionPolicy":"Ask"}})", "NotSupported spec.preemptionPolicy"},
      {"pods", R"({"spec":{"nodeSelector":{"a b":"c"}}})", "Invalid spec.nodeSelector"},
      {"pods", R"({"spec":{"os":{"name":"beos"}}})", "NotSupported spec.os"},
      {"pods", R"({"spec":{"os":{}}})", "Required spec.os.name"},
      {"pods", R"({"spec":{"hostAliases":[{"ip":"x","hostnames":["A"]}]}})",
       "Invalid spec.hostAliases[0].hostnames[0], Invalid spec.hostAliases[0].ip"},
      {"pods", R"({"spec":{"securityContext":{"runAsUser":-1,"sysctls":[{"value":"1"}]}}})",
       "Invalid spec.securityContext.runAsUser, Required spec.securityContext.sysctls[0].name"},
      {"pods", R"({"spec":{"hostPID":true,"shareProcessNamespace":true}})",
       "Invalid spec.securityContext.shareProcessNamespace"},
      {"pods", R"({"spec":{"schedulingGates":[{"name":"a"},{"name":"a"}]}})",
       "Duplicate spec.schedulingGates[1]"},
      {"pods", R"({"spec":{"schedulingGates":[{"name":"a"}],"nodeName":"n"}})",
       "Forbidden spec.nodeName"},
      {"pods", R"({"spec":{"readinessGates":[{"conditionType":"a b"}]}})",
       "Invalid spec.readinessGates[0].conditionType"},
      {"pods", R"({"spec":{"resourceClaims":[{"name":"a"}]}})", "Invalid spec.resourceClaims[0]"},
      {"pods", R"({"spec":{"resourceClaims":[{"name":"a","resourceClaimName":"b"}]}})", ""},
      {"pods", R"({"spec":{"ephemeralContainers":[{"name":"e","image":"x"}]}})",
       "Forbidden spec.ephemeralContainers"},
  });
}

TEST(ValidationTest, WhereAPodMayRun) {
  constexpr const char* kExpressions =
      R"({"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
        {"nodeSelectorTerms":[{"matchExpressions":[
          {"key":"a","operator":"In"},{"key":"a","operator":"Exists","values":["b"]},
          {"key":"a","operator":"Gt","values":["1","2"]},{"key":"a","operator":"Like"},
          {"key":"a b","operator":"Exists"}]}]}}}}})";
  const std::string term =
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
      "nodeSelectorTerms[0].matchExpressions";
  EXPECT_EQ(ToldOfCreate("pods", kExpressions),
            "Forbidden " + term + "[1].values, Invalid " + term + "[3].operator, Invalid " + term +
                "[4].key, Required " + term + "[0].values, Required " + term + "[2].values");
  ExpectTold({
      {"pods",
       R"({"spec":{"affinity":{"nodeAffinity":
         {"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[]}}}}})",
       "Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
       "nodeSelectorTerms"},
      {"pods",
       R"({"spec":{"affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":
         [{"weight":101,"preference":{}}]}}}})",
       "Invalid spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]."
       "weight"},
      {"pods",
       R"({"spec":{"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
         [{"topologyKey":"z","matchLabelKeys":["a"]}]}}}})",
       "Forbidden spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]."
       "matchLabelKeys"},
      {"pods", R"({"spec":{"tolerations":[{"operator":"Equal"}]}})",
       "Invalid spec.tolerations[0].operator"},
      {"pods", R"({"spec":{"tolerations":[{"key":"a","operator":"Exists","value":"b"}]}})",
       "Invalid spec.tolerations[0].operator"},
      {"pods", R"({"spec":{"tolerations":[{"key":"a","operator":"Gt","value":"1"}]}})",
       "NotSupported spec.tolerations[0].operator"},
      {"pods", R"({"spec":{"tolerations":[{"key":"a","effect":"Away"}]}})",
       "NotSupported spec.tolerations[0].effect"},
      {"pods",
       R"({"spec":{"tolerations":[{"key":"a","effect":"NoSchedule","tolerationSeconds":1}]}})",
       "Invalid spec.tolerations[0].effect"},
      {"pods",
       R"({"spec":{"topologySpreadConstraints":[{"maxSkew":0,"topologyKey":"z",
         "whenUnsatisfiable":"Never"}]}})",
       "Invalid spec.topologySpreadConstraints[0].maxSkew, "
       "NotSupported spec.topologySpreadConstraints[0].whenUnsatisfiable"},
      {"pods",
       R"({"spec":{"topologySpreadConstraints":[{"maxSkew":1,"minDomains":2,"topologyKey":"z",
         "whenUnsatisfiable":"ScheduleAnyway"}]}})",
       "Invalid spec.topologySpreadConstraints[0].minDomains"},
      {"pods",
       R"({"spec":{"topologySpreadConstraints":[
         {"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"ScheduleAnyway"},
         {"maxSkew":2,"topologyKey":"z","whenUnsatisfiable":"ScheduleAnyway"}]}})",
       "Duplicate spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}"},
  });
}

TEST(ValidationTest, Containers) {
  ExpectTold({
      {"pods", R"({"spec":{"containers":{"0":{"name":"A"}}}})", "Invalid spec.containers[0].name"},
      {"pods", R"({"spec":{"containers":{"0":{"image":null}}}})",
       "Required spec.containers[0].image"},
      {"pods", R"({"spec":{"containers":{"0":{"image":" x"}}}})",
       "Invalid spec.containers[0].image"},
      {"pods", R"({"spec":{"containers":{"0":{"imagePullPolicy":"Ask"}}}})",
       "NotSupported spec.containers[0].imagePullPolicy"},
      {"pods", R"({"spec":{"containers":{"0":{"terminationMessagePolicy":"No"}}}})",
       "NotSupported spec.containers[0].terminationMessagePolicy"},
      {"pods", R"({"spec":{"initContainers":[{"name":"c","image":"x"}]}})",
       "Duplicate spec.initContainers[0].name"},
      {"pods",
       R"({"spec":{"initContainers":[{"name":"i","image":"x","livenessProbe":
         {"exec":{"command":["a"]}}}]}})",
       "Forbidden spec.initContainers[0].livenessProbe"},
      {"pods",
       R"({"spec":{"initContainers":[{"name":"i","image":"x","restartPolicy":"Always",
         "livenessProbe":{"exec":{"command":["a"]}}}]}})",
       ""},
      {"pods", R"({"spec":{"containers":{"0":{"ports":[{"containerPort":70000}]}}}})",
       "Invalid spec.containers[0].ports[0].containerPort"},
      {"pods", R"({"spec":{"containers":{"0":{"ports":[{"name":"a"}]}}}})",
       "Required spec.containers[0].ports[0].containerPort"},
      {"pods", R"({"spec":{"containers":{"0":{"ports":[{"containerPort":1,"protocol":"SPX"}]}}}})",
       "NotSupported spec.containers[0].ports[0].protocol"},
      {"pods",
       R"({"spec":{"containers":{"0":{"ports":[{"containerPort":1,"hostPort":9},
         {"containerPort":2,"hostPort":9}]}}}})",
       "Duplicate spec.containers[0].ports[1].hostPort"},
      {"pods",
       R"({"spec":{"hostNetwork":true,"containers":{"0":{"ports":[
         {"containerPort":1,"hostPort":2}]}}}})",
       "Invalid spec.containers[0].ports[0].hostPort"},
      {"pods", R"({"spec":{"containers":{"0":{"env":[{"name":"a=b"}]}}}})",
       "Invalid spec.containers[0].env[0].name"},
      {"pods", R"({"spec":{"containers":{"0":{"env":[{"name":"a","valueFrom":{}}]}}}})",
       "Invalid spec.containers[0].env[0].valueFrom"},
      {"pods",
       R"({"spec":{"containers":{"0":{"env":[{"name":"a","value":"b","valueFrom":
         {"fieldRef":{"fieldPath":"metadata.name"}}}]}}}})",
       "Invalid spec.containers[0].env[0].valueFrom"},
      {"pods",
       R"({"spec":{"containers":{"0":{"env":[{"name":"a","valueFrom":
         {"fieldRef":{"fieldPath":"status.phase"}}}]}}}})",
       "Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"},
      {"pods",
       R"({"spec":{"containers":{"0":{"env":[{"name":"a","valueFrom":
         {"fieldRef":{"fieldPath":"spec.dreams"}}}]}}}})",
       "Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"},
      {"pods",
       R"({"spec":{"containers":{"0":{"env":[{"name":"a","valueFrom":
         {"resourceFieldRef":{"resource":"limits.gpu"}}}]}}}})",
       "NotSupported spec.containers[0].env[0].valueFrom.resourceFieldRef.resource"},
      {"pods",
       R"({"spec":{"containers":{"0":{"env":[{"name":"a","valueFrom":
         {"secretKeyRef":{"name":"s"}}}]}}}})",
       "Required spec.containers[0].env[0].valueFrom.secretKeyRef.key"},
      {"pods", R"({"spec":{"containers":{"0":{"envFrom":[{}]}}}})",
       "Invalid spec.containers[0].envFrom[0]"},
      {"pods", R"({"spec":{"containers":{"0":{"volumeMounts":[{"name":"v","mountPath":"/a"}]}}}})",
       "NotFound spec.containers[0].volumeMounts[0].name"},
      {"pods",
       R"({"spec":{"volumes":[{"name":"v"}],"containers":{"0":{"volumeMounts":[
         {"name":"v","mountPath":"/a"},{"name":"v","mountPath":"/a"}]}}}})",
       "Invalid spec.containers[0].volumeMounts[1].mountPath"},
      {"pods",
       R"({"spec":{"containers":{"0":{"livenessProbe":{"exec":{"command":["a"]},
         "httpGet":{"port":0}}}}}})",
       "Forbidden spec.containers[0].livenessProbe.httpGet"},
      {"pods", R"({"spec":{"containers":{"0":{"livenessProbe":{}}}}})",
       "Required spec.containers[0].livenessProbe"},
      {"pods",
       R"({"spec":{"containers":{"0":{"livenessProbe":{"successThreshold":2,
         "tcpSocket":{"port":0}}}}}})",
       "Invalid spec.containers[0].livenessProbe.successThreshold, "
       "Invalid spec.containers[0].livenessProbe.tcpSocket.port"},
      {"pods",
       R"({"spec":{"containers":{"0":{"lifecycle":{"preStop":{"exec":{"command":["a"]},
         "sleep":{"seconds":1}}}}}}})",
       "Forbidden spec.containers[0].lifecycle.preStop.sleep"},
      {"pods",
       R"({"spec":{"containers":{"0":{"securityContext":{"privileged":true,
         "allowPrivilegeEscalation":false}}}}})",
       "Invalid spec.containers[0].securityContext"},
      {"pods",
       R"({"spec":{"containers":{"0":{"resizePolicy":[{"resourceName":"disk",
         "restartPolicy":"NotRequired"}]}}}})",
       "NotSupported spec.containers[0].resizePolicy"},
  });
}

TEST(ValidationTest, Resources) {
  ExpectTold({
      {"pods", R"({"spec":{"containers":{"0":{"resources":{"limits":{"cpu":"-1"}}}}}})",
       "Invalid spec.containers[0].resources.limits[cpu], "
       "Invalid spec.containers[0].resources.requests[cpu]"},
      {"pods",
       R"({"spec":{"containers":{"0":{"resources":{"limits":{"cpu":1},"requests":{"cpu":2}}}}}})",
       "Invalid spec.containers[0].resources.requests"},
      {"pods", R"({"spec":{"containers":{"0":{"resources":{"requests":{"a.b/gpu":1}}}}}})",
       "Required spec.containers[0].resources.limits"},
      {"pods", R"({"spec":{"containers":{"0":{"resources":{"limits":{"a.b/gpu":"500m"}}}}}})",
       "Invalid spec.containers[0].resources.limits[a.b/gpu], "
       "Invalid spec.containers[0].resources.requests[a.b/gpu]"},
      {"pods", R"({"spec":{"containers":{"0":{"resources":{"limits":{"hugepages-2Mi":"2Mi"}}}}}})",
       "Forbidden spec.containers[0].resources"},
      {"pods", R"({"spec":{"containers":{"0":{"resources":{"claims":[{"name":"a"}]}}}}})",
       "NotFound spec.containers[0].resources.claims[0]"},
  });
}

TEST(ValidationTest, Volumes) {
  ExpectTold({
      {"pods", R"({"spec":{"volumes":[{"name":"v"},{"name":"v"}]}})",
       "Duplicate spec.volumes[1].name"},
      {"pods", R"({"spec":{"volumes":[{"name":"v","emptyDir":{},"hostPath":{"path":"/a"}}]}})",
       "Forbidden spec.volumes[0].hostPath"},
      {"pods", R"({"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":"-1"}}]}})",
       "Forbidden spec.volumes[0].emptyDir.sizeLimit"},
      {"pods", R"({"spec":{"volumes":[{"name":"v","hostPath":{"path":"/a/../b"}}]}})",
       "Invalid spec.volumes[0].hostPath.path"},
      {"pods", R"({"spec":{"volumes":[{"name":"v","hostPath":{"path":"/a","type":"Tape"}}]}})",
       "NotSupported spec.volumes[0].hostPath.type"},
      {"pods", R"({"spec":{"volumes":[{"name":"v","configMap":{"defaultMode":512}}]}})",
       "Invalid spec.volumes[0].configMap.defaultMode, Required spec.volumes[0].configMap.name"},
      {"pods",
       R"({"spec":{"volumes":[{"name":"v","secret":{"secretName":"s","items":[
         {"key":"k","path":"/a"},{"path":"../b"}]}}]}})",
       "Invalid spec.volumes[0].secret.items[0].path, "
       "Invalid spec.volumes[0].secret.items[1].path, "
       "Required spec.volumes[0].secret.items[1].key"},
      {"pods", R"({"spec":{"volumes":[{"name":"v","nfs":{}}]}})",
       "Required spec.volumes[0].nfs.path, Required spec.volumes[0].nfs.server"},
      {"persistentvolumeclaims", R"({"spec":{"accessModes":[]}})", "Required spec.accessModes"},
      {"persistentvolumeclaims", R"({"spec":{"accessModes":["Both"]}})",
       "NotSupported spec.accessModes"},
      {"persistentvolumeclaims", R"({"spec":{"resources":null}})",
       "Required spec.resources[storage]"},
      {"persistentvolumeclaims", R"({"spec":{"resources":{"requests":{"storage":"0"}}}})",
       "Invalid spec.resources[storage]"},
      {"persistentvolumes", R"({"spec":{"accessModes":["ReadWriteOncePod","ReadOnlyMany"]}})",
       "Forbidden spec.accessModes"},
      {"persistentvolumes", R"({"spec":{"hostPath":null}})", "Required spec"},
      {"persistentvolumes", R"({"spec":{"capacity":{"storage":"0"}}})",
       "Invalid spec.capacity[storage]"},
      {"persistentvolumes", R"({"spec":{"hostPath":null,"local":{"path":"/a"}}})",
       "Required spec.nodeAffinity"},
      {"persistentvolumes", R"({"spec":{"nodeAffinity":{}}})",
       "Required spec.nodeAffinity.required"},
      {"storageclasses", R"({"provisioner":"a b"})", "Invalid provisioner"},
      {"storageclasses", R"({"reclaimPolicy":"Burn"})", "NotSupported reclaimPolicy"},
      {"storageclasses", R"({"allowedTopologies":[{"matchLabelExpressions":[{"key":"z"}]}]})",
       "Required allowedTopologies[0].matchLabelExpressions[0].values"},
      {"csinodes", R"({"spec":{"drivers":[{"name":"a","nodeID":"n"},{"name":"a"}]}})",
       "Duplicate spec.drivers[1].name, Required spec.drivers[1].nodeID"},
      {"volumeattachments", R"({"spec":{"attacher":null}})", "Required spec.attacher"},
      {"csistoragecapacities", R"({"storageClassName":"A"})", "Invalid storageClassName"},
  });
}

TEST(ValidationTest, Workloads) {
  ExpectTold({
      {"deployments", R"({"spec":{"replicas":-1}})", "Invalid spec.replicas"},
      {"deployments", R"({"spec":{"selector":null}})",
       "Invalid spec.template.metadata.labels, Required spec.selector"},
      {"deployments", R"({"spec":{"selector":{"matchLabels":{"app":"b"}}}})",
       "Invalid spec.template.metadata.labels"},
      {"deployments", R"({"spec":{"template":{"spec":{"restartPolicy":"Never"}}}})",
       "NotSupported spec.template.spec.restartPolicy"},
      {"deployments", R"({"spec":{"template":{"spec":{"containers":{"0":{"name":null}}}}}})",
       "Required spec.template.spec.containers[0].name"},
      {"deployments", R"({"spec":{"template":{"spec":{"activeDeadlineSeconds":5}}}})",
       "Forbidden spec.template.spec.activeDeadlineSeconds"},
      {"deployments", R"({"spec":{"strategy":{"type":"Recreate","rollingUpdate":{}}}})",
       "Forbidden spec.strategy.rollingUpdate"},
      {"deployments", R"({"spec":{"strategy":{"type":"Slow"}}})", "NotSupported spec.strategy"},
      {"deployments",
       R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":"0%"}}}})",
       "Invalid spec.strategy.rollingUpdate.maxUnavailable"},
      {"deployments", R"({"spec":{"strategy":{"rollingUpdate":{"maxUnavailable":"101%"}}}})",
       "Invalid spec.strategy.rollingUpdate.maxUnavailable"},
      {"deployments", R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":"some"}}}})",
       "Invalid spec.strategy.rollingUpdate.maxSurge"},
      {"deployments", R"({"spec":{"minReadySeconds":600}})",
       "Invalid spec.progressDeadlineSeconds"},
      {"statefulsets", R"({"spec":{"podManagementPolicy":"Any"}})",
       "Invalid spec.podManagementPolicy"},
      {"statefulsets", R"({"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":{}}}})",
       "Invalid spec.updateStrategy.rollingUpdate"},
      {"statefulsets", R"({"spec":{"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Sell"}}})",
       "NotSupported spec.persistentVolumeClaimRetentionPolicy.whenScaled"},
      {"statefulsets", R"({"spec":{"volumeClaimTemplates":[{"spec":{"volumeMode":"Odd"}}]}})", ""},
      {"daemonsets", R"({"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":1}}}})",
       "Invalid spec.updateStrategy.rollingUpdate.maxSurge"},
      {"daemonsets", R"({"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":0}}}})",
       "Required spec.updateStrategy.rollingUpdate.maxUnavailable"},
      {"jobs", R"({"spec":{"parallelism":-1}})", "Invalid spec.parallelism"},
      {"jobs", R"({"spec":{"completionMode":"Indexed","parallelism":1}})",
       "Required spec.completions"},
      {"jobs", R"({"spec":{"backoffLimitPerIndex":1}})", "Invalid spec.backoffLimitPerIndex"},
      {"jobs", R"({"spec":{"managedBy":"me"}})", "Invalid spec.managedBy"},
      {"jobs", R"({"spec":{"template":{"spec":{"restartPolicy":null}}}})",
       "Required spec.template.spec.restartPolicy"},
      {"jobs", R"({"spec":{"selector":{"matchLabels":{"a":"b"}}}})",
       "Invalid spec.selector, Invalid spec.template.metadata.labels"},
      {"jobs", R"({"spec":{"podFailurePolicy":{"rules":[{"action":"Weep"}]}}})",
       "Invalid spec.podFailurePolicy.rules[0], NotSupported "
       "spec.podFailurePolicy.rules[0].action"},
      {"cronjobs", R"({"spec":{"schedule":"* * *"}})", "Invalid spec.schedule"},
      {"cronjobs", R"({"spec":{"schedule":"@daily","concurrencyPolicy":"Never"}})",
       "NotSupported spec.concurrencyPolicy"},
      {"poddisruptionbudgets", R"({"spec":{"minAvailable":1,"maxUnavailable":1}})", "Invalid spec"},
      {"poddisruptionbudgets", R"({"spec":{"minAvailable":"110%"}})", "Invalid spec.minAvailable"},
      {"poddisruptionbudgets",
       R"({"spec":{"selector":{"matchExpressions":[{"key":"a","operator":"In"}]}}})",
       "Required spec.selector.matchExpressions[0].values"},
  });
}

TEST(ValidationTest, TheCluster) {
  ExpectTold({
      {"nodes", R"({"spec":{"taints":[{"key":"a","effect":"NoSchedule"},
                                       {"key":"a","effect":"NoSchedule"}]}})",
       "Duplicate metadata.taints[1]"},
      {"nodes", R"({"spec":{"taints":[{"key":"a","effect":"Away"},{"key":"b"}]}})",
       "NotSupported metadata.taints[0].effect, Required metadata.taints[1].effect"},
      {"nodes", R"({"spec":{"podCIDRs":["10.0.0.0"]}})", "Invalid spec.podCIDRs[0]"},
      {"nodes", R"({"status":{"capacity":{"pods":"1500m"}}})",
       "Invalid status.allocatable.pods, Invalid status.capacity.pods"},
      {"namespaces", R"({"spec":{"finalizers":["mine"]}})", "Invalid spec.finalizers"},
      {"configmaps", R"({"data":{"a/b":"c"}})", "Invalid data[a/b]"},
      {"configmaps", R"({"data":{"a":"b"},"binaryData":{"a":"YQ=="}})", "Invalid data[a]"},
      {"secrets", R"({"type":"kubernetes.io/tls","data":{"tls.crt":""}})",
       "Required data[tls.key]"},
      {"secrets", R"({"type":"kubernetes.io/basic-auth"})",
       "Required data[password], Required data[username]"},
      {"secrets", R"({"type":"kubernetes.io/basic-auth","stringData":{"username":"u"}})", ""},
      {"secrets", R"({"type":"kubernetes.io/service-account-token"})",
       "Required metadata.annotations[kubernetes.io/service-account.name]"},
      {"priorityclasses", R"({"value":1000000001})", "Forbidden value"},
      {"priorityclasses", R"({"metadata":{"name":"system-mine"}})", "Forbidden metadata.name"},
      {"priorityclasses", R"({"preemptionPolicy":"Ask"})", "NotSupported preemptionPolicy"},
      {"leases", R"({"spec":{"leaseDurationSeconds":0,"leaseTransitions":-1}})",
       "Invalid spec.leaseDurationSeconds, Invalid spec.leaseTransitions"},
      {"resourcequotas", R"({"spec":{"hard":{"dreams":1}}})", "Invalid spec.hard[dreams]"},
      {"resourcequotas", R"({"spec":{"hard":{"cpu":1},"scopes":["BestEffort"]}})",
       "Invalid spec.scopes"},
      {"limitranges", R"({"spec":{"limits":[{"type":"Pod","min":{"cpu":2},"max":{"cpu":1}}]}})",
       "Invalid spec.limits[0].min[cpu]"},
      {"limitranges", R"({"spec":{"limits":[{"type":"Ship"}]}})", "Invalid spec.limits[0].type"},
  });
}

TEST(ValidationTest, TheNetworkAndWebhooks) {
  ExpectTold({
      {"services", R"({"spec":{"ports":null}})", "Required spec.ports"},
      {"services", R"({"spec":{"ports":null,"clusterIP":"None"}})", ""},
      {"services", R"({"spec":{"type":"ExternalName"}})", "Required spec.externalName"},
      {"services", R"({"spec":{"ports":[{"port":1},{"port":2,"name":"b"}]}})",
       "Required spec.ports[0].name"},
      {"services", R"({"spec":{"ports":[{"port":0}]}})",
       "Invalid spec.ports[0].port, Invalid spec.ports[0].targetPort"},
      {"services", R"({"spec":{"clusterIP":"x"}})", "Invalid spec.clusterIPs[0]"},
      {"services", R"({"spec":{"sessionAffinity":"Sticky"}})", "NotSupported spec.sessionAffinity"},
      {"networkpolicies", R"({"spec":{"podSelector":{"matchLabels":{"a b":"c"}}}})",
       "Invalid spec.podSelector.matchLabels"},
      {"mutatingwebhookconfigurations", R"({"webhooks":{"0":{"name":"a.b"}}})",
       "Invalid webhooks[0].name"},
      {"mutatingwebhookconfigurations", R"({"webhooks":{"0":{"sideEffects":null}}})",
       "Required webhooks[0].sideEffects"},
      {"mutatingwebhookconfigurations", R"({"webhooks":{"0":{"admissionReviewVersions":["v2"]}}})",
       "Invalid webhooks[0].admissionReviewVersions"},
      {"mutatingwebhookconfigurations", R"({"webhooks":{"0":{"timeoutSeconds":31}}})",
       "Invalid webhooks[0].timeoutSeconds"},
      {"mutatingwebhookconfigurations", R"({"webhooks":{"0":{"reinvocationPolicy":"Often"}}})",
       "NotSupported webhooks[0].reinvocationPolicy"},
      {"validatingwebhookconfigurations", R"({"webhooks":{"0":{"clientConfig":{"url":null}}}})",
       "Required webhooks[0].clientConfig"},
      {"validatingwebhookconfigurations",
       R"({"webhooks":{"0":{"clientConfig":{"url":"http://h"}}}})",
       "Invalid webhooks[0].clientConfig.url"},
      {"validatingwebhookconfigurations",
       R"({"webhooks":{"0":{"clientConfig":{"url":null,"service":{"name":"s"}}}}})",
       "Required webhooks[0].clientConfig.service.namespace"},
      {"validatingwebhookconfigurations",
       R"({"webhooks":{"0":{"rules":{"0":{"operations":["*","CREATE"]}}}}})",
       "Invalid webhooks[0].rules[0].operations"},
      {"validatingwebhookconfigurations",
       R"({"webhooks":{"0":{"rules":{"0":{"operations":["STEAL"],"resources":[]}}}}})",
       "NotSupported webhooks[0].rules[0].operations[0], "
       "Required webhooks[0].rules[0].resources"},
      {"validatingwebhookconfigurations",
       R"({"webhooks":{"0":{"matchConditions":[{"name":"a b"}]}}})",
       "Invalid webhooks[0].matchConditions[0].name, "
       "Required webhooks[0].matchConditions[0].expression"},
  });
}

struct RefusedUpdate {
  const char* kind;
  const char* before;
  const char* change;
  const char* told;
};

TEST(ValidationTest, WhatMayNotChange) {
  const RefusedUpdate rows[] = {
      {"pods", "{}", R"({"spec":{"containers":{"0":{"image":"y"}}}})", ""},
      {"pods", "{}", R"({"spec":{"containers":{"0":{"command":["y"]}}}})", "Forbidden spec"},
      {"pods", "{}", R"({"spec":{"containers":[]}})",
       "Forbidden spec.containers, Required spec.containers"},
      {"pods", R"({"spec":{"activeDeadlineSeconds":5}})", R"({"spec":{"activeDeadlineSeconds":9}})",
       "Invalid spec.activeDeadlineSeconds"},
      {"pods", R"({"spec":{"activeDeadlineSeconds":5}})",
       R"({"spec":{"activeDeadlineSeconds":null}})", "Invalid spec.activeDeadlineSeconds"},
      {"pods", "{}", R"({"spec":{"schedulingGates":[{"name":"g"}]}})",
       "Forbidden spec.schedulingGates[0].name"},
      {"pods", R"({"spec":{"schedulingGates":[{"name":"g"}]}})",
       R"({"spec":{"schedulingGates":null,"nodeSelector":{"a":"b"}}})", ""},
      {"pods", R"({"spec":{"schedulingGates":[{"name":"g"}],"nodeSelector":{"a":"b"}}})",
       R"({"spec":{"nodeSelector":{"a":"c"}}})", "Invalid spec.nodeSelector"},
      {"pods", "{}", R"({"spec":{"tolerations":[{"key":"a","operator":"Exists"}]}})", ""},
      {"pods", R"({"spec":{"tolerations":[{"key":"a","operator":"Exists"}]}})",
       R"({"spec":{"tolerations":null}})", "Forbidden spec.tolerations"},
      {"deployments", "{}", R"({"spec":{"replicas":3}})", ""},
      {"deployments", "{}", R"({"spec":{"selector":{"matchLabels":{"app":"a","b":"c"}}}})",
       "Invalid spec.selector, Invalid spec.template.metadata.labels"},
      {"statefulsets", "{}", R"({"spec":{"serviceName":"s"}})", "Forbidden spec"},
      {"statefulsets", "{}", R"({"spec":{"replicas":3}})", ""},
      {"jobs", "{}", R"({"spec":{"completions":2}})", "Invalid spec.completions"},
      {"jobs", R"({"spec":{"completionMode":"Indexed","completions":2,"parallelism":2}})",
       R"({"spec":{"completions":3,"parallelism":3}})", ""},
      {"jobs", "{}", R"({"spec":{"template":{"spec":{"nodeSelector":{"a":"b"}}}}})",
       "Invalid spec.template"},
      {"jobs", R"({"spec":{"suspend":true}})",
       R"({"spec":{"template":{"spec":{"nodeSelector":{"a":"b"}}}}})", ""},
      {"nodes", R"({"spec":{"providerID":"a"}})", R"({"spec":{"providerID":"b"}})",
       "Forbidden spec.providerID"},
      {"nodes", "{}", R"({"spec":{"providerID":"b"}})", ""},
      {"secrets", "{}", R"({"type":"mine"})", "Invalid type"},
      {"secrets", R"({"immutable":true})", R"({"data":{"a":"YQ=="}})", "Forbidden data"},
      {"configmaps", R"({"immutable":true})", R"({"immutable":false})", "Forbidden immutable"},
      {"priorityclasses", R"({"value":1})", R"({"value":2})", "Forbidden value"},
      {"storageclasses", "{}", R"({"provisioner":"q"})", "Invalid provisioner"},
      {"persistentvolumeclaims", "{}", R"({"spec":{"volumeName":"v"}})", ""},
      {"persistentvolumeclaims", "{}", R"({"spec":{"volumeMode":"Block"}})", "Forbidden spec"},
      {"persistentvolumes", "{}", R"({"spec":{"hostPath":{"path":"/e"}}})",
       "Forbidden spec.persistentvolumesource"},
      {"persistentvolumes", "{}", R"({"spec":{"volumeMode":"Block"}})", "Invalid spec.volumeMode"},
  };
  for (const RefusedUpdate& row : rows) {
    EXPECT_EQ(ToldOfUpdate(row.kind, row.before, row.change), row.told)
        << row.kind << " " << row.change;
  }
}

TEST(ValidationTest, AStatusIsCheckedOnItsOwn) {
  const KindRules& rules = *KindNamed("replicasets").rules;
  const json::object old = Created("replicasets", "{}");
  const auto told = [&](const char* status) {
    json::object object = old;
    object["status"] = json::parse(status);
    FieldErrors errors;
    rules.ValidateStatusUpdate(object, old, errors);
    return Told(errors);
  };
  EXPECT_EQ(told(R"({"replicas":2,"readyReplicas":1,"availableReplicas":1})"), "");
  EXPECT_EQ(told(R"({"replicas":-1})"),
            "Invalid status.availableReplicas, Invalid status.fullyLabeledReplicas, "
            "Invalid status.readyReplicas, Invalid status.replicas");
  EXPECT_EQ(told(R"({"replicas":2,"readyReplicas":1,"availableReplicas":2})"),
            "Invalid status.availableReplicas");
}

}  // namespace
}  // namespace basalt::apiserver
