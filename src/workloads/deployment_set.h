#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kube/types/workloads.h"

namespace basalt::workloads {

// What a Deployment writes on its ReplicaSets.
inline constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr std::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr std::string_view kDesired = "deployment.kubernetes.io/desired-replicas";
inline constexpr std::string_view kMost = "deployment.kubernetes.io/max-replicas";

// A ReplicaSet for the template that a Deployment has now.
struct NewSet {
  std::string hash;  // pod-template-hash
  std::int64_t replicas = 0;
  std::int64_t revision = 1;
  std::int64_t most_replicas = 0;  // of all sets together
};

std::string NewSetName(const kube::Deployment& deployment, const NewSet& set);
// The whole object: the Deployment's template, selector and annotations, with the hash in each
// place where it belongs.
std::string NewSetJson(const kube::Deployment& deployment, const NewSet& set);

}  // namespace basalt::workloads
