#pragma once

#include "kube/types/pod.h"

namespace basalt::kube {

// How a pod's request is counted. The default is what Kubernetes 1.36 does when it schedules a pod.
struct PodRequestOptions {
  bool exclude_overhead = false;
  bool skip_init_containers = false;  // sidecars too
  bool skip_pod_level_resources = false;
  // Count what the kubelet has granted and what is actually in force beside what the spec asks for
  // (in-place resize), so that a pod is never counted for less than it holds.
  bool use_status = true;
};

// What a node must have free for the pod: the larger of what its containers and sidecars ask for
// together and what any init container asks for while it runs (with the sidecars before it), or
// what the pod as a whole asks for where it says so; plus overhead.
ResourceList PodRequests(const PodSpec& spec, const PodStatus* status = nullptr,
                         const PodRequestOptions& options = {});
inline ResourceList PodRequests(const Pod& pod, const PodRequestOptions& options = {}) {
  return PodRequests(pod.spec, &pod.status, options);
}

// The same of limits. The status is not looked at.
ResourceList PodLimits(const PodSpec& spec, const PodRequestOptions& options = {});

// Kubernetes' quality-of-service class, from the spec alone.
QosClass ComputeQosClass(const PodSpec& spec);

}  // namespace basalt::kube
