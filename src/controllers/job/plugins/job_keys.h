#pragma once

#include <string_view>

#include "kube/types/vcjob.h"

// Labels and annotations of jobs, their pods and groups (contract C12.6, C12.7).
namespace basalt::controllers::job_keys {

inline constexpr std::string_view kJobName = kube::kVcJobNameLabel;
inline constexpr std::string_view kJobNamespace = "volcano.sh/job-namespace";
inline constexpr std::string_view kTaskSpec = "volcano.sh/task-spec";
inline constexpr std::string_view kTaskIndex = "volcano.sh/task-index";
inline constexpr std::string_view kQueueName = "volcano.sh/queue-name";
inline constexpr std::string_view kPartitionId = "volcano.sh/partition-id";
inline constexpr std::string_view kGroupName = "scheduling.k8s.io/group-name";
inline constexpr std::string_view kJobVersion = "volcano.sh/job-version";
inline constexpr std::string_view kJobRetryCount = "volcano.sh/job-retry-count";
inline constexpr std::string_view kTemplateUid = "volcano.sh/template-uid";
inline constexpr std::string_view kNumaTopologyPolicy = "volcano.sh/numa-topology-policy";
inline constexpr std::string_view kPreemptable = "volcano.sh/preemptable";
inline constexpr std::string_view kCooldownTime = "volcano.sh/cooldown-time";
inline constexpr std::string_view kRevocableZone = "volcano.sh/revocable-zone";
inline constexpr std::string_view kJdbMinAvailable = "volcano.sh/jdb-min-available";
inline constexpr std::string_view kJdbMaxUnavailable = "volcano.sh/jdb-max-unavailable";
inline constexpr std::string_view kJobForwarding = "volcano.sh/job-forwarding";
// The controller is about to delete the pod: its end is no event.
inline constexpr std::string_view kOutOfSync = "volcano.sh/controller-out-of-sync";

}  // namespace basalt::controllers::job_keys
