#include "apiserver/kinds/builtin.h"

#include <fmt/format.h>

#include <boost/json/value.hpp>
#include <memory>
#include <utility>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/schema/builtin_types.h"
#include "base/ascii.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

// What data/kinds.txt does not say of a kind.
struct BuiltinKind {
  std::string_view type;
  KindTraits traits = {};
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  std::vector<std::string> subresources = {};
  bool graceful_deletion = false;
  bool orphans = false;  // older than garbage collection
  bool collection_deletion = true;
  bool returns_deleted = false;
  bool update_needs_version = false;
  bool put_creates = false;
  std::string idle = {};
};

// The entry of a kind in data/kinds.txt: ID GROUP VERSION PLURAL SCOPE SUBRESOURCES...
std::string_view WireEntry(std::string_view type) {
  std::string_view text = KindsText();
  for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
    if (NextWord(entry) == type) return entry;
  }
  BASALT_CHECK(false);
  return {};
}

KindInfo Make(BuiltinKind kind) {
  const TypeSchema* schema = FindBuiltinType(kind.type);
  BASALT_CHECK(schema != nullptr);
  KindInfo info{.kind = std::string(kind.type.substr(kind.type.find('.') + 1)),
                .short_names = std::move(kind.short_names),
                .categories = std::move(kind.categories),
                .has_status = false,
                .subresources = std::move(kind.subresources),
                .graceful_deletion = kind.graceful_deletion,
                .orphans = kind.orphans,
                .collection_deletion = kind.collection_deletion,
                .returns_deleted = kind.returns_deleted,
                .update_needs_version = kind.update_needs_version,
                .put_creates = kind.put_creates,
                .idle = std::move(kind.idle),
                .schema = schema};
  std::string_view entry = WireEntry(kind.type);
  info.group = NextWord(entry);
  if (info.group == "core") info.group.clear();
  info.version = NextWord(entry);
  info.plural = NextWord(entry);
  info.namespaced = NextWord(entry) == "namespaced";
  for (std::string_view part = NextWord(entry); !part.empty(); part = NextWord(entry)) {
    info.has_status |= part == "status";
    info.has_scale |= part == "scale";
  }
  // The rules of definitions are not theirs alone (crd/): the server adds them.
  if (info.kind != "CustomResourceDefinition") {
    kind.traits.namespaced = info.namespaced;
    info.rules = std::make_shared<BuiltinRules>(*schema, std::move(kind.traits));
  }
  info.list_kind = info.kind + "List";
  info.singular = ToLower(info.kind);
  return info;
}

std::string NoController(std::string_view kind) {
  return fmt::format("no controller here acts on {} {}: it is stored and nothing comes of it",
                     kind.starts_with('I') ? "an" : "a", kind);
}

std::string NoPermissions(std::string_view kind) {
  return fmt::format("who has a token may do everything here: a {} is stored and nobody asks it",
                     kind);
}

std::vector<BuiltinKind> CoreKinds() {
  return {
      {.type = "core.Pod",
       .traits = {.generation = true,
                  .selectable = {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName",
                                 "spec.serviceAccountName", "spec.hostNetwork", "status.phase",
                                 "status.podIP", "status.nominatedNodeName"},
                  .hooks = &kPodHooks},
       .short_names = {"po"},
       .categories = {"all"},
       .subresources = {"binding", "eviction", "log"},
       .graceful_deletion = true,
       .returns_deleted = true},
      {.type = "core.Node",
       .traits = {.keeps_status = true,
                  .selectable = {"spec.unschedulable"},
                  .cells = "name nodeStatus nodeRoles|<none> age .status.nodeInfo.kubeletVersion "
                           "nodeAddress(InternalIP)|<none> nodeAddress(ExternalIP)|<none> "
                           ".status.nodeInfo.osImage|<unknown> "
                           ".status.nodeInfo.kernelVersion|<unknown> "
                           ".status.nodeInfo.containerRuntimeVersion|<unknown>",
                  .hooks = &kNodeHooks},
       .short_names = {"no"}},
      {.type = "core.Namespace",
       .traits = {.name_check = syntax::NameIsDnsLabelWithoutDots,
                  .checks_all_on_update = false,
                  .selectable = {"status.phase"},
                  .cells = "name .status.phase age",
                  .hooks = &kNamespaceHooks},
       .short_names = {"ns"},
       .subresources = {"finalize"},
       .collection_deletion = false,
       .returns_deleted = true},
      {.type = "core.Event",
       .traits = {.name_check = syntax::NameIsPathSegment,
                  .checks_all_on_update = false,
                  .hooks = &kEventHooks},
       .short_names = {"ev"},
       .put_creates = true},
      {.type = "events.Event",
       .traits = {.name_check = syntax::NameIsPathSegment,
                  .checks_all_on_update = false,
                  .hooks = &kNewEventHooks},
       .short_names = {"ev"},
       .put_creates = true},
      {.type = "core.Secret",
       .traits = {.selectable = {"type"},
                  .cells = "name .type count(.data) age",
                  .hooks = &kSecretHooks}},
      {.type = "core.ConfigMap",
       .traits = {.cells = "name count(.data,.binaryData) age", .hooks = &kConfigMapHooks},
       .short_names = {"cm"}},
      {.type = "core.ServiceAccount",
       .traits = {.cells = "name age"},
       .short_names = {"sa"},
       .subresources = {"token"},
       .returns_deleted = true},
      {.type = "core.ResourceQuota",
       .traits = {.cells = "name quota(requests) quota(limits) age", .hooks = &kQuotaHooks},
       .short_names = {"quota"},
       .returns_deleted = true},
      {.type = "core.LimitRange",
       .traits = {.hooks = &kLimitRangeHooks},
       .short_names = {"limits"},
       .put_creates = true},
      {.type = "scheduling.PriorityClass",
       .traits = {.checks_all_on_update = false,
                  .updates_are_checked = false,
                  .cells = "name .value .globalDefault age .preemptionPolicy",
                  .hooks = &kPriorityClassHooks},
       .short_names = {"pc"}},
      {.type = "coordination.Lease",
       .traits = {.cells = "name .spec.holderIdentity age", .hooks = &kLeaseHooks},
       .update_needs_version = true,
       .put_creates = true},
      {.type = "node.RuntimeClass",
       .traits = {.cells = "name .handler age"},
       .update_needs_version = true},
  };
}

std::vector<BuiltinKind> WorkloadKinds() {
  return {
      {.type = "core.PodTemplate",
       .traits = {.generation = true,
                  .cells = "name join(.template.spec.containers,name) "
                           "join(.template.spec.containers,image) "
                           "labels(.template.metadata.labels)"},
       .returns_deleted = true},
      {.type = "core.ReplicationController",
       .traits = {.generation = true,
                  .cells = "name .spec.replicas .status.replicas .status.readyReplicas age "
                           "join(.spec.template.spec.containers,name) "
                           "join(.spec.template.spec.containers,image) labels(.spec.selector)",
                  .hooks = &kReplicationControllerHooks},
       .short_names = {"rc"},
       .categories = {"all"},
       .orphans = true,
       .idle = NoController("ReplicationController")},
      {.type = "apps.Deployment",
       .traits = {.generation = true,
                  .checks_all_on_update = false,
                  .cells = "name .status.readyReplicas/.spec.replicas .status.updatedReplicas "
                           ".status.availableReplicas age "
                           "join(.spec.template.spec.containers,name) "
                           "join(.spec.template.spec.containers,image) selector(.spec.selector)",
                  .hooks = &kDeploymentHooks},
       .short_names = {"deploy"},
       .categories = {"all"}},
      {.type = "apps.ReplicaSet",
       .traits = {.generation = true,
                  .checks_all_on_update = false,
                  .selectable = {"status.replicas"},
                  .cells = "name .spec.replicas .status.replicas .status.readyReplicas age "
                           "join(.spec.template.spec.containers,name) "
                           "join(.spec.template.spec.containers,image) selector(.spec.selector)",
                  .hooks = &kReplicaSetHooks},
       .short_names = {"rs"},
       .categories = {"all"}},
      {.type = "apps.StatefulSet",
       .traits = {.generation = true,
                  .name_check = syntax::NameIsDnsLabelWithoutDots,
                  .checks_all_on_update = false,
                  .cells = "name .status.readyReplicas/.spec.replicas age "
                           "join(.spec.template.spec.containers,name) "
                           "join(.spec.template.spec.containers,image)",
                  .hooks = &kStatefulSetHooks},
       .short_names = {"sts"},
       .categories = {"all"}},
      {.type = "apps.DaemonSet",
       .traits = {.generation = true,
                  .checks_all_on_update = false,
                  .cells = "name .status.desiredNumberScheduled .status.currentNumberScheduled "
                           ".status.numberReady .status.updatedNumberScheduled "
                           ".status.numberAvailable labels(.spec.template.spec.nodeSelector) age "
                           "join(.spec.template.spec.containers,name) "
                           "join(.spec.template.spec.containers,image) selector(.spec.selector)",
                  .hooks = &kDaemonSetHooks},
       .short_names = {"ds"},
       .categories = {"all"}},
      {.type = "apps.ControllerRevision",
       .traits = {.cells = "name revisionOwner|<none> .revision age"}},
      {.type = "batch.Job",
       .traits = {.generation = true,
                  .checks_all_on_update = false,
                  .cells = "name jobStatus jobCompletions jobDuration age "
                           "join(.spec.template.spec.containers,name) "
                           "join(.spec.template.spec.containers,image) selector(.spec.selector)",
                  .hooks = &kJobHooks},
       .categories = {"all"},
       .orphans = true},
      {.type = "batch.CronJob",
       .traits = {.generation = true,
                  .cells = "name .spec.schedule .spec.timeZone|<none> capital(.spec.suspend) "
                           "count(.status.active) since(.status.lastScheduleTime)|<none> age "
                           "join(.spec.jobTemplate.spec.template.spec.containers,name) "
                           "join(.spec.jobTemplate.spec.template.spec.containers,image) "
                           "selector(.spec.jobTemplate.spec.selector)",
                  .hooks = &kCronJobHooks},
       .short_names = {"cj"},
       .categories = {"all"},
       .idle = NoController("CronJob")},
      {.type = "autoscalingv2.HorizontalPodAutoscaler",
       .traits = {.cells = "name .spec.scaleTargetRef.kind/.spec.scaleTargetRef.name "
                           "metrics(.spec.metrics)|<none> text(.spec.minReplicas)|<unset> "
                           ".spec.maxReplicas .status.currentReplicas age"},
       .short_names = {"hpa"},
       .categories = {"all"},
       .idle = NoController("HorizontalPodAutoscaler")},
      {.type = "policy.PodDisruptionBudget",
       .traits = {.generation = true,
                  .checks_all_on_update = false,
                  .cells = "name text(.spec.minAvailable)|N/A text(.spec.maxUnavailable)|N/A "
                           ".status.disruptionsAllowed age",
                  .hooks = &kBudgetHooks},
       .short_names = {"pdb"},
       .update_needs_version = true,
       .put_creates = true},
  };
}

std::vector<BuiltinKind> NetworkKinds() {
  return {
      {.type = "core.Service",
       .traits = {.name_check = syntax::NameIsDnsLabel,
                  .selectable = {"spec.clusterIP", "spec.type"},
                  .cells = "name .spec.type .spec.clusterIP|<none> "
                           "serviceAddresses(.spec.externalIPs) servicePorts(.spec.ports)|<none> "
                           "age labels(.spec.selector)",
                  .hooks = &kServiceHooks},
       .short_names = {"svc"},
       .categories = {"all"},
       .returns_deleted = true},
      {.type = "core.Endpoints",
       .traits = {.cells = "name endpoints(.subsets)|<none> age"},
       .short_names = {"ep"},
       .put_creates = true},
      {.type = "discovery.EndpointSlice",
       .traits = {.generation = true,
                  .cells = "name .addressType slicePorts(.ports)|<unset> "
                           "sliceAddresses(.endpoints)|<unset> age"}},
      {.type = "networking.NetworkPolicy",
       .traits = {.generation = true, .cells = "name selector(.spec.podSelector) age"},
       .short_names = {"netpol"},
       .idle = NoController("NetworkPolicy")},
      {.type = "networking.Ingress",
       .traits = {.generation = true,
                  .cells = "name .spec.ingressClassName|<none> ingressHosts(.spec.rules)|* "
                           "ingressAddresses(.status.loadBalancer.ingress) "
                           "ingressPorts(.spec.tls) age"},
       .short_names = {"ing"},
       .idle = NoController("Ingress")},
      {.type = "networking.IngressClass",
       .traits = {.generation = true,
                  .cells = "defaultName(ingressclass.kubernetes.io/is-default-class) "
                           ".spec.controller classParameters(.spec.parameters)|<none> age"}},
  };
}

std::vector<BuiltinKind> StorageKinds() {
  return {
      {.type = "core.PersistentVolumeClaim",
       .traits = {.cells = "name phase .spec.volumeName claimCapacity(.status.capacity.storage) "
                           "claimModes(.status.accessModes) .spec.storageClassName "
                           ".spec.volumeAttributesClassName|<unset> age .spec.volumeMode",
                  .hooks = &kClaimHooks},
       .short_names = {"pvc"},
       .returns_deleted = true},
      {.type = "core.PersistentVolume",
       .traits = {.cells = "name .spec.capacity.storage modes(.spec.accessModes) "
                           ".spec.persistentVolumeReclaimPolicy phase "
                           "volumeClaim(.spec.claimRef) .spec.storageClassName "
                           ".spec.volumeAttributesClassName|<unset> .status.reason age "
                           ".spec.volumeMode",
                  .hooks = &kVolumeHooks},
       .short_names = {"pv"},
       .returns_deleted = true},
      {.type = "storage.StorageClass",
       .traits = {.checks_all_on_update = false,
                  .updates_are_checked = false,
                  .cells = "defaultName(storageclass.kubernetes.io/is-default-class) .provisioner "
                           ".reclaimPolicy .volumeBindingMode .allowVolumeExpansion age",
                  .hooks = &kClassHooks},
       .short_names = {"sc"},
       .returns_deleted = true},
      {.type = "storage.CSINode",
       .traits = {.cells = "name count(.spec.drivers) age"},
       .returns_deleted = true,
       .update_needs_version = true},
      {.type = "storage.CSIDriver",
       .traits = {.cells = "name .spec.attachRequired .spec.podInfoOnMount .spec.storageCapacity "
                           "join(.spec.tokenRequests,audience)|<unset> .spec.requiresRepublish "
                           "join(.spec.volumeLifecycleModes)|<none> age"},
       .returns_deleted = true},
      {.type = "storage.CSIStorageCapacity"},
      {.type = "storage.VolumeAttachment",
       .traits = {.cells = "name .spec.attacher .spec.source.persistentVolumeName .spec.nodeName "
                           ".status.attached age"},
       .returns_deleted = true},
  };
}

std::vector<BuiltinKind> AccessKinds() {
  const KindTraits role{.name_check = syntax::NameIsPathSegment};
  const KindTraits binding{.name_check = syntax::NameIsPathSegment,
                           .cells =
                               "name .roleRef.kind/.roleRef.name age "
                               "subjects(.subjects,User) subjects(.subjects,Group) "
                               "subjects(.subjects,ServiceAccount)"};
  const KindTraits webhooks{
      .generation = true, .checks_all_on_update = false, .cells = "name count(.webhooks) age"};
  return {
      {.type = "rbac.Role", .traits = role, .idle = NoPermissions("Role")},
      {.type = "rbac.ClusterRole", .traits = role, .idle = NoPermissions("ClusterRole")},
      {.type = "rbac.RoleBinding", .traits = binding, .idle = NoPermissions("RoleBinding")},
      {.type = "rbac.ClusterRoleBinding",
       .traits = binding,
       .idle = NoPermissions("ClusterRoleBinding")},
      {.type = "admissionregistration.MutatingWebhookConfiguration",
       .traits = webhooks,
       .categories = {"api-extensions"},
       .update_needs_version = true},
      {.type = "admissionregistration.ValidatingWebhookConfiguration",
       .traits = webhooks,
       .categories = {"api-extensions"},
       .update_needs_version = true},
      {.type = "apiextensions.CustomResourceDefinition",
       .short_names = {"crd", "crds"},
       .categories = {"api-extensions"},
       .update_needs_version = true},
  };
}

}  // namespace

std::vector<KindInfo> BuiltinKinds() {
  std::vector<KindInfo> kinds;
  for (std::vector<BuiltinKind> entries :
       {CoreKinds(), WorkloadKinds(), NetworkKinds(), StorageKinds(), AccessKinds()}) {
    for (BuiltinKind& entry : entries) kinds.push_back(Make(std::move(entry)));
  }
  return kinds;
}

std::vector<json::object> InitialObjects() {
  std::vector<json::object> objects;
  for (const char* name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    objects.push_back(
        {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}});
  }
  const auto add_class = [&](const char* name, std::int64_t value, const char* description) {
    objects.push_back({{"apiVersion", "scheduling.k8s.io/v1"},
                       {"kind", "PriorityClass"},
                       {"metadata", {{"name", name}}},
                       {"value", value},
                       {"description", description},
                       {"preemptionPolicy", "PreemptLowerPriority"}});
  };
  add_class("system-node-critical", 2000001000,
            "Used for system critical pods that must not be moved from their current node.");
  add_class("system-cluster-critical", 2000000000,
            "Used for system critical pods that must run in the cluster, but can be moved to "
            "another node if necessary.");
  return objects;
}

}  // namespace basalt::apiserver
