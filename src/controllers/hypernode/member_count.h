#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kube/types/hypernode.h"
#include "kube/types/node.h"

namespace basalt::controllers {

// How many different nodes the hypernode's members name or match, through hypernodes below it
// (contract C12.15). What names itself on the way is counted once.
std::int64_t CountNodes(const kube::HyperNode& hyper_node,
                        const std::vector<std::shared_ptr<const kube::HyperNode>>& hyper_nodes,
                        const std::vector<std::shared_ptr<const kube::Node>>& nodes);

}  // namespace basalt::controllers
