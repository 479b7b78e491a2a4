#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kube/types/meta.h"
#include "kube/types/pod.h"
#include "kube/types/selector.h"

namespace basalt::kube {

// What the status of ReplicaSet, Deployment and StatefulSet counts.
struct ReplicaCounts {
  std::int32_t replicas = 0;
  std::int32_t ready = 0;
  std::int32_t available = 0;
  std::int32_t updated = 0;
  std::int32_t unavailable = 0;
  std::int32_t fully_labeled = 0;
  std::int32_t terminating = 0;
  std::int32_t current = 0;
  bool operator==(const ReplicaCounts&) const = default;
};

struct ReplicaSet {
  ObjectMeta meta;
  std::int32_t replicas = 1;
  std::int32_t min_ready_seconds = 0;
  std::optional<LabelSelector> selector;
  PodTemplate pod_template;

  std::int64_t observed_generation = 0;
  ReplicaCounts status;
  std::vector<Condition> conditions;
  bool operator==(const ReplicaSet&) const = default;
};

struct Deployment {
  enum class Strategy : std::uint8_t { kRollingUpdate, kRecreate };

  ObjectMeta meta;
  std::int32_t replicas = 1;
  std::int32_t min_ready_seconds = 0;
  std::optional<LabelSelector> selector;
  PodTemplate pod_template;
  Strategy strategy = Strategy::kRollingUpdate;
  std::optional<IntOrString> max_surge;
  std::optional<IntOrString> max_unavailable;
  std::int32_t revision_history_limit = 10;
  std::optional<std::int32_t> progress_deadline_seconds;
  bool paused = false;

  std::int64_t observed_generation = 0;
  ReplicaCounts status;
  std::optional<std::int32_t> collision_count;
  std::vector<Condition> conditions;
  bool operator==(const Deployment&) const = default;
};

struct StatefulSet {
  enum class PodManagement : std::uint8_t { kOrderedReady, kParallel };
  enum class Strategy : std::uint8_t { kRollingUpdate, kOnDelete };

  ObjectMeta meta;
  std::int32_t replicas = 1;
  std::int32_t min_ready_seconds = 0;
  std::optional<LabelSelector> selector;
  PodTemplate pod_template;
  std::string service_name;
  PodManagement pod_management = PodManagement::kOrderedReady;
  Strategy strategy = Strategy::kRollingUpdate;
  std::int32_t partition = 0;
  std::int32_t first_ordinal = 0;
  std::vector<std::string> volume_claim_templates;  // each the JSON of a PersistentVolumeClaim

  std::int64_t observed_generation = 0;
  ReplicaCounts status;
  std::string current_revision;
  std::string update_revision;
  std::vector<Condition> conditions;
  bool operator==(const StatefulSet&) const = default;
};

struct DaemonSet {
  enum class Strategy : std::uint8_t { kRollingUpdate, kOnDelete };

  ObjectMeta meta;
  std::int32_t min_ready_seconds = 0;
  std::optional<LabelSelector> selector;
  PodTemplate pod_template;
  Strategy strategy = Strategy::kRollingUpdate;
  std::optional<IntOrString> max_surge;
  std::optional<IntOrString> max_unavailable;

  std::int64_t observed_generation = 0;
  std::int32_t current_number_scheduled = 0;
  std::int32_t desired_number_scheduled = 0;
  std::int32_t number_misscheduled = 0;
  std::int32_t number_ready = 0;
  std::int32_t number_available = 0;
  std::int32_t number_unavailable = 0;
  std::int32_t updated_number_scheduled = 0;
  bool operator==(const DaemonSet&) const = default;
};

struct Job {
  enum class CompletionMode : std::uint8_t { kNonIndexed, kIndexed };

  ObjectMeta meta;
  std::int32_t parallelism = 1;
  std::optional<std::int32_t> completions;
  std::int32_t backoff_limit = 6;
  std::optional<std::int32_t> backoff_limit_per_index;
  std::optional<std::int32_t> max_failed_indexes;
  std::optional<std::int64_t> active_deadline_seconds;
  std::optional<std::int32_t> ttl_seconds_after_finished;
  CompletionMode completion_mode = CompletionMode::kNonIndexed;
  bool suspend = false;
  bool manual_selector = false;
  bool replace_failed_pods_only = false;  // podReplacementPolicy: Failed
  bool has_pod_failure_policy = false;
  bool has_success_policy = false;
  std::string managed_by;
  std::optional<LabelSelector> selector;
  PodTemplate pod_template;

  std::int32_t active = 0;
  std::int32_t ready = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::int32_t terminating = 0;
  std::string completed_indexes;
  std::string failed_indexes;
  std::optional<Time> start_time;
  std::optional<Time> completion_time;
  // Ended pods whose finalizer is still to be removed, by uid.
  std::vector<std::string> uncounted_succeeded;
  std::vector<std::string> uncounted_failed;
  std::vector<Condition> conditions;
  bool operator==(const Job&) const = default;
};

}  // namespace basalt::kube
