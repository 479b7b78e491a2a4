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
// one would. Ids are those of the state that it was taken of.
struct StateImage {
  struct NodeImage {
    model::NodeId id;
    std::string name;                          // of one that does not exist
    std::shared_ptr<const kube::Node> object;  // nullptr: it does not exist
  };
  struct QueueImage {
    model::QueueId id;
    std::string name;
    std::shared_ptr<const kube::Queue> object;  // nullptr: it does not exist
  };
  struct TaskImage {
    model::TaskId id;
    model::JobId job;
    std::shared_ptr<const kube::Pod> pod;
    model::Holding holding;
    Time claimed_since{};
    bool ungating = false;
  };
  struct JobImage {
    model::JobId id;
    std::string ns, name;
    std::shared_ptr<const kube::PodGroup> group;
    model::QueueId queue;
    std::uint64_t arrival = 0;
    std::int32_t priority = 0;
    model::JobPhase phase = model::JobPhase::kPending;
    bool shadow = false;
    bool changed = false;
    std::optional<Time> schedule_start;
    std::optional<std::size_t> reservation;  // whose job it is: index in `reservations`
  };
  struct SlotImage {
    model::Holding holding;
    model::TaskId taker;  // which takes it over
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
