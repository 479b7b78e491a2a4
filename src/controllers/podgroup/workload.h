#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kube/types/meta.h"
#include "kube/types/resource.h"
#include "kube/types/workloads.h"

namespace basalt::controllers {

// What the PodGroup controller needs to know of an object that makes pods, whatever its kind.
struct Workload {
  std::shared_ptr<const void> object;  // keeps the rest alive
  const kube::Resource* kind = nullptr;
  const kube::ObjectMeta* meta = nullptr;
  const kube::PodTemplate* pod_template = nullptr;
  bool wants_pods = true;
  // A rollout replaces the pods of one ReplicaSet by those of another step by step: no more of them
  // than these can be sure to run at once. nullopt: all.
  std::optional<std::int32_t> pods_at_once;
  // Pods are made one after the other, each when the one before is ready: no gang ever completes.
  bool one_by_one = false;
};

Workload ViewOf(std::shared_ptr<const kube::ReplicaSet> set);
Workload ViewOf(std::shared_ptr<const kube::StatefulSet> set);
Workload ViewOf(std::shared_ptr<const kube::DaemonSet> set);
Workload ViewOf(std::shared_ptr<const kube::Job> job);

// For how many pods of a Deployment's ReplicaSet a rollout has made room so far: those that the
// Deployment has asked of it, and no more than its older siblings have given up, since what a
// Deployment has beyond its replicas (maxSurge) may find no room. At least one: the update must be
// able to begin. nullopt: no rollout holds it back.
std::optional<std::int32_t> PodsAtOnce(
    const kube::ReplicaSet& set,
    const std::vector<std::shared_ptr<const kube::ReplicaSet>>& siblings);

// Whether objects of that kind are looked at themselves, and not only through their pods.
bool IsKnownWorkload(const kube::OwnerReference& owner);

// What users see as the workload: of a Deployment's ReplicaSet the Deployment.
kube::ObjectReference FaceOf(const Workload& workload);

}  // namespace basalt::controllers
