#include "apiserver/kinds/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/value.hpp>
#include <cctype>
#include <memory>
#include <utility>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/schema/builtin_types.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

// What data/kinds.txt does not say of a kind.
struct BuiltinKind {
  std::string_view type;
  std::shared_ptr<const KindRules> rules;
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

std::string LowerCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

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
                .schema = schema,
                .rules = std::move(kind.rules)};
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
  info.list_kind = info.kind + "List";
  info.singular = LowerCase(info.kind);
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

}  // namespace

std::vector<KindInfo> BuiltinKinds() {
  const std::vector<std::string> all = {"all"};
  const std::vector<std::string> extensions = {"api-extensions"};
  const auto plain = [](BuiltinKind kind) {
    kind.rules = PlainRulesInstance(kind.type);
    return kind;
  };
  std::vector<BuiltinKind> entries = {
      {.type = "core.Pod",
       .rules = PodRulesInstance(),
       .short_names = {"po"},
       .categories = all,
       .subresources = {"binding", "eviction", "log"},
       .graceful_deletion = true,
       .returns_deleted = true},
      {.type = "core.Node", .rules = NodeRulesInstance(), .short_names = {"no"}},
      {.type = "core.Namespace",
       .rules = NamespaceRulesInstance(),
       .short_names = {"ns"},
       .subresources = {"finalize"},
       .collection_deletion = false,
       .returns_deleted = true},
      {.type = "core.Event",
       .rules = EventRulesInstance(),
       .short_names = {"ev"},
       .put_creates = true},
      {.type = "events.Event",
       .rules = NewEventRulesInstance(),
       .short_names = {"ev"},
       .put_creates = true},
      {.type = "core.Secret", .rules = SecretRulesInstance()},
      {.type = "core.ConfigMap", .rules = ConfigMapRulesInstance(), .short_names = {"cm"}},
      {.type = "core.Service",
       .rules = ServiceRulesInstance(),
       .short_names = {"svc"},
       .categories = all,
       .returns_deleted = true},
      {.type = "core.Endpoints",
       .rules = EndpointsRulesInstance(),
       .short_names = {"ep"},
       .put_creates = true},
      {.type = "core.ServiceAccount",
       .rules = ServiceAccountRulesInstance(),
       .short_names = {"sa"},
       .subresources = {"token"},
       .returns_deleted = true},
      {.type = "core.PersistentVolumeClaim",
       .rules = ClaimRulesInstance(),
       .short_names = {"pvc"},
       .returns_deleted = true},
      {.type = "core.PersistentVolume",
       .rules = VolumeRulesInstance(),
       .short_names = {"pv"},
       .returns_deleted = true},
      {.type = "core.ResourceQuota",
       .rules = QuotaRulesInstance(),
       .short_names = {"quota"},
       .returns_deleted = true},
      {.type = "core.LimitRange",
       .rules = LimitRangeRulesInstance(),
       .short_names = {"limits"},
       .put_creates = true},
      plain({.type = "core.PodTemplate", .returns_deleted = true}),
      plain({.type = "core.ReplicationController",
             .short_names = {"rc"},
             .categories = all,
             .orphans = true,
             .idle = NoController("ReplicationController")}),
      {.type = "apps.Deployment",
       .rules = DeploymentRulesInstance(),
       .short_names = {"deploy"},
       .categories = all},
      {.type = "apps.ReplicaSet",
       .rules = ReplicaSetRulesInstance(),
       .short_names = {"rs"},
       .categories = all},
      {.type = "apps.StatefulSet",
       .rules = StatefulSetRulesInstance(),
       .short_names = {"sts"},
       .categories = all},
      {.type = "apps.DaemonSet",
       .rules = DaemonSetRulesInstance(),
       .short_names = {"ds"},
       .categories = all},
      plain({.type = "apps.ControllerRevision"}),
      {.type = "batch.Job", .rules = JobRulesInstance(), .categories = all, .orphans = true},
      {.type = "batch.CronJob",
       .rules = CronJobRulesInstance(),
       .short_names = {"cj"},
       .categories = all,
       .idle = NoController("CronJob")},
      {.type = "networking.NetworkPolicy",
       .rules = NetworkPolicyRulesInstance(),
       .short_names = {"netpol"},
       .idle = NoController("NetworkPolicy")},
      plain(
          {.type = "networking.Ingress", .short_names = {"ing"}, .idle = NoController("Ingress")}),
      plain({.type = "networking.IngressClass"}),
      plain({.type = "discovery.EndpointSlice"}),
      plain({.type = "autoscalingv2.HorizontalPodAutoscaler",
             .short_names = {"hpa"},
             .categories = all,
             .idle = NoController("HorizontalPodAutoscaler")}),
      plain({.type = "rbac.Role", .idle = NoPermissions("Role")}),
      plain({.type = "rbac.ClusterRole", .idle = NoPermissions("ClusterRole")}),
      plain({.type = "rbac.RoleBinding", .idle = NoPermissions("RoleBinding")}),
      plain({.type = "rbac.ClusterRoleBinding", .idle = NoPermissions("ClusterRoleBinding")}),
      plain({.type = "node.RuntimeClass", .update_needs_version = true}),
      {.type = "policy.PodDisruptionBudget",
       .rules = BudgetRulesInstance(),
       .short_names = {"pdb"},
       .update_needs_version = true,
       .put_creates = true},
      {.type = "scheduling.PriorityClass",
       .rules = PriorityClassRulesInstance(),
       .short_names = {"pc"}},
      {.type = "coordination.Lease",
       .rules = LeaseRulesInstance(),
       .update_needs_version = true,
       .put_creates = true},
      {.type = "storage.StorageClass",
       .rules = StorageClassRulesInstance(),
       .short_names = {"sc"},
       .returns_deleted = true},
      {.type = "storage.CSINode",
       .rules = CsiNodeRulesInstance(),
       .returns_deleted = true,
       .update_needs_version = true},
      {.type = "storage.CSIDriver", .rules = CsiDriverRulesInstance(), .returns_deleted = true},
      {.type = "storage.CSIStorageCapacity", .rules = CsiCapacityRulesInstance()},
      {.type = "storage.VolumeAttachment",
       .rules = AttachmentRulesInstance(),
       .returns_deleted = true},
      {.type = "admissionregistration.MutatingWebhookConfiguration",
       .rules = WebhookRulesInstance(/*mutating=*/true),
       .categories = extensions,
       .update_needs_version = true},
      {.type = "admissionregistration.ValidatingWebhookConfiguration",
       .rules = WebhookRulesInstance(/*mutating=*/false),
       .categories = extensions,
       .update_needs_version = true},
      {.type = "apiextensions.CustomResourceDefinition",
       .rules = nullptr,
       .short_names = {"crd", "crds"},
       .categories = extensions,
       .update_needs_version = true},
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
