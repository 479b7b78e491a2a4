#include "scheduler/plugins/predicates/volumes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/plugins/predicates/predicates.h"

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
constexpr std::string_view kZoneLabels[] = {
    "topology.kubernetes.io/zone", "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"};

// Names of the claims that the pod uses.
std::vector<std::string> ClaimsOf(const kube::Pod& pod) {
  std::vector<std::string> claims;
  for (const kube::Volume& volume : pod.spec.volumes) {
    if (volume.kind == kube::Volume::Kind::kPersistentVolumeClaim) claims.push_back(volume.source);
    if (volume.kind == kube::Volume::Kind::kEphemeral) {
      claims.push_back(pod.meta.name + "-" + volume.name);
    }
  }
  return claims;
}

const kube::StorageClass* ClassOf(const model::Cluster& cluster,
                                  const kube::PersistentVolumeClaim& claim) {
  return cluster.objects().storage_classes.Find(claim.storage_class_name.value_or(""));
}

bool MatchesNode(const kube::PersistentVolume& volume, const kube::Node& node) {
  return !volume.node_affinity || volume.node_affinity->Matches(node.meta.labels, node.meta.name);
}

// A volume with several zones has them in its label with "__" between.
bool InZone(const kube::PersistentVolume& volume, const kube::Node& node) {
  const bool node_has_zone = std::ranges::any_of(
      kZoneLabels, [&](std::string_view label) { return node.meta.labels.Contains(label); });
  if (!node_has_zone) return true;
  for (const std::string_view label : kZoneLabels) {
    const auto zones = volume.meta.labels.Find(label);
    if (!zones) continue;
    const auto zone = node.meta.labels.Find(label);
    if (!zone) return false;
    const std::string list = "__" + std::string(*zones) + "__";
    if (list.find("__" + std::string(*zone) + "__") == list.npos) return false;
  }
  return true;
}

bool MayHold(const kube::PersistentVolume& volume, const kube::PersistentVolumeClaim& claim) {
  if (volume.claim_ref) {
    return volume.claim_ref->ns == claim.meta.ns && volume.claim_ref->name == claim.meta.name &&
           (volume.claim_ref->uid.empty() || volume.claim_ref->uid == claim.meta.uid);
  }
  if (volume.phase != kube::PersistentVolume::Phase::kAvailable &&
      volume.phase != kube::PersistentVolume::Phase::kPending) {
    return false;
  }
  if (volume.storage_class_name != claim.storage_class_name.value_or("")) return false;
  if (volume.volume_mode != claim.volume_mode) return false;
  if (claim.selector && !claim.selector->Matches(volume.meta.labels)) return false;
  if (volume.capacity.Get("storage") < claim.requests.Get("storage")) return false;
  return std::ranges::all_of(claim.access_modes, [&](const std::string& mode) {
    return std::ranges::find(volume.access_modes, mode) != volume.access_modes.end();
  });
}

bool TopologyAllows(const kube::StorageClass& storage_class, const kube::Node& node) {
  if (storage_class.allowed_topologies.empty()) return true;
  return std::ranges::any_of(
      storage_class.allowed_topologies, [&](const kube::StorageClass::TopologyTerm& term) {
        return std::ranges::all_of(
            term.expressions, [&](const kube::StorageClass::TopologyExpression& expression) {
              const auto value = node.meta.labels.Find(expression.key);
              return value &&
                     std::ranges::find(expression.values, *value) != expression.values.end();
            });
      });
}

// Whether an unbound claim could be bound to a volume that is there, or get one made.
bool CanBeBound(const model::Cluster& cluster, const kube::PersistentVolumeClaim& claim,
                const kube::Node& node) {
  for (const auto& [name, volume] : cluster.objects().volumes) {
    if (MayHold(*volume, claim) && MatchesNode(*volume, node)) return true;
  }
  const kube::StorageClass* storage_class = ClassOf(cluster, claim);
  return storage_class && storage_class->provisioner != kNoProvisioner &&
         !storage_class->provisioner.empty() && TopologyAllows(*storage_class, node);
}

}  // namespace

Verdict CheckClaims(const model::Cluster& cluster, const model::Task& task, Reasons& reasons) {
  for (const std::string& name : ClaimsOf(*task.pod)) {
    const kube::PersistentVolumeClaim* claim =
        cluster.objects().volume_claims.Find(task.ns() + "/" + name);
    if (!claim) {
      return Verdict::Unresolvable(
          Predicates::kName,
          reasons.Keep(fmt::format("persistentvolumeclaim \"{}\" not found", name)));
    }
    if (claim->meta.deleting()) {
      return Verdict::Unresolvable(
          Predicates::kName,
          reasons.Keep(fmt::format("persistentvolumeclaim \"{}\" is being deleted", name)));
    }
    if (!claim->volume_name.empty()) continue;
    const kube::StorageClass* storage_class = ClassOf(cluster, *claim);
    if (!storage_class || !storage_class->wait_for_first_consumer) {
      return Verdict::Unresolvable(Predicates::kName,
                                   "pod has unbound immediate PersistentVolumeClaims");
    }
  }
  return Verdict::Ok();
}

Verdict CheckVolumes(const model::Cluster& cluster, const model::Task& task,
                     const model::Node& node, const VolumeRules& rules) {
  for (const std::string& name : ClaimsOf(*task.pod)) {
    const kube::PersistentVolumeClaim* claim =
        cluster.objects().volume_claims.Find(task.ns() + "/" + name);
    if (!claim) continue;  // CheckClaims has said so
    if (claim->volume_name.empty()) {
      if (rules.binding && !CanBeBound(cluster, *claim, *node.object)) {
        return Verdict::Unresolvable(Predicates::kName,
                                     "node(s) didn't find available persistent volumes to bind");
      }
      continue;
    }
    const kube::PersistentVolume* volume = cluster.objects().volumes.Find(claim->volume_name);
    if (!volume) {
      return Verdict::Unresolvable(Predicates::kName,
                                   "node(s) unavailable due to one or more pvc(s) bound to "
                                   "non-existent pv(s)");
    }
    if (rules.binding && !MatchesNode(*volume, *node.object)) {
      return Verdict::Unresolvable(Predicates::kName,
                                   "node(s) didn't match PersistentVolume's node affinity");
    }
    if (rules.zone && !InZone(*volume, *node.object)) {
      return Verdict::Unresolvable(Predicates::kName, "node(s) had no available volume zone");
    }
  }
  return Verdict::Ok();
}

}  // namespace basalt::scheduler::plugins
