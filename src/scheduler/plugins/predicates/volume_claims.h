#pragma once

#include <string>
#include <vector>

#include "model/cluster.h"

namespace basalt::scheduler::plugins {

// A claim that a pod uses.
struct ClaimUse {
  std::string name;
  bool ephemeral = false;                              // made for the pod, and for no other
  const kube::PersistentVolumeClaim* claim = nullptr;  // as it is; nullptr: there is none
};
std::vector<ClaimUse> ClaimsOf(const model::Cluster& cluster, const model::Task& task);
// Whether the claim was made for an ephemeral volume of this pod.
bool IsMadeFor(const kube::PersistentVolumeClaim& claim, const kube::Pod& pod);
// Whether the claim has its volume for good. A volume that it merely names may be another's.
bool IsBound(const kube::PersistentVolumeClaim& claim);
// Whether one pod at a time may use it.
bool IsForOnePod(const kube::PersistentVolumeClaim& claim);
// nullptr: the claim names none, or one that does not exist.
const kube::StorageClass* ClassOf(const model::Cluster& cluster,
                                  const kube::PersistentVolumeClaim& claim);
// Whether the volume's node affinity lets it be used there.
bool UsableOn(const kube::PersistentVolume& volume, const kube::Node& node);
// Whether a claim that is not bound may get this volume.
bool MayHold(const kube::PersistentVolume& volume, const kube::PersistentVolumeClaim& claim);
// Whether the class can make a volume for a pod on the node.
bool CanProvision(const kube::StorageClass& storage_class, const kube::Node& node);

}  // namespace basalt::scheduler::plugins
