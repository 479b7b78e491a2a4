#pragma once

#include <cstdint>
#include <vector>

#include "model/cluster.h"
#include "scheduler/framework/extension_points.h"

namespace basalt::scheduler::plugins {

// A pod's node selector and required node affinity, without the terms that no node can match: those
// are found once per class from the labels that nodes have, not node by node. A tenant's pods with
// a hundred terms for labels that do not exist cost next to nothing.
//
// Owned by the plugin, on the cluster's thread; what it knows lasts one session.
class NodeRules {
 public:
  void Open(const model::Cluster& cluster);
  bool Matches(const Task& task, const Node& node);

 private:
  struct OfClass {
    bool known = false;
    bool selector_can_match = true;
    std::vector<std::uint32_t> terms;  // of the node affinity, those that some node may match
  };
  const OfClass& Of(const Task& task);

  const model::Cluster* cluster_ = nullptr;
  std::vector<OfClass> classes_;  // by static class
};

}  // namespace basalt::scheduler::plugins
