#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "kube/types/workloads.h"

namespace basalt::workloads {

struct DaemonSetStatus {
  std::int32_t current_scheduled = 0;
  std::int32_t desired = 0;
  std::int32_t misscheduled = 0;
  std::int32_t ready = 0;
  std::int32_t available = 0;
  std::int32_t updated = 0;
  bool operator==(const DaemonSetStatus&) const = default;
};

// What to do for a DaemonSet now.
struct DaemonSetPlan {
  std::vector<std::string> create;       // names of nodes
  std::vector<const kube::Pod*> remove;  // delete
  DaemonSetStatus status;
  std::optional<Time> look_again;  // a pod has then been ready for minReadySeconds
};

// What every daemon pod tolerates beside what its template says: it runs where nothing else may.
std::vector<kube::Toleration> DaemonTolerations(bool host_network);

// The node that a daemon pod was made for, bound or not. "": none.
std::string_view NodeOfDaemon(const kube::Pod& pod);

// Whether the set's pods belong on the node: node name, selector and affinity match, and no taint
// keeps them off.
bool RunsOn(const kube::DaemonSet& set, const kube::Node& node);

// `pods` are those that the set controls, `nodes` all there are, `revision` is that of its
// template. One pod on each node where it belongs; those of another revision are replaced, as many
// at a time as maxUnavailable says. Pure. Deviation: maxSurge is not used.
DaemonSetPlan PlanDaemonSet(const kube::DaemonSet& set, const std::vector<const kube::Pod*>& pods,
                            const std::vector<const kube::Node*>& nodes,
                            const std::string& revision, Time now);

}  // namespace basalt::workloads
