#include "apiserver/kinds/builtin.h"

#include <boost/json/value.hpp>
#include <memory>
#include <utility>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/schema/builtin_types.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

// A kind in short: everything else follows from it.
struct BuiltinKind {
  const char* type;  // schema/builtin_types.h
  const char* group;
  const char* plural;
  const char* singular;
  std::shared_ptr<const KindRules> rules;
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  bool namespaced = true;
  bool has_scale = false;
  bool graceful_deletion = false;
};

KindInfo Make(BuiltinKind entry) {
  const TypeSchema* schema = FindBuiltinType(entry.type);
  BASALT_CHECK(schema != nullptr);
  const std::string kind = schema->go_name.substr(3);  // behind "v1."
  return {.group = entry.group,
          .version = "v1",
          .kind = kind,
          .list_kind = kind + "List",
          .plural = entry.plural,
          .singular = entry.singular,
          .short_names = std::move(entry.short_names),
          .categories = std::move(entry.categories),
          .namespaced = entry.namespaced,
          .has_status = schema->FindField("status") != nullptr,
          .has_scale = entry.has_scale,
          .graceful_deletion = entry.graceful_deletion,
          .schema = schema,
          .rules = std::move(entry.rules)};
}

}  // namespace

std::vector<KindInfo> BuiltinKinds() {
  const std::vector<std::string> all = {"all"};
  const std::vector<std::string> extensions = {"api-extensions"};
  std::vector<BuiltinKind> entries = {
      {"core.Pod", "", "pods", "pod", PodRulesInstance(), {"po"}, all, true, false, true},
      {"core.Node", "", "nodes", "node", NodeRulesInstance(), {"no"}, {}, false},
      {"core.Namespace",
       "",
       "namespaces",
       "namespace",
       NamespaceRulesInstance(),
       {"ns"},
       {},
       false},
      {"core.Event", "", "events", "event", EventRulesInstance(), {"ev"}},
      {"events.Event", "events.k8s.io", "events", "event", NewEventRulesInstance(), {"ev"}},
      {"core.Secret", "", "secrets", "secret", SecretRulesInstance()},
      {"core.ConfigMap", "", "configmaps", "configmap", ConfigMapRulesInstance(), {"cm"}},
      {"core.Service", "", "services", "service", ServiceRulesInstance(), {"svc"}, all},
      {"core.Endpoints", "", "endpoints", "endpoints", EndpointsRulesInstance(), {"ep"}},
      {"core.ServiceAccount",
       "",
       "serviceaccounts",
       "serviceaccount",
       ServiceAccountRulesInstance(),
       {"sa"}},
      {"core.PersistentVolumeClaim",
       "",
       "persistentvolumeclaims",
       "persistentvolumeclaim",
       ClaimRulesInstance(),
       {"pvc"}},
      {"core.PersistentVolume",
       "",
       "persistentvolumes",
       "persistentvolume",
       VolumeRulesInstance(),
       {"pv"},
       {},
       false},
      {"core.ResourceQuota",
       "",
       "resourcequotas",
       "resourcequota",
       QuotaRulesInstance(),
       {"quota"}},
      {"core.LimitRange", "", "limitranges", "limitrange", LimitRangeRulesInstance(), {"limits"}},
      {"apps.Deployment",
       "apps",
       "deployments",
       "deployment",
       DeploymentRulesInstance(),
       {"deploy"},
       all,
       true,
       true},
      {"apps.ReplicaSet",
       "apps",
       "replicasets",
       "replicaset",
       ReplicaSetRulesInstance(),
       {"rs"},
       all,
       true,
       true},
      {"apps.StatefulSet",
       "apps",
       "statefulsets",
       "statefulset",
       StatefulSetRulesInstance(),
       {"sts"},
       all,
       true,
       true},
      {"apps.DaemonSet", "apps", "daemonsets", "daemonset", DaemonSetRulesInstance(), {"ds"}, all},
      {"batch.Job", "batch", "jobs", "job", JobRulesInstance(), {}, all},
      {"batch.CronJob", "batch", "cronjobs", "cronjob", CronJobRulesInstance(), {"cj"}, all},
      {"networking.NetworkPolicy",
       "networking.k8s.io",
       "networkpolicies",
       "networkpolicy",
       NetworkPolicyRulesInstance(),
       {"netpol"}},
      {"policy.PodDisruptionBudget",
       "policy",
       "poddisruptionbudgets",
       "poddisruptionbudget",
       BudgetRulesInstance(),
       {"pdb"}},
      {"scheduling.PriorityClass",
       "scheduling.k8s.io",
       "priorityclasses",
       "priorityclass",
       PriorityClassRulesInstance(),
       {"pc"},
       {},
       false},
      {"coordination.Lease", "coordination.k8s.io", "leases", "lease", LeaseRulesInstance()},
      {"storage.StorageClass",
       "storage.k8s.io",
       "storageclasses",
       "storageclass",
       StorageClassRulesInstance(),
       {"sc"},
       {},
       false},
      {"storage.CSINode",
       "storage.k8s.io",
       "csinodes",
       "csinode",
       CsiNodeRulesInstance(),
       {},
       {},
       false},
      {"storage.CSIDriver",
       "storage.k8s.io",
       "csidrivers",
       "csidriver",
       CsiDriverRulesInstance(),
       {},
       {},
       false},
      {"storage.CSIStorageCapacity", "storage.k8s.io", "csistoragecapacities", "csistoragecapacity",
       CsiCapacityRulesInstance()},
      {"storage.VolumeAttachment",
       "storage.k8s.io",
       "volumeattachments",
       "volumeattachment",
       AttachmentRulesInstance(),
       {},
       {},
       false},
      {"admissionregistration.MutatingWebhookConfiguration",
       "admissionregistration.k8s.io",
       "mutatingwebhookconfigurations",
       "mutatingwebhookconfiguration",
       WebhookRulesInstance(/*mutating=*/true),
       {},
       extensions,
       false},
      {"admissionregistration.ValidatingWebhookConfiguration",
       "admissionregistration.k8s.io",
       "validatingwebhookconfigurations",
       "validatingwebhookconfiguration",
       WebhookRulesInstance(/*mutating=*/false),
       {},
       extensions,
       false},
      {"apiextensions.CustomResourceDefinition",
       "apiextensions.k8s.io",
       "customresourcedefinitions",
       "customresourcedefinition",
       nullptr,
       {"crd", "crds"},
       extensions,
       false},
  };
  std::vector<KindInfo> kinds;
  for (BuiltinKind& entry : entries) kinds.push_back(Make(std::move(entry)));
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
