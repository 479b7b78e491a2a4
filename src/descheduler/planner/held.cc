#include "descheduler/planner/held.h"

#include "model/reservations.h"

namespace basalt::descheduler {

std::vector<std::pair<model::TaskId, model::NodeId>> HeldByStatus(const model::Cluster& cluster) {
  std::vector<std::pair<model::TaskId, model::NodeId>> held;
  cluster.reservations().ForEach([&](const model::ReservationRecord& record) {
    for (const kube::Reservation::Placement& placement : record.object->status.placements) {
      if (placement.phase != kube::ReservationPhase::kAvailable) continue;
      const model::Node* node = cluster.FindNode(placement.node);
      if (!node) continue;
      for (const model::ReservedSlot& slot : record.slots) {
        if (slot.index != placement.index ||
            record.object->tasks[slot.task].name != placement.task) {
          continue;
        }
        if (cluster.task(slot.id).status() == model::TaskStatus::kPending) {
          held.emplace_back(slot.id, node->id);
        }
        break;
      }
    }
  });
  return held;
}

}  // namespace basalt::descheduler
