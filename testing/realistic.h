#pragma once

#include <string>
#include <string_view>

namespace basalt::testutil {

// Objects of the size and shape that real clusters have, for measurements.
struct RealisticObject {
  std::string name;
  std::string body;          // as its creator sends it
  std::string status_patch;  // a merge patch of the status, as a kubelet would send it
};

// The i-th pod of a web application, bound to one of `nodes` nodes: a container with probes,
// environment and volumes, affinity, tolerations, running. About 4.6 kB in all. It belongs to the
// RealisticOwner(i / kPodsPerOwner) with that uid; to none if that is empty.
inline constexpr int kPodsPerOwner = 1000;
RealisticObject RealisticPod(int i, int nodes, std::string_view owner_uid = "");
// A ReplicaSet.
RealisticObject RealisticOwner(int i);
// The i-th node of a cloud: labels, addresses, conditions, images. About 5 kB in all.
RealisticObject RealisticNode(int i);

}  // namespace basalt::testutil
