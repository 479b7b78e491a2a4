#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/types/meta.h"
#include "kube/types/pod.h"
#include "kube/types/scheduling.h"

// batch.volcano.sh/v1alpha1 Job and flow.volcano.sh/v1alpha1 JobTemplate, which holds the same
// spec. "VcJob" as Volcano's users call it; `Job` is Kubernetes' own.
namespace basalt::kube {

// On its pods: its name.
inline constexpr std::string_view kVcJobNameLabel = "volcano.sh/job-name";

enum class VcJobPhase : std::uint8_t {
  kNone,  // not set yet
  kPending,
  kRunning,
  kRestarting,
  kAborting,
  kAborted,
  kCompleting,
  kTerminating,
  kCompleted,
  kTerminated,
  kFailed,
};
inline constexpr int kVcJobPhases = 11;
std::string_view ToString(VcJobPhase phase);
// kNone: no phase has that name.
VcJobPhase ParseVcJobPhase(std::string_view text);
// Completed, Terminated or Failed: nothing follows any more.
constexpr bool HasEnded(VcJobPhase phase) {
  return phase == VcJobPhase::kCompleted || phase == VcJobPhase::kTerminated ||
         phase == VcJobPhase::kFailed;
}

// What happens when something happens.
struct VcJobPolicy {
  std::string action;
  std::vector<std::string> events;  // `event` and `events` together
  std::optional<std::int32_t> exit_code;
  std::optional<Duration> timeout;
  bool operator==(const VcJobPolicy&) const = default;
};

struct VcJobTask {
  struct DependsOn {
    std::vector<std::string> names;
    bool any = false;  // iteration: one of them is enough
    bool operator==(const DependsOn&) const = default;
  };
  struct PartitionPolicy {
    std::int32_t total_partitions = 0;
    std::int32_t partition_size = 0;
    std::int32_t min_partitions = 0;
    std::optional<NetworkTopology> network_topology;
    bool operator==(const PartitionPolicy&) const = default;
  };

  std::string name;  // default<i> where the object names none
  std::int32_t replicas = 0;
  std::optional<std::int32_t> min_available;
  PodTemplate pod_template;
  std::vector<VcJobPolicy> policies;
  std::int32_t max_retry = 0;
  std::string topology_policy;
  std::optional<DependsOn> depends_on;
  std::optional<PartitionPolicy> partition_policy;

  // How many pods it cannot do without.
  std::int32_t Minimum() const;
  // Restarts of its containers in place, of all its pods together, after which it has failed.
  std::int32_t MaxRetry() const { return max_retry > 0 ? max_retry : 3; }
  bool operator==(const VcJobTask&) const = default;
};

struct VcJobVolume {
  std::string mount_path;
  std::string claim_name;
  std::string claim;  // the JSON of a PersistentVolumeClaimSpec; "": none
  bool operator==(const VcJobVolume&) const = default;
};

struct VcJobSpec {
  std::string scheduler_name;
  std::string queue;
  std::string priority_class_name;
  std::int32_t min_available = 0;
  std::optional<std::int32_t> min_success;
  std::int32_t max_retry = 0;
  std::optional<std::int32_t> ttl_seconds_after_finished;
  std::vector<VcJobPolicy> policies;
  std::vector<std::pair<std::string, std::vector<std::string>>> plugins;  // sorted by name
  std::vector<VcJobVolume> volumes;
  std::optional<NetworkTopology> network_topology;
  std::vector<VcJobTask> tasks;

  // What holds where the object says nothing.
  std::string_view Queue() const { return queue.empty() ? "default" : std::string_view(queue); }
  std::string_view Scheduler() const {
    return scheduler_name.empty() ? "volcano" : std::string_view(scheduler_name);
  }
  std::int32_t MaxRetry() const { return max_retry > 0 ? max_retry : 3; }
  std::int32_t MinAvailable() const;
  std::int32_t TotalReplicas() const;
  std::int32_t TotalMinimum() const;  // of all tasks
  const VcJobTask* FindTask(std::string_view name) const;
  bool operator==(const VcJobSpec&) const = default;
};

struct VcJobStatus {
  struct PhaseCondition {
    VcJobPhase phase = VcJobPhase::kNone;
    Time last_transition_time{};
    bool operator==(const PhaseCondition&) const = default;
  };
  // How many pods of a task are in which PodPhase, sorted by phase.
  struct TaskCount {
    std::string task;
    std::vector<std::pair<std::string, std::int32_t>> phases;
    bool operator==(const TaskCount&) const = default;
  };

  VcJobPhase phase = VcJobPhase::kNone;
  Time last_transition_time{};
  std::string reason;
  std::string message;
  std::int32_t min_available = 0;
  std::int32_t pending = 0;
  std::int32_t running = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::int32_t terminating = 0;
  std::int32_t unknown = 0;
  std::vector<TaskCount> task_status_count;  // sorted by task
  std::int32_t version = 0;
  std::int32_t retry_count = 0;
  std::optional<Duration> running_duration;
  StringMap controlled_resources;
  std::vector<PhaseCondition> conditions;
  bool operator==(const VcJobStatus&) const = default;
};

struct VcJob {
  ObjectMeta meta;
  VcJobSpec spec;
  VcJobStatus status;
  bool operator==(const VcJob&) const = default;
};

struct JobTemplate {
  ObjectMeta meta;
  VcJobSpec spec;
  std::string raw_spec;  // the JSON of the whole spec: what jobs are made of
  std::vector<std::string> job_depends_on_list;  // status: names of the jobs made from it
  bool operator==(const JobTemplate&) const = default;
};

}  // namespace basalt::kube
