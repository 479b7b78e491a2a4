#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "kube/types/selector.h"

// The descheduler's policy file (contract C8, W3 to W7): `descheduler/v1alpha2 DeschedulerPolicy`,
// in the form that kubernetes-sigs/descheduler v0.36 and volcano-sh/descheduler have in common.
// A value: made by ParsePolicy, never changed while in force.
namespace basalt::descheduler {

using Thresholds = std::map<std::string, double>;  // by resource, in per cent

// Of namespaces either those that are named or all others; nothing named: all.
struct NamespaceChoice {
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool Takes(std::string_view ns) const;
  bool operator==(const NamespaceChoice&) const = default;
};

// How the moves of a plugin are carried out.
struct MoveArgs {
  std::optional<std::int64_t> max_migrations;  // of a run
  int max_parallel = 5;
  Duration migrate_timeout = std::chrono::minutes(2);
  Duration cool_down_time = std::chrono::minutes(10);
  bool operator==(const MoveArgs&) const = default;
};

struct DefragmentationArgs {
  std::string resource_type = "cpu";
  Thresholds low, defragment, protection;  // of the same resources
  std::int64_t number_of_nodes = 0;        // it acts when more than so many are below low
  MoveArgs moves;
  bool dry_run = false;
  bool partial = false;         // a source is emptied as far as that goes
  bool pack_underused = false;  // where no target has room, nodes below `defragment` take pods
  NamespaceChoice evictable_namespaces;
  kube::LabelSelector label_selector;  // of pods; empty: all
  kube::LabelSelector node_selector;
  bool operator==(const DefragmentationArgs&) const = default;
};

struct PriorityThreshold {
  std::string name;  // of a priority class; "": the value counts
  std::optional<std::int32_t> value;
  bool is_set() const { return value || !name.empty(); }
  bool operator==(const PriorityThreshold&) const = default;
};

// What keeps pods from being evicted: the same whether it was said by podProtections or by the
// older booleans.
struct PodProtections {
  bool local_storage = true;     // PodsWithLocalStorage
  bool daemon_set = true;        // DaemonSetPods
  bool system_critical = true;   // SystemCriticalPods: also what makes priorityThreshold count
  bool failed_bare = true;       // FailedBarePods
  bool with_pvc = false;         // PodsWithPVC
  bool without_pdb = false;      // PodsWithoutPDB
  bool resource_claims = false;  // PodsWithResourceClaims
  bool pdb_of_several_replicas = false;                // PodsWithPDBBlockingSingleReplicaOwner
  std::vector<std::string> protected_storage_classes;  // of with_pvc; empty: all
  bool operator==(const PodProtections&) const = default;
};

enum class NoEvictionPolicy : std::uint8_t { kPreferred, kMandatory };

struct DefaultEvictorArgs {
  kube::LabelSelector node_selector;  // of the nodes that pods may go to
  kube::LabelSelector label_selector;
  kube::LabelSelector namespace_label_selector;
  PriorityThreshold priority_threshold;
  bool node_fit = false;  // accepted: no pod ever goes without a place that it fits
  std::int64_t min_replicas = 0;
  std::optional<Duration> min_pod_age;
  NoEvictionPolicy no_eviction_policy = NoEvictionPolicy::kPreferred;
  PodProtections protections;
  bool operator==(const DefaultEvictorArgs&) const = default;
};

enum class MetricsType : std::uint8_t { kNone, kPrometheus, kPrometheusAdaptor, kMetricsApi };

struct LoadAwareArgs {
  Thresholds thresholds, target_thresholds;  // of the same resources: cpu, memory, pods
  // Thresholds are distances from the mean of all nodes.
  bool use_deviation_thresholds = false;
  std::int64_t number_of_nodes = 0;
  MoveArgs moves;
  NamespaceChoice evictable_namespaces;
  kube::LabelSelector node_selector;
  kube::LabelSelector label_selector;
  PriorityThreshold priority_threshold;
  bool node_fit = false;
  // The older booleans: what they say beside the profile's evictor.
  bool evict_local_storage = false;
  bool evict_system_critical = false;
  bool ignore_pvc = false;
  bool evict_failed_bare = false;
  Duration duration = std::chrono::minutes(2);  // over which usage is averaged
  MetricsType metrics = MetricsType::kNone;     // kNone: the plugin does nothing
  std::string metrics_address;
  std::string metrics_address_path;  // where the file says it, for messages
  bool operator==(const LoadAwareArgs&) const = default;
};

struct NodeAffinityArgs {
  NamespaceChoice namespaces;
  kube::LabelSelector label_selector;
  bool required = false;   // requiredDuringSchedulingIgnoredDuringExecution
  bool preferred = false;  // preferredDuringSchedulingIgnoredDuringExecution
  bool operator==(const NodeAffinityArgs&) const = default;
};

struct NodeTaintsArgs {
  NamespaceChoice namespaces;
  kube::LabelSelector label_selector;
  bool include_prefer_no_schedule = false;
  std::vector<std::string> excluded_taints;  // "key" or "key=value"
  std::vector<std::string> included_taints;
  bool operator==(const NodeTaintsArgs&) const = default;
};

struct InterPodAntiAffinityArgs {
  NamespaceChoice namespaces;
  kube::LabelSelector label_selector;
  bool operator==(const InterPodAntiAffinityArgs&) const = default;
};

// One profile: the arguments of those of its plugins that are enabled.
struct Profile {
  std::string name;
  bool evictor_filters = true;     // DefaultEvictor at `filter`
  bool evictor_prefilters = true;  // DefaultEvictor at `preEvictionFilter`
  DefaultEvictorArgs evictor;
  std::vector<std::string> deschedule;  // enabled plugins, in the order of the file
  std::vector<std::string> balance;
  std::optional<DefragmentationArgs> defragmentation;
  std::optional<LoadAwareArgs> load_aware;
  std::optional<NodeAffinityArgs> node_affinity;
  std::optional<NodeTaintsArgs> node_taints;
  std::optional<InterPodAntiAffinityArgs> inter_pod_anti_affinity;
  bool operator==(const Profile&) const = default;
};

struct Policy {
  kube::LabelSelector node_selector;  // other nodes are neither source nor target
  // Limits of a run.
  std::optional<std::int64_t> max_pods_per_node;
  std::optional<std::int64_t> max_pods_per_namespace;
  std::optional<std::int64_t> max_pods_total;
  std::optional<std::int64_t> grace_period_seconds;
  bool eviction_failure_event_notification = false;
  std::vector<Profile> profiles;  // at least one

  // "": the first that enables Defragmentation; nullptr: there is none such.
  const Profile* FindDefragmentation(std::string_view name = {}) const;
  bool operator==(const Policy&) const = default;
};

// Reads a policy file's text, YAML or JSON. The error is one line that begins with the whole path
// of the field ("profiles[0].pluginConfig[1].args.lowThresholds.cpu: …"), or with the line of what
// is no YAML.
std::expected<Policy, std::string> ParsePolicy(std::string_view text);

// What `basalt up` follows where it is given none (W2).
Policy BuiltinPolicy();

// A resource that nodes can have: one that Kubernetes knows, or one with a domain.
bool IsNodeResource(std::string_view name);

}  // namespace basalt::descheduler
