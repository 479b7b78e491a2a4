#include "scheduler/plugins/predicates/volumes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/plugins/predicates/volume_claims.h"

namespace basalt::scheduler::plugins {
namespace {

struct ZoneLabel {
  std::string_view name;
  std::string_view today;  // what nodes carry in place of one that Kubernetes has given up
};
constexpr ZoneLabel kZoneLabels[] = {
    {"topology.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"topology.kubernetes.io/region", "topology.kubernetes.io/region"},
    {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"}};

// A volume with several zones has them in its label with "__" between.
bool InZone(const kube::PersistentVolume& volume, const kube::Node& node) {
  const bool node_has_zone = std::ranges::any_of(
      kZoneLabels, [&](const ZoneLabel& label) { return node.meta.labels.Contains(label.name); });
  if (!node_has_zone) return true;
  for (const ZoneLabel& label : kZoneLabels) {
    const auto zones = volume.meta.labels.Find(label.name);
    if (!zones) continue;
    auto zone = node.meta.labels.Find(label.name);
    if (!zone) zone = node.meta.labels.Find(label.today);
    if (!zone) return false;
    const std::string list = "__" + std::string(*zones) + "__";
    if (list.find("__" + std::string(*zone) + "__") == list.npos) return false;
  }
  return true;
}

}  // namespace

Verdict CheckClaims(const model::Cluster& cluster, const model::Task& task, Reasons& reasons) {
  const auto refuse = [&](const ClaimUse& use, std::string_view why) {
    return Verdict::Unresolvable(
        reasons.Keep(fmt::format("persistentvolumeclaim \"{}\" {}", use.name, why)));
  };
  for (const ClaimUse& use : ClaimsOf(*task.pod)) {
    const auto* claim = cluster.objects().volume_claims.Find(task.ns() + "/" + use.name);
    if (!claim) return refuse(use, "not found");
    if (use.ephemeral && !IsMadeFor(*claim, *task.pod)) {
      return refuse(use, "was not made for this pod, whose ephemeral volume needs that name");
    }
    if (claim->meta.deleting()) return refuse(use, "is being deleted");
    if (IsBound(*claim)) continue;
    const kube::StorageClass* storage_class = ClassOf(cluster, *claim);
    // Who names a volume waits until that is really its own.
    if (!claim->volume_name.empty() || !storage_class || !storage_class->wait_for_first_consumer) {
      return Verdict::Unresolvable("pod has unbound immediate PersistentVolumeClaims");
    }
  }
  return Verdict::Ok();
}

Verdict CheckVolumes(const VolumePlans& plans, const model::Task& task, const model::Node& node,
                     const VolumeRules& rules) {
  if (rules.binding && !plans.Match(task, node)) {
    return Verdict::Unresolvable("node(s) didn't find available persistent volumes to bind");
  }
  for (const kube::PersistentVolume* volume : plans.BoundTo(task)) {
    if (!volume) {
      return Verdict::Unresolvable(
          "node(s) unavailable due to one or more pvc(s) bound to "
          "non-existent pv(s)");
    }
    if (rules.binding && !UsableOn(*volume, *node.object)) {
      return Verdict::Unresolvable("node(s) didn't match PersistentVolume's node affinity");
    }
    if (rules.zone && !InZone(*volume, *node.object)) {
      return Verdict::Unresolvable("node(s) had no available volume zone");
    }
  }
  return Verdict::Ok();
}

}  // namespace basalt::scheduler::plugins
