#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace basalt::descheduler {

// What nodes and pods were measured to use, by any UsageSource. A node without a figure that is
// asked for is left alone.
struct Usage {
  struct Node {
    std::optional<double> cpu, memory;  // in per cent of what the node has
  };
  struct Pod {
    std::optional<double> milli_cpu, memory;  // thousandths of a core, bytes
  };
  std::map<std::string, Node, std::less<>> nodes;
  std::map<std::string, Pod, std::less<>> pods;  // "namespace/name"
};

}  // namespace basalt::descheduler
