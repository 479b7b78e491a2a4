#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"

// Realistic pods for benchmarks.
namespace basalt {
namespace sample {

inline std::string Uid(Random& random) {
  const auto bits = [&](int digits) {
    return random.Next() & ((std::uint64_t{1} << (4 * digits)) - 1);
  };
  return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", bits(8), bits(4), bits(3), bits(3),
                     bits(12));
}

// What a controller-manager and a kubelet leave behind in managedFields.
inline constexpr std::string_view kManagedFields =
    R"([{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1",)"
    R"("time":"2026-03-01T10:15:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{)"
    R"("f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{},"f:tier":{}},)"
    R"("f:ownerReferences":{".":{},"k:{\"uid\":\"0a2a9b9e-63a1-4a56-8d3c-5c7d5a3f2b11\"}":{}}},)"
    R"("f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:env":{".":{},)"
    R"("k:{\"name\":\"LOG_LEVEL\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},)"
    R"("f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},)"
    R"("f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},)"
    R"("f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},)"
    R"("f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},)"
    R"("f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":"kubelet",)"
    R"("operation":"Update","apiVersion":"v1","time":"2026-03-01T10:15:09Z",)"
    R"("fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{)"
    R"("k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},)"
    R"("f:lastTransitionTime":{},"f:status":{},"f:type":{}},)"
    R"("k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},)"
    R"("f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},)"
    R"("f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},)"
    R"("f:hostIP":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.4.7.21\"}":{)"
    R"(".":{},"f:ip":{}}},"f:startTime":{}}},"subresource":"status"}])";

inline constexpr std::string_view kTolerations =
    R"([{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",)"
    R"("tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists",)"
    R"("effect":"NoExecute","tolerationSeconds":300}])";

inline constexpr std::string_view kAffinity =
    R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{)"
    R"("nodeSelectorTerms":[{"matchExpressions":[{"key":"accelerator","operator":"In",)"
    R"("values":["a100","h100"]}]}]}},"podAntiAffinity":{)"
    R"("preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":{)"
    R"("labelSelector":{"matchLabels":{"app":"train"}},"topologyKey":"kubernetes.io/hostname"}}]}},)";

inline std::string Container(std::string_view name, std::string_view image,
                             std::string_view resources) {
  return fmt::format(
      R"({{"name":"{}","image":"registry.example.com/{}:v1.42.7","args":["--config=/etc/app.yaml",)"
      R"("--v=2"],"ports":[{{"name":"http","containerPort":8080,"protocol":"TCP"}}],"env":[{{)"
      R"("name":"LOG_LEVEL","value":"info"}},{{"name":"POD_NAME","valueFrom":{{"fieldRef":{{)"
      R"("apiVersion":"v1","fieldPath":"metadata.name"}}}}}}],"resources":{},"volumeMounts":[{{)"
      R"("name":"kube-api-access","readOnly":true,)"
      R"("mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}}],)"
      R"("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",)"
      R"("imagePullPolicy":"IfNotPresent"}})",
      name, image, resources);
}

inline std::string ContainerStatus(Random& random, std::string_view name, std::string_view image,
                                   std::string_view resources) {
  return fmt::format(
      R"({{"name":"{}","state":{{"running":{{"startedAt":"2026-03-01T10:15:07Z"}}}},)"
      R"("lastState":{{}},"ready":true,"restartCount":0,"image":"registry.example.com/{}:v1.42.7",)"
      R"("imageID":"registry.example.com/{}@sha256:{:016x}{:016x}{:016x}{:016x}",)"
      R"("containerID":"containerd://{:016x}{:016x}{:016x}{:016x}","started":true,)"
      R"("resources":{}}})",
      name, image, image, random.Next(), random.Next(), random.Next(), random.Next(), random.Next(),
      random.Next(), random.Next(), random.Next(), resources);
}

inline std::string Condition(std::string_view type) {
  return fmt::format(R"({{"type":"{}","status":"True","lastProbeTime":null,)"
                     R"("lastTransitionTime":"2026-03-01T10:15:08Z"}})",
                     type);
}

struct Shape {
  std::string_view app;
  std::string_view owner_kind;
  std::string_view resources;
  bool sidecar = false;
  bool gpu = false;
};

inline constexpr Shape kShapes[] = {
    {"checkout", "ReplicaSet",
     R"({"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"250m","memory":"512Mi"}})", true},
    {"batch-worker", "Job",
     R"({"limits":{"cpu":"4","memory":"8Gi"},"requests":{"cpu":"4","memory":"8Gi"}})"},
    {"train", "Job",
     R"({"limits":{"cpu":"16","memory":"128Gi","nvidia.com/gpu":"1"},)"
     R"("requests":{"cpu":"16","memory":"128Gi","nvidia.com/gpu":"1"}})",
     false, true},
};
inline constexpr std::string_view kSidecarResources =
    R"({"limits":{"cpu":"200m","memory":"128Mi"},"requests":{"cpu":"100m","memory":"64Mi"}})";

}  // namespace sample

// One pod of a few shapes (web pods with a sidecar, batch workers, GPU pods with affinity), with
// status and managedFields, 3 to 5 KB, as an API server sends it.
inline std::string SamplePod(int index) {
  using namespace sample;
  Random random(static_cast<std::uint64_t>(index) + 1);
  const Shape& shape = kShapes[index % 3];
  const std::string name = fmt::format("{}-7d9f8b6c5d-{:05x}", shape.app, random.Next() & 0xfffff);
  std::string containers = Container("main", shape.app, shape.resources);
  std::string statuses = ContainerStatus(random, "main", shape.app, shape.resources);
  if (shape.sidecar) {
    containers += "," + Container("proxy", "mesh/proxy", kSidecarResources);
    statuses += "," + ContainerStatus(random, "proxy", "mesh/proxy", kSidecarResources);
  }
  const std::string metadata = fmt::format(
      R"({{"name":"{}","generateName":"{}-7d9f8b6c5d-","namespace":"team-{}","uid":"{}",)"
      R"("resourceVersion":"{}","creationTimestamp":"2026-03-01T10:15:00Z","labels":{{)"
      R"("app":"{}","pod-template-hash":"7d9f8b6c5d","tier":"backend"}},"annotations":{{)"
      R"("kubectl.kubernetes.io/restartedAt":"2026-02-27T08:00:00Z",)"
      R"("prometheus.io/port":"8080","prometheus.io/scrape":"true"}},"ownerReferences":[{{)"
      R"("apiVersion":"apps/v1","kind":"{}","name":"{}-7d9f8b6c5d","uid":"{}",)"
      R"("controller":true,"blockOwnerDeletion":true}}],"managedFields":{}}})",
      name, shape.app, index % 40, Uid(random), 1'000'000 + index, shape.app, shape.owner_kind,
      shape.app, Uid(random), kManagedFields);
  const std::string spec = fmt::format(
      R"({{"volumes":[{{"name":"kube-api-access","projected":{{"sources":[{{)"
      R"("serviceAccountToken":{{"expirationSeconds":3607,"path":"token"}}}},{{"configMap":{{)"
      R"("name":"kube-root-ca.crt","items":[{{"key":"ca.crt","path":"ca.crt"}}]}}}}],)"
      R"("defaultMode":420}}}}],"containers":[{}],"restartPolicy":"Always",)"
      R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",)"
      R"("serviceAccountName":"default","serviceAccount":"default","nodeName":"node-{:04}",)"
      R"("securityContext":{{}},{}"schedulerName":"volcano","tolerations":{},)"
      R"("priorityClassName":"normal","priority":1000,"enableServiceLinks":true,)"
      R"("preemptionPolicy":"PreemptLowerPriority"}})",
      containers, index % 10'000, shape.gpu ? kAffinity : "", kTolerations);
  const std::string status = fmt::format(
      R"({{"phase":"Running","conditions":[{},{},{},{},{}],"hostIP":"10.0.{}.{}",)"
      R"("hostIPs":[{{"ip":"10.0.1.7"}}],"podIP":"10.4.{}.{}","podIPs":[{{"ip":"10.4.7.21"}}],)"
      R"("startTime":"2026-03-01T10:15:01Z","containerStatuses":[{}],"qosClass":"Burstable"}})",
      Condition("PodReadyToStartContainers"), Condition("Initialized"), Condition("Ready"),
      Condition("ContainersReady"), Condition("PodScheduled"), index / 250 % 250, index % 250,
      index / 250 % 250, index % 250, statuses);
  return fmt::format(R"({{"metadata":{},"spec":{},"status":{}}})", metadata, spec, status);
}

inline std::string SamplePodList(int count) {
  std::string list =
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1000000"},"items":[)";
  for (int i = 0; i < count; ++i) {
    if (i > 0) list += ',';
    list += SamplePod(i);
  }
  return list + "]}\n";
}

}  // namespace basalt
