#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/affinity.h"
#include "kube/types/boxed.h"
#include "kube/types/container.h"
#include "kube/types/meta.h"
#include "kube/types/shared_list.h"

namespace basalt::kube {

enum class RestartPolicy : std::uint8_t { kAlways, kOnFailure, kNever };
enum class PreemptionPolicy : std::uint8_t { kPreemptLowerPriority, kNever };

struct Volume {
  enum class Kind : std::uint8_t {
    kOther,  // a configMap, a secret, projected, …: nothing that scheduling looks at
    kPersistentVolumeClaim,
    kEphemeral,  // its claim is named POD-VOLUME
    kHostPath,
    kEmptyDir,
    kCsi,         // inline
    kLegacyDisk,  // GCE, AWS EBS, Azure disk, ISCSI, RBD: at most one user of a disk on a node
  };
  std::string name;
  Kind kind = Kind::kOther;
  bool read_only = false;
  // The claim's name, the CSI driver's, or what identifies the disk ("gce:NAME").
  std::string source;
  bool operator==(const Volume&) const = default;
};

struct PodResourceClaim {
  std::string name;
  std::string resource_claim_name;
  std::string resource_claim_template_name;
  bool operator==(const PodResourceClaim&) const = default;
};

struct PodSpec {
  SharedList<Container> containers;
  SharedList<Container> init_containers;
  // The whole pod's; absent on most pods.
  Boxed<ResourceRequirements> resources;
  ResourceList overhead;

  std::string node_name;  // "": not bound
  std::string scheduler_name;
  std::string priority_class_name;
  std::optional<std::int32_t> priority;
  PreemptionPolicy preemption_policy = PreemptionPolicy::kPreemptLowerPriority;
  RestartPolicy restart_policy = RestartPolicy::kAlways;
  bool host_network = false;
  std::optional<std::int64_t> termination_grace_period_seconds;
  std::optional<std::int64_t> active_deadline_seconds;

  StringMap node_selector;
  Boxed<Affinity> affinity;
  SharedList<Toleration> tolerations;
  SharedList<TopologySpreadConstraint> topology_spread_constraints;
  std::vector<std::string> scheduling_gates;  // their names
  SharedList<Volume> volumes;
  std::vector<PodResourceClaim> resource_claims;
  std::string runtime_class_name;
  std::string service_account_name;

  bool operator==(const PodSpec&) const = default;
};

enum class PodPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kUnknown };
std::string_view ToString(PodPhase phase);
enum class QosClass : std::uint8_t { kUnset, kGuaranteed, kBurstable, kBestEffort };

struct PodStatus {
  PodPhase phase = PodPhase::kPending;
  QosClass qos_class = QosClass::kUnset;
  std::optional<Time> start_time;
  std::vector<Condition> conditions;
  std::string nominated_node_name;
  std::string reason;
  std::string message;
  std::string pod_ip;
  std::string host_ip;
  std::vector<ContainerStatus> container_statuses;
  std::vector<ContainerStatus> init_container_statuses;
  // What an in-place resize of the whole pod's resources has granted.
  Boxed<ContainerStatus::Granted> granted;

  bool operator==(const PodStatus&) const = default;
};

struct Pod {
  ObjectMeta meta;
  PodSpec spec;
  PodStatus status;

  bool bound() const { return !spec.node_name.empty(); }
  bool gated() const { return !spec.scheduling_gates.empty(); }
  // It has ended and never runs again.
  bool terminal() const {
    return status.phase == PodPhase::kSucceeded || status.phase == PodPhase::kFailed;
  }
  bool HasGate(std::string_view name) const;
  bool operator==(const Pod&) const = default;
};

// Whether a pod has a node, and why not.
inline constexpr std::string_view kPodScheduled = "PodScheduled";
// nullptr: nothing has been said of it yet.
inline const Condition* PodScheduledOf(const Pod& pod) {
  return FindCondition(pod.status.conditions, kPodScheduled);
}

// A workload's template for its pods. `raw` is the JSON of the whole template, so that a pod can be
// made from it without losing the fields that PodSpec does not know.
struct PodTemplate {
  StringMap labels;
  StringMap annotations;
  PodSpec spec;
  std::string raw;
  bool operator==(const PodTemplate&) const = default;
};

}  // namespace basalt::kube
