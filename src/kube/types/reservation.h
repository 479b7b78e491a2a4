#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/types/meta.h"
#include "kube/types/pod.h"
#include "kube/types/resource_list.h"
#include "kube/types/selector.h"

namespace basalt::kube {

enum class ReservationPhase : std::uint8_t {
  kNone,  // not set yet
  kPending,
  kWaiting,
  kAvailable,
  kSucceeded,
  kFailed,
};
std::string_view ToString(ReservationPhase phase);

// batch.volcano.sh/v1alpha1 Reservation: capacity held for pods that are still to come.
struct Reservation {
  enum class NodePolicy : std::uint8_t { kPreferred, kRequired };

  // Either part may be absent; owners are ORed.
  struct Owner {
    std::optional<ObjectReference> object;
    std::optional<LabelSelector> label_selector;
    bool operator==(const Owner&) const = default;
  };
  struct Task {
    std::string name;
    std::int32_t replicas = 1;
    PodTemplate pod_template;
    std::vector<std::string> reservation_node_names;
    NodePolicy reservation_node_policy = NodePolicy::kPreferred;
    bool operator==(const Task&) const = default;
  };
  struct PhaseCondition {
    ReservationPhase status = ReservationPhase::kNone;
    Time last_transition_time{};
    bool operator==(const PhaseCondition&) const = default;
  };
  struct Placement {
    std::string task;
    std::int32_t index = 0;
    std::string node;
    ReservationPhase phase = ReservationPhase::kNone;
    bool operator==(const Placement&) const = default;
  };
  // How many pods of a task are in each phase ("Available": 2), sorted by phase.
  struct TaskCount {
    std::string task;
    std::vector<std::pair<std::string, std::int32_t>> phases;
    bool operator==(const TaskCount&) const = default;
  };

  struct Status {
    ReservationPhase phase = ReservationPhase::kNone;  // state
    std::string reason;
    std::string message;
    Time last_transition_time{};
    std::int32_t min_available = 0;
    std::vector<TaskCount> task_status_count;  // sorted by task
    std::int32_t pending = 0;
    std::int32_t available = 0;
    std::int32_t succeeded = 0;
    std::int32_t failed = 0;
    std::vector<PhaseCondition> conditions;
    std::optional<ObjectReference> current_owner;
    ResourceList allocatable;
    ResourceList allocated;
    std::vector<Placement> placements;
    bool operator==(const Status&) const = default;
  };

  ObjectMeta meta;

  std::string scheduler_name;
  std::optional<std::int32_t> min_available;  // absent: all replicas
  std::string queue;
  std::vector<Owner> owners;
  std::optional<Duration> ttl;  // from creation; zero: never expires
  std::optional<Time> expires;
  std::vector<Task> tasks;

  Status status;
  bool operator==(const Reservation&) const = default;
};

}  // namespace basalt::kube
