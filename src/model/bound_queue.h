#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/signer.h"
#include "kube/types/pod.h"

// The queue in which a pod was bound, as the pod itself carries it (annotations::kBoundQueue):
// written with the bind, in the same request, so that a scheduler that starts later counts the pod
// where it was admitted, whatever its other annotations say by then. Tenants may write annotations
// of their pods, so it is sealed for the pod's uid.
namespace basalt::model {

std::string SealBoundQueue(const Signer& signer, const kube::Pod& pod, std::string_view queue);

struct BoundQueue {
  std::string_view name;  // lives as long as the pod
  bool genuine = false;   // a scheduler with our key wrote it, for this pod
};
// Nothing: the pod carries none. Without a signer nothing is genuine.
std::optional<BoundQueue> ReadBoundQueue(const Signer* signer, const kube::Pod& pod);

}  // namespace basalt::model
