#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/explain/changeable_world.h"

namespace basalt::testutil {

// A random cluster in which pods wait for every reason that there is, made from a seed alone: made
// again it comes to the same state. Owned by the test.
class WaitingWorld : public ChangeableWorld {
 public:
  explicit WaitingWorld(std::uint64_t seed);

  // "ns/name" of the pods that have no node, in order.
  std::vector<std::string> Waiting();

 private:
  WaitingWorld(std::uint64_t seed, Random random);
  void AddQuota();
  void AddNode(int i);
  void AddQueue(int i);
  void AddRules(int i, kube::Pod& pod);
  void AddGroup(int i, int queues);

  Random random_;
  bool has_more_ = false;
};

}  // namespace basalt::testutil
