#include "scheduler/plugins/predicates/volume_claims.h"

#include <algorithm>

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";

bool SameMode(const std::string& a, const std::string& b) {
  return (a.empty() ? "Filesystem" : a) == (b.empty() ? "Filesystem" : b);
}

}  // namespace

std::vector<ClaimUse> ClaimsOf(const model::Cluster& cluster, const model::Task& task) {
  std::vector<ClaimUse> uses;
  for (const kube::Volume& volume : task.pod->spec.volumes) {
    if (volume.kind == kube::Volume::Kind::kPersistentVolumeClaim) {
      uses.push_back({.name = volume.source});
    }
    if (volume.kind == kube::Volume::Kind::kEphemeral) {
      uses.push_back({.name = task.pod->meta.name + "-" + volume.name, .ephemeral = true});
    }
  }
  for (ClaimUse& use : uses) {
    use.claim = cluster.objects().volume_claims.Find(task.ns() + "/" + use.name);
  }
  return uses;
}

bool IsMadeFor(const kube::PersistentVolumeClaim& claim, const kube::Pod& pod) {
  const kube::OwnerReference* owner = claim.meta.Controller();
  return owner && owner->uid == pod.meta.uid;
}

bool IsBound(const kube::PersistentVolumeClaim& claim) {
  return !claim.volume_name.empty() && claim.meta.annotations.Contains(kBindCompleted);
}

bool IsForOnePod(const kube::PersistentVolumeClaim& claim) {
  return std::ranges::find(claim.access_modes, "ReadWriteOncePod") != claim.access_modes.end();
}

const kube::StorageClass* ClassOf(const model::Cluster& cluster,
                                  const kube::PersistentVolumeClaim& claim) {
  return cluster.objects().storage_classes.Find(claim.storage_class_name.value_or(""));
}

bool UsableOn(const kube::PersistentVolume& volume, const kube::Node& node) {
  return !volume.node_affinity || volume.node_affinity->Matches(node.meta.labels, node.meta.name);
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
  if (volume.meta.deleting()) return false;
  if (volume.storage_class_name != claim.storage_class_name.value_or("")) return false;
  if (!SameMode(volume.volume_mode, claim.volume_mode)) return false;
  if (claim.selector && !claim.selector->Matches(volume.meta.labels)) return false;
  if (volume.capacity.Get("storage") < claim.requests.Get("storage")) return false;
  return std::ranges::all_of(claim.access_modes, [&](const std::string& mode) {
    return std::ranges::find(volume.access_modes, mode) != volume.access_modes.end();
  });
}

bool CanProvision(const kube::StorageClass& storage_class, const kube::Node& node) {
  if (storage_class.provisioner.empty() || storage_class.provisioner == kNoProvisioner) {
    return false;
  }
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

}  // namespace basalt::scheduler::plugins
