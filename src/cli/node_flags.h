#pragma once

#include <string>

#include "base/error.h"

namespace CLI {
class App;
}

namespace basalt::cli {

// The simulated nodes that `basalt up` makes.
struct NodeFlags {
  int nodes = 3;
  std::string cpu = "16";
  std::string memory = "64Gi";
  int pods = 110;
  int gpu = 0;    // nvidia.com/gpu
  int zones = 0;  // 0: no zone label

  void AddTo(CLI::App& command);
  // Quantities are what they should be.
  Result<void> Check() const;
  // The Node object as JSON; `number` from 1: "node-0001".
  std::string NodeJson(int number) const;
};

}  // namespace basalt::cli
