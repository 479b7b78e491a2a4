#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kube/types/affinity.h"
#include "kube/types/meta.h"
#include "kube/types/resource_list.h"

namespace basalt::kube {

struct ContainerImage {
  std::vector<std::string> names;
  std::int64_t size_bytes = 0;
  bool operator==(const ContainerImage&) const = default;
};

struct NodeSpec {
  bool unschedulable = false;
  std::vector<Taint> taints;
  std::string provider_id;
  bool operator==(const NodeSpec&) const = default;
};

struct NodeAddress {
  std::string type;
  std::string address;
  bool operator==(const NodeAddress&) const = default;
};

struct NodeStatus {
  ResourceList capacity;
  ResourceList allocatable;
  std::vector<Condition> conditions;
  std::vector<ContainerImage> images;
  std::vector<NodeAddress> addresses;
  std::vector<std::string> volumes_in_use;
  bool operator==(const NodeStatus&) const = default;
};

struct Node {
  ObjectMeta meta;
  NodeSpec spec;
  NodeStatus status;

  bool ready() const { return IsConditionTrue(status.conditions, "Ready"); }
  bool operator==(const Node&) const = default;
};

}  // namespace basalt::kube
