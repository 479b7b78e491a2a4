#pragma once

#include <cstdint>
#include <memory>
#include <optional>

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
  // A rollout replaces the pods of one ReplicaSet by those of another step by step: its group
  // cannot need more pods than the Deployment has asked of it so far, or neither would move on.
  std::optional<std::int32_t> pods_so_far;
  // Pods are made one after the other, each when the one before is ready: no gang ever completes.
  bool one_by_one = false;
};

Workload ViewOf(std::shared_ptr<const kube::ReplicaSet> set);
Workload ViewOf(std::shared_ptr<const kube::StatefulSet> set);
Workload ViewOf(std::shared_ptr<const kube::DaemonSet> set);
Workload ViewOf(std::shared_ptr<const kube::Job> job);

// Whether objects of that kind are looked at themselves, and not only through their pods.
bool IsKnownWorkload(const kube::OwnerReference& owner);

// What users see as the workload: of a Deployment's ReplicaSet the Deployment.
kube::ObjectReference FaceOf(const Workload& workload);

}  // namespace basalt::controllers
