#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kube/types/meta.h"
#include "kube/types/resource_list.h"
#include "kube/types/selector.h"

namespace basalt::kube {

struct PersistentVolumeClaim {
  enum class Phase : std::uint8_t { kPending, kBound, kLost };

  ObjectMeta meta;
  std::vector<std::string> access_modes;
  // Absent: the default class, once there is one. "": none, ever.
  std::optional<std::string> storage_class_name;
  std::string volume_name;
  std::string volume_mode;  // "": Filesystem
  ResourceList requests;
  std::optional<LabelSelector> selector;
  Phase phase = Phase::kPending;
  ResourceList capacity;
  bool operator==(const PersistentVolumeClaim&) const = default;
};

struct PersistentVolume {
  enum class Phase : std::uint8_t { kPending, kAvailable, kBound, kReleased, kFailed };

  ObjectMeta meta;
  ResourceList capacity;
  std::vector<std::string> access_modes;
  std::string storage_class_name;
  std::string volume_mode;  // "": Filesystem
  std::string reclaim_policy;
  std::optional<ObjectReference> claim_ref;
  std::optional<NodeSelector> node_affinity;  // spec.nodeAffinity.required
  std::string csi_driver;
  std::string csi_volume_handle;
  Phase phase = Phase::kPending;
  bool operator==(const PersistentVolume&) const = default;
};

struct StorageClass {
  // Of allowedTopologies: all expressions of a term must hold, any term will do.
  struct TopologyExpression {
    std::string key;
    std::vector<std::string> values;
    bool operator==(const TopologyExpression&) const = default;
  };
  struct TopologyTerm {
    std::vector<TopologyExpression> expressions;
    bool operator==(const TopologyTerm&) const = default;
  };

  ObjectMeta meta;
  std::string provisioner;
  StringMap parameters;
  std::string reclaim_policy;
  bool wait_for_first_consumer = false;  // volumeBindingMode
  bool allow_volume_expansion = false;
  std::vector<TopologyTerm> allowed_topologies;
  bool operator==(const StorageClass&) const = default;
};

struct CsiNode {
  struct Driver {
    std::string name;
    std::string node_id;
    std::vector<std::string> topology_keys;
    std::optional<std::int32_t> allocatable_count;  // absent: no limit
    bool operator==(const Driver&) const = default;
  };

  ObjectMeta meta;
  std::vector<Driver> drivers;
  bool operator==(const CsiNode&) const = default;
};

}  // namespace basalt::kube
