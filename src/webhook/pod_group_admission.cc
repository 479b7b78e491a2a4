#include "webhook/pod_group_admission.h"

#include <fmt/format.h>

#include "webhook/queue_reference.h"

namespace basalt::webhook {
namespace {

void CheckTopology(const std::optional<kube::NetworkTopology>& topology, std::string_view field,
                   Review& review) {
  if (!topology) return;
  if (topology->highest_tier_allowed && !topology->highest_tier_name.empty()) {
    review.Refuse(
        fmt::format("{}: highestTierAllowed and highestTierName exclude each other; "
                    "remove one",
                    field));
  }
  if (topology->highest_tier_allowed.value_or(0) < 0) {
    review.Refuse(fmt::format("{}.highestTierAllowed: {}: must not be negative", field,
                              *topology->highest_tier_allowed));
  }
}

std::string_view NamedQueue(const kube::PodGroup& group) {
  return group.queue.empty() ? kDefaultQueue : std::string_view(group.queue);
}

bool HasStarted(const kube::PodGroup& group) {
  return group.running > 0 || group.phase == kube::PodGroupPhase::kRunning;
}

}  // namespace

Review MutatePodGroup(const kube::PodGroup& group, std::string_view ns, const Snapshot& snapshot) {
  Review review;
  const std::string_view queue = ChooseQueue(group.queue, ns, snapshot, review);
  if (queue != group.queue) AddOperation(review.patch, "/spec/queue", boost::json::string(queue));
  if (group.min_member == 0) AddOperation(review.patch, "/spec/minMember", 1);
  return review;
}

Review ValidatePodGroup(const kube::PodGroup& group, const kube::PodGroup* old,
                        const Snapshot& snapshot) {
  Review review;
  if (group.min_member < 0) {
    review.Refuse(fmt::format("spec.minMember: {}: must be positive", group.min_member));
  }
  for (const auto& [task, least] : group.min_task_member) {
    if (least < 0) {
      review.Refuse(fmt::format("spec.minTaskMember[{}]: {}: must not be negative", task, least));
    }
  }
  if (group.min_resources) {
    for (const auto& [name, quantity] : *group.min_resources) {
      if (quantity.Sign() < 0) {
        review.Refuse(fmt::format("spec.minResources[{}]: {}: must not be negative", name,
                                  quantity.ToString()));
      }
    }
  }
  CheckTopology(group.network_topology, "spec.networkTopology", review);
  for (std::size_t i = 0; i < group.sub_group_policy.size(); ++i) {
    CheckTopology(group.sub_group_policy[i].network_topology,
                  fmt::format("spec.subGroupPolicy[{}].networkTopology", i), review);
  }
  // A queue may close while it has groups: those stay as they are.
  if (old == nullptr || old->queue != group.queue) {
    CheckQueueIsOpen(group.queue, "spec.queue", snapshot, review);
  }
  if (old != nullptr && NamedQueue(*old) != NamedQueue(group) && HasStarted(*old)) {
    review.Refuse(
        fmt::format("spec.queue: \"{}\": pods of the group run, and they count in queue {} until "
                    "they end; make a new group for another queue",
                    group.queue, NamedQueue(*old)));
  }
  return review;
}

}  // namespace basalt::webhook
