#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "kube/types/node.h"
#include "kube/types/reservation.h"
#include "kube/types/scheduling.h"
#include "model/objects.h"
#include "model/task.h"

namespace basalt::scheduler {

// All that a ClusterState knows at one moment: pointers to objects that never change, and what the
// state knows beside them. Taking one costs the scheduling thread little more than counting the
// pointers; another thread can make a state of it (ClusterState::Adopt) that decides as the first
// one would. Slots are those of the state that it was taken of.
struct StateImage {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct NodeImage {
    std::uint32_t slot = 0;
    std::string name;                          // of one that does not exist
    std::shared_ptr<const kube::Node> object;  // nullptr: it does not exist
  };
  struct QueueImage {
    std::uint32_t slot = 0;
    std::string name;
    std::shared_ptr<const kube::Queue> object;  // nullptr: it does not exist
  };
  struct TaskImage {
    std::uint32_t slot = 0;
    std::uint32_t job = kNone;  // its slot
    std::shared_ptr<const kube::Pod> pod;
    model::Holding holding;
    Time claimed_since{};
    bool ungating = false;
  };
  struct JobImage {
    std::uint32_t slot = 0;
    std::string ns, name;
    std::shared_ptr<const kube::PodGroup> group;
    std::uint32_t queue = kNone;  // its slot
    std::uint64_t arrival = 0;
    std::int32_t priority = 0;
    model::JobPhase phase = model::JobPhase::kPending;
    bool shadow = false;
    bool changed = false;
    std::optional<Time> schedule_start;
    std::uint32_t reservation = kNone;  // whose job it is: index in `reservations`
  };
  struct SlotImage {
    model::Holding holding;
    std::uint32_t taker = kNone;  // slot of the task that takes it over
  };
  struct ReservationImage {
    std::shared_ptr<const kube::Reservation> object;  // with the status that it is to have
    std::vector<SlotImage> slots;
  };

  std::uint64_t generation = 0;  // which state it is of
  std::vector<NodeImage> nodes;
  std::vector<QueueImage> queues;
  std::vector<JobImage> jobs;
  std::vector<TaskImage> tasks;  // but for those of reservations
  std::vector<ReservationImage> reservations;
  model::Objects objects;
};

}  // namespace basalt::scheduler
