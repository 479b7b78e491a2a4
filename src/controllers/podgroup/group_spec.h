#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kube/types/pod.h"
#include "kube/types/scheduling.h"

namespace basalt::controllers {

// What a workload's PodGroup should say (contract C6).
struct GroupSpec {
  std::int32_t min_member = 1;
  kube::ResourceList min_resources;
  std::string priority_class;
  std::string queue;
  // The workload or its pods name that queue; else it is where the group goes if it is in none yet.
  bool queue_is_named = false;
  std::optional<kube::NetworkTopology> network_topology;
  kube::StringMap annotations;
  kube::StringMap labels;
};

// Where a workload, or a pod without one, says what it wants.
struct GroupSource {
  const kube::StringMap* own_annotations = nullptr;  // the workload's; nullptr: there is none
  const kube::StringMap* annotations = nullptr;      // of the template or the pod: these win
  const kube::StringMap* labels = nullptr;
  const kube::PodSpec* pod = nullptr;
  std::optional<std::int32_t> pods_at_once;  // see Workload
};

// An error names the annotation and says what it must be. `usual_queue` is that of the namespace or
// of the cluster.
Result<GroupSpec> MakeGroupSpec(const GroupSource& source, std::string_view usual_queue);

// Whether a workload's annotation is passed on: those of Kubernetes itself are about the workload.
bool IsPassedOn(std::string_view key);

}  // namespace basalt::controllers
