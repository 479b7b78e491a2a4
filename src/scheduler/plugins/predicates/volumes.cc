#include "scheduler/plugins/predicates/volumes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/plugins/predicates/predicates.h"
#include "scheduler/plugins/predicates/volume_claims.h"

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kZoneLabels[] = {
    "topology.kubernetes.io/zone", "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"};

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

Verdict CheckVolumes(const VolumePlans& plans, const model::Task& task, const model::Node& node,
                     const VolumeRules& rules) {
  if (rules.binding && !plans.Match(task, node)) {
    return Verdict::Unresolvable(Predicates::kName,
                                 "node(s) didn't find available persistent volumes to bind");
  }
  for (const kube::PersistentVolume* volume : plans.BoundTo(task)) {
    if (!volume) {
      return Verdict::Unresolvable(Predicates::kName,
                                   "node(s) unavailable due to one or more pvc(s) bound to "
                                   "non-existent pv(s)");
    }
    if (rules.binding && !UsableOn(*volume, *node.object)) {
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
