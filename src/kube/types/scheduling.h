#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/types/boxed.h"
#include "kube/types/meta.h"
#include "kube/types/resource_list.h"
#include "kube/types/selector.h"

// scheduling.volcano.sh/v1beta1: PodGroup and Queue.
namespace basalt::kube {

struct NetworkTopology {
  enum class Mode : std::uint8_t { kHard, kSoft };
  Mode mode = Mode::kHard;
  std::optional<std::int32_t> highest_tier_allowed;
  std::string highest_tier_name;
  bool operator==(const NetworkTopology&) const = default;
};

struct SubGroupPolicy {
  std::string name;
  std::optional<NetworkTopology> network_topology;
  std::optional<std::int32_t> sub_group_size;
  std::optional<std::int32_t> min_sub_groups;
  std::optional<LabelSelector> label_selector;
  std::vector<std::string> match_label_keys;
  bool operator==(const SubGroupPolicy&) const = default;
};

enum class PodGroupPhase : std::uint8_t {
  kNone,  // not set yet
  kPending,
  kRunning,
  kUnknown,
  kInqueue,
  kCompleted,
};
std::string_view ToString(PodGroupPhase phase);

struct PodGroupCondition {
  std::string type;
  ConditionStatus status = ConditionStatus::kUnknown;
  std::string transition_id;
  Time last_transition_time{};
  std::string reason;
  std::string message;
  bool operator==(const PodGroupCondition&) const = default;
};

struct PodGroup {
  ObjectMeta meta;

  std::int32_t min_member = 0;
  std::vector<std::pair<std::string, std::int32_t>> min_task_member;  // sorted by task
  std::string queue;
  std::string priority_class_name;
  std::optional<ResourceList> min_resources;
  std::optional<NetworkTopology> network_topology;
  std::vector<SubGroupPolicy> sub_group_policy;

  PodGroupPhase phase = PodGroupPhase::kNone;
  std::vector<PodGroupCondition> conditions;
  std::int32_t running = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  bool operator==(const PodGroup&) const = default;
};

enum class QueueState : std::uint8_t {
  kNone,  // not set yet
  kOpen,
  kClosed,
  kClosing,
  kUnknown,
};
std::string_view ToString(QueueState state);

struct Queue {
  enum class DequeueStrategy : std::uint8_t { kTraverse, kFifo };

  // Names of node groups.
  struct NodeGroupTerms {
    std::vector<std::string> required;
    std::vector<std::string> preferred;
    bool operator==(const NodeGroupTerms&) const = default;
  };
  struct NodeGroupRules {
    std::optional<NodeGroupTerms> affinity;
    std::optional<NodeGroupTerms> anti_affinity;
    bool operator==(const NodeGroupRules&) const = default;
  };
  struct ExtendCluster {
    std::string name;
    std::int32_t weight = 0;
    ResourceList capacity;
    bool operator==(const ExtendCluster&) const = default;
  };

  ObjectMeta meta;

  std::int32_t weight = 0;
  ResourceList capability;
  ResourceList deserved;
  ResourceList guarantee;  // spec.guarantee.resource
  std::optional<bool> reclaimable;
  std::string parent;
  std::string type;
  std::int32_t priority = 0;
  DequeueStrategy dequeue_strategy = DequeueStrategy::kTraverse;
  Boxed<NodeGroupRules> affinity;
  std::vector<ExtendCluster> extend_clusters;

  QueueState state = QueueState::kNone;
  std::int32_t unknown = 0;
  std::int32_t pending = 0;
  std::int32_t running = 0;
  std::int32_t inqueue = 0;
  std::int32_t completed = 0;
  ResourceList allocated;
  std::vector<std::string> reserved_nodes;  // status.reservation
  ResourceList reserved_resource;
  bool operator==(const Queue&) const = default;
};

// The queue above all others, and the one of those that name none.
inline constexpr std::string_view kRootQueue = "root";
inline constexpr std::string_view kDefaultQueue = "default";
// By name: root where it names none; "" for root itself.
inline std::string_view ParentOf(const Queue& queue) {
  if (queue.meta.name == kRootQueue) return "";
  return queue.parent.empty() ? kRootQueue : std::string_view(queue.parent);
}

}  // namespace basalt::kube
