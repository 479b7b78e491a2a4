#pragma once

#include <string>

namespace basalt::testutil {

// Objects of the size and shape that real clusters have, for measurements.
struct RealisticObject {
  std::string name;
  std::string body;          // as its creator sends it
  std::string status_patch;  // a merge patch of the status, as a kubelet would send it
};

// The i-th pod of a web application, bound to one of `nodes` nodes: two containers with probes,
// environment and volumes, an owner, running. About 5 kB in all.
RealisticObject RealisticPod(int i, int nodes);
// The i-th node of a cloud: labels, addresses, conditions, images. About 5 kB in all.
RealisticObject RealisticNode(int i);

}  // namespace basalt::testutil
