#pragma once

#include <string>
#include <vector>

#include "model/cluster.h"

namespace basalt::scheduler::plugins {

// Names of the claims that the pod uses.
std::vector<std::string> ClaimsOf(const kube::Pod& pod);
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
