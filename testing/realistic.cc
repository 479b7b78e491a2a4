#include "testing/realistic.h"

#include <fmt/core.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "testing/builders.h"

namespace basalt::testutil {
namespace {

json::value PodTemplate() {
  return json::parse(R"({
  "apiVersion": "v1", "kind": "Pod",
  "metadata": {
    "namespace": "default",
    "labels": {"app.kubernetes.io/name": "checkout", "app.kubernetes.io/component": "backend",
      "app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/version": "4.17.2",
      "helm.sh/chart": "checkout-1.9.0", "team": "payments", "environment": "production"},
    "annotations": {"prometheus.io/scrape": "true", "prometheus.io/port": "9090",
      "checksum/config": "0f3a7c9d5e1b8a6f4c2d0e9b7a5c3f1d8e6b4a2c0f9d7e5b3a1c8f6d4e2b0a97",
      "kubectl.kubernetes.io/restartedAt": "2026-05-03T08:15:30Z",
      "scheduling.k8s.io/group-name": "podgroup-checkout"}},
  "spec": {
    "schedulerName": "volcano", "serviceAccountName": "checkout", "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 30, "dnsPolicy": "ClusterFirst",
    "securityContext": {"runAsNonRoot": true, "runAsUser": 10001, "fsGroup": 10001,
      "seccompProfile": {"type": "RuntimeDefault"}},
    "affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{
      "weight": 100, "podAffinityTerm": {"topologyKey": "kubernetes.io/hostname",
        "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "checkout"}}}}]}},
    "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone",
      "whenUnsatisfiable": "ScheduleAnyway",
      "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "checkout"}}}],
    "tolerations": [
      {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute",
        "tolerationSeconds": 300},
      {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute",
        "tolerationSeconds": 300}],
    "volumes": [
      {"name": "config", "configMap": {"name": "checkout-config", "defaultMode": 420}},
      {"name": "tmp", "emptyDir": {"sizeLimit": "1Gi"}},
      {"name": "kube-api-access-x7k2p", "projected": {"defaultMode": 420, "sources": [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {"downwardAPI": {"items": [{"path": "namespace",
          "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}]}}],
    "containers": [
      {"name": "app", "image": "registry.example.com/payments/checkout:4.17.2",
        "imagePullPolicy": "IfNotPresent",
        "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"},
                  {"name": "metrics", "containerPort": 9090, "protocol": "TCP"}],
        "env": [{"name": "LOG_LEVEL", "value": "info"},
          {"name": "DATABASE_HOST", "value": "checkout-db.payments.svc.cluster.local"},
          {"name": "DATABASE_PASSWORD", "valueFrom": {"secretKeyRef": {"name": "checkout-db", "key": "password"}}},
          {"name": "POD_NAME", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}},
          {"name": "GOMAXPROCS", "value": "2"},
          {"name": "OTEL_EXPORTER_OTLP_ENDPOINT", "value": "http://otel-collector.observability:4317"}],
        "resources": {"requests": {"cpu": "500m", "memory": "512Mi"}, "limits": {"cpu": "2", "memory": "1Gi"}},
        "livenessProbe": {"httpGet": {"path": "/healthz", "port": "http", "scheme": "HTTP"},
          "initialDelaySeconds": 10, "periodSeconds": 10, "timeoutSeconds": 2, "failureThreshold": 3, "successThreshold": 1},
        "readinessProbe": {"httpGet": {"path": "/readyz", "port": "http", "scheme": "HTTP"},
          "periodSeconds": 5, "timeoutSeconds": 2, "failureThreshold": 3, "successThreshold": 1},
        "securityContext": {"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true,
          "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [{"name": "config", "mountPath": "/etc/checkout", "readOnly": true},
          {"name": "tmp", "mountPath": "/tmp"},
          {"name": "kube-api-access-x7k2p", "readOnly": true, "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}],
        "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"}]}})");
}

json::value PodStatus() {
  return json::parse(R"({"status": {"phase": "Running", "qosClass": "Burstable",
  "startTime": "2026-05-03T08:15:31Z",
  "conditions": [
    {"type": "PodScheduled", "status": "True", "lastProbeTime": null, "lastTransitionTime": "2026-05-03T08:15:31Z"},
    {"type": "PodReadyToStartContainers", "status": "True", "lastProbeTime": null, "lastTransitionTime": "2026-05-03T08:15:33Z"},
    {"type": "Initialized", "status": "True", "lastProbeTime": null, "lastTransitionTime": "2026-05-03T08:15:31Z"},
    {"type": "ContainersReady", "status": "True", "lastProbeTime": null, "lastTransitionTime": "2026-05-03T08:15:45Z"},
    {"type": "Ready", "status": "True", "lastProbeTime": null, "lastTransitionTime": "2026-05-03T08:15:45Z"}],
  "containerStatuses": [
    {"name": "app", "ready": true, "started": true, "restartCount": 0,
      "image": "registry.example.com/payments/checkout:4.17.2",
      "imageID": "registry.example.com/payments/checkout@sha256:5e1b8a6f4c2d0e9b7a5c3f1d8e6b4a2c0f9d7e5b3a1c8f6d4e2b0a970f3a7c9d",
      "containerID": "containerd://8a6f4c2d0e9b7a5c3f1d8e6b4a2c0f9d7e5b3a1c8f6d4e2b0a970f3a7c9d5e1b",
      "lastState": {}, "state": {"running": {"startedAt": "2026-05-03T08:15:40Z"}}}]}})");
}

json::value NodeStatus() {
  json::value patch = json::parse(R"({"status": {
  "capacity": {"cpu": "16", "memory": "65843216Ki", "pods": "110", "ephemeral-storage": "103865304Ki", "hugepages-1Gi": "0", "hugepages-2Mi": "0"},
  "allocatable": {"cpu": "15890m", "memory": "63123472Ki", "pods": "110", "ephemeral-storage": "95491281146", "hugepages-1Gi": "0", "hugepages-2Mi": "0"},
  "conditions": [
    {"type": "MemoryPressure", "status": "False", "reason": "KubeletHasSufficientMemory", "message": "kubelet has sufficient memory available", "lastHeartbeatTime": "2026-05-03T08:15:31Z", "lastTransitionTime": "2026-04-01T10:00:00Z"},
    {"type": "DiskPressure", "status": "False", "reason": "KubeletHasNoDiskPressure", "message": "kubelet has no disk pressure", "lastHeartbeatTime": "2026-05-03T08:15:31Z", "lastTransitionTime": "2026-04-01T10:00:00Z"},
    {"type": "PIDPressure", "status": "False", "reason": "KubeletHasSufficientPID", "message": "kubelet has sufficient PID available", "lastHeartbeatTime": "2026-05-03T08:15:31Z", "lastTransitionTime": "2026-04-01T10:00:00Z"},
    {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status", "lastHeartbeatTime": "2026-05-03T08:15:31Z", "lastTransitionTime": "2026-04-01T10:00:20Z"}],
  "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
  "nodeInfo": {"architecture": "amd64", "bootID": "6d1f0a3e-7a55-4d0e-9c0b-0d8f4b8a2f11", "containerRuntimeVersion": "containerd://2.1.4",
    "kernelVersion": "6.12.30-cloud-amd64", "kubeProxyVersion": "", "kubeletVersion": "v1.36.0", "machineID": "ec2f6e1b8a6f4c2d0e9b7a5c3f1d8e6b",
    "operatingSystem": "linux", "osImage": "Debian GNU/Linux 13", "systemUUID": "ec2f6e1b-8a6f-4c2d-0e9b-7a5c3f1d8e6b"}}})");
  json::array images;
  for (int i = 0; i < 20; ++i) {
    images.push_back(json::object{
        {"names",
         {fmt::format("registry.example.com/platform/image-{}@sha256:{:064x}", i, i * 7919),
          fmt::format("registry.example.com/platform/image-{}:1.{}.0", i, i)}},
        {"sizeBytes", 10'000'000 + i * 1'234'567}});
  }
  patch.at("status").as_object()["images"] = std::move(images);
  return patch;
}

std::string OwnerName(int i) { return fmt::format("checkout-{:x}", 0x6f9d000000 + i); }

}  // namespace

RealisticObject RealisticOwner(int i) {
  static const json::value kPod = PodTemplate();
  const std::string name = OwnerName(i);
  json::object set = MakeObject(kube::resources::kReplicaSets, name).Json();
  const json::object labels{{"app.kubernetes.io/name", "checkout"}};
  set["spec"] = {{"replicas", kPodsPerOwner},
                 {"selector", {{"matchLabels", labels}}},
                 {"template", {{"metadata", {{"labels", labels}}}, {"spec", kPod.at("spec")}}}};
  return {.name = name,
          .body = json::serialize(set),
          .status_patch = fmt::format(R"({{"status":{{"replicas":{}}}}})", kPodsPerOwner)};
}

RealisticObject RealisticPod(int i, int nodes, std::string_view owner_uid) {
  static const json::value kTemplate = PodTemplate();
  static const json::value kStatus = PodStatus();
  json::object pod = kTemplate.get_object();
  const int owner = i / kPodsPerOwner;
  const std::string owner_name = OwnerName(owner);
  const std::string name = fmt::format("{}-{:05x}", owner_name, i);
  SetPath(pod, "metadata.name", json::value(name));
  if (!owner_uid.empty()) {
    SetPath(pod, "metadata.ownerReferences",
            json::array{json::object{{"apiVersion", "apps/v1"},
                                     {"kind", "ReplicaSet"},
                                     {"name", owner_name},
                                     {"uid", owner_uid},
                                     {"controller", true},
                                     {"blockOwnerDeletion", true}}});
  }
  pod["metadata"].get_object()["labels"].get_object()["pod-template-hash"] =
      fmt::format("{:x}", 0x6f9d0000 + owner);
  if (nodes > 0) SetPath(pod, "spec.nodeName", json::value(RealisticNode(i % nodes).name));
  json::object status = kStatus.get_object();
  const std::string ip = fmt::format("10.{}.{}.{}", i >> 16 & 255, i >> 8 & 255, i & 255);
  SetPath(status, "status.podIP", json::value(ip));
  SetPath(status, "status.podIPs", json::array{json::object{{"ip", ip}}});
  SetPath(status, "status.hostIP",
          json::value(fmt::format("192.168.{}.{}", i >> 8 & 255, i & 255)));
  return {.name = name, .body = json::serialize(pod), .status_patch = json::serialize(status)};
}

RealisticObject RealisticNode(int i) {
  static const std::string kStatus = json::serialize(NodeStatus());
  const std::string name = fmt::format("ip-10-{}-{}-{}.eu-central-1.compute.internal",
                                       i >> 16 & 255, i >> 8 & 255, i & 255);
  const NodeBuilder node =
      NodeBuilder(name)
          .Label("beta.kubernetes.io/arch", "amd64")
          .Label("beta.kubernetes.io/os", "linux")
          .Label("kubernetes.io/arch", "amd64")
          .Label("kubernetes.io/os", "linux")
          .Label("node.kubernetes.io/instance-type", "m7i.4xlarge")
          .Label("topology.kubernetes.io/region", "eu-central-1")
          .Label("topology.kubernetes.io/zone", fmt::format("eu-central-1{}", "abc"[i % 3]))
          .Label("node-group", fmt::format("workers-{}", i % 8))
          .Annotation("node.alpha.kubernetes.io/ttl", "0")
          .Annotation("volumes.kubernetes.io/controller-managed-attach-detach", "true")
          .Set("spec.podCIDR", fmt::format("10.{}.{}.0/24", i >> 8 & 255, i & 255))
          .Set("spec.providerID", fmt::format("aws:///eu-central-1a/i-0{:016x}", i));
  return {.name = name, .body = node.Text(), .status_patch = kStatus};
}

}  // namespace basalt::testutil
