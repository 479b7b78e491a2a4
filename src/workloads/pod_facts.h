#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "kube/types/pod.h"

namespace basalt::workloads {

// Neither ended nor on its way out.
inline bool IsActive(const kube::Pod& pod) { return !pod.terminal() && !pod.meta.deleting(); }

bool IsReady(const kube::Pod& pod);

// When a ready pod has been ready for `min_ready_seconds`; nothing: it is not ready.
std::optional<Time> AvailableAt(const kube::Pod& pod, std::int32_t min_ready_seconds);

// How many of its containers' runs have ended and begun again.
std::int64_t Restarts(const kube::Pod& pod);

// Those that cost least to lose come first: without a node, pending, not ready, a lower
// controller.kubernetes.io/pod-deletion-cost, on a node with more of the same owner's pods, ready
// for a shorter time, restarted more often, newer; then by name, so that the order is always the
// same. `related` are the pods that count for the crowding of nodes.
void SortForDeletion(std::vector<const kube::Pod*>& pods,
                     const std::vector<const kube::Pod*>& related);

}  // namespace basalt::workloads
