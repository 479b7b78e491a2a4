#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "kube/types/pod.h"
#include "kube/types/workloads.h"

namespace basalt::workloads {

// On every pod of a StatefulSet or DaemonSet: the template that it was made from.
inline constexpr std::string_view kRevisionHash = "controller-revision-hash";

struct StatefulSetStatus {
  kube::ReplicaCounts counts;
  std::string current_revision;
  std::string update_revision;
};

// What to do for a StatefulSet now.
struct StatefulSetPlan {
  std::vector<std::int32_t> create;      // ordinals
  std::vector<const kube::Pod*> remove;  // delete
  StatefulSetStatus status;
  std::optional<Time> look_again;  // a pod has then been ready for minReadySeconds
};

// The ordinal in the name of a pod of this set; nothing: the pod is none of its.
std::optional<std::int32_t> OrdinalOf(const kube::StatefulSet& set, std::string_view pod_name);

// `pods` are those that the set controls, `revision` is that of its template. Ordered sets start
// one pod after the other, upwards, and end them downwards; parallel ones all at once. Both replace
// pods of another revision one at a time, downwards, down to the partition. Pure. Deviation: old
// templates are not kept, so that a pod below the partition that is lost comes back with the new
// one.
StatefulSetPlan PlanStatefulSet(const kube::StatefulSet& set,
                                const std::vector<const kube::Pod*>& pods,
                                const std::string& revision, Time now);

}  // namespace basalt::workloads
