#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kube/types/node.h"
#include "model/amounts.h"
#include "model/ids.h"

namespace basalt::model {

// A node and the tasks on it; its amounts are in the NodeLedger. Owned by the Cluster, which alone
// changes it. One that pods name and that does not exist (any more) has no object.
struct Node {
  NodeId id;
  std::string name;
  std::shared_ptr<const kube::Node> object;  // nullptr: it does not exist

  Amounts allocatable;
  std::vector<TaskId> tasks;  // held or promised; in no order

  // Grows with every change: of the object, and of the object or what is on it.
  std::uint64_t object_generation = 0;
  std::uint64_t generation = 0;

  bool exists() const { return object != nullptr; }
};

}  // namespace basalt::model
