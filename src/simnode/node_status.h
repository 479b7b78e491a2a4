#pragma once

#include <string>

#include "base/clock.h"
#include "kube/types/node.h"

namespace basalt::simnode {

// Whether the node's status already says all that a healthy kubelet would have written once.
bool LooksHealthy(const kube::Node& node);

// "": it has none.
std::string InternalIp(const kube::Node& node);

// The strategic merge patch of the node's status that says that all is well: conditions with a
// fresh heartbeat, addresses and nodeInfo. Capacity and allocatable stay as the node's maker wrote
// them. `ip` is the address for a node without one.
std::string HealthyStatusPatch(const kube::Node& node, Time now, const std::string& ip);

// The node's Lease in kube-node-lease: to create, and to renew by a merge patch.
std::string NewLease(const kube::Node& node, Time now);
std::string LeaseRenewal(const kube::Node& node, Time now);

}  // namespace basalt::simnode
