#include "workloads/pod_facts.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <charconv>
#include <string_view>
#include <tuple>

namespace basalt::workloads {
namespace {

constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

int PhaseRank(kube::PodPhase phase) {
  switch (phase) {
    case kube::PodPhase::kPending: return 0;
    case kube::PodPhase::kUnknown: return 1;
    default: return 2;
  }
}

// A value that is no number counts as none; the API server lets it in.
std::int32_t DeletionCost(const kube::Pod& pod) {
  const std::string_view text = pod.meta.annotations.Get(kDeletionCost);
  std::int32_t cost = 0;
  std::from_chars(text.data(), text.data() + text.size(), cost);
  return cost;
}

}  // namespace

bool IsReady(const kube::Pod& pod) { return kube::IsConditionTrue(pod.status.conditions, "Ready"); }

std::optional<Time> AvailableAt(const kube::Pod& pod, std::int32_t min_ready_seconds) {
  const kube::Condition* ready = kube::FindCondition(pod.status.conditions, "Ready");
  if (ready == nullptr || ready->status != kube::ConditionStatus::kTrue) return std::nullopt;
  if (min_ready_seconds == 0) return Time::min();
  return ready->last_transition_time + std::chrono::seconds(min_ready_seconds);
}

std::int64_t Restarts(const kube::Pod& pod) {
  std::int64_t restarts = 0;
  for (const kube::ContainerStatus& status : pod.status.container_statuses) {
    restarts += status.restart_count;
  }
  for (const kube::ContainerStatus& status : pod.status.init_container_statuses) {
    restarts += status.restart_count;
  }
  return restarts;
}

void SortForDeletion(std::vector<const kube::Pod*>& pods,
                     const std::vector<const kube::Pod*>& related) {
  boost::unordered_flat_map<std::string_view, int> on_node;
  for (const kube::Pod* pod : related) {
    if (pod->bound() && IsActive(*pod)) ++on_node[pod->spec.node_name];
  }
  const auto key = [&](const kube::Pod* pod) {
    const kube::Condition* ready = kube::FindCondition(pod->status.conditions, "Ready");
    const bool is_ready = IsReady(*pod);
    const auto crowd = on_node.find(std::string_view(pod->spec.node_name));
    return std::tuple(pod->bound(), PhaseRank(pod->status.phase), is_ready, DeletionCost(*pod),
                      crowd == on_node.end() ? 0 : -crowd->second,
                      is_ready ? -ready->last_transition_time.time_since_epoch().count() : 0,
                      -Restarts(*pod), -pod->meta.creation_timestamp.time_since_epoch().count(),
                      std::string_view(pod->meta.name));
  };
  std::sort(pods.begin(), pods.end(),
            [&](const kube::Pod* a, const kube::Pod* b) { return key(a) < key(b); });
}

}  // namespace basalt::workloads
