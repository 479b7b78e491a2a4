#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "kube/types/reservation.h"

namespace basalt::descheduler {

// A pod's gang: how many of it run, not counting those that leave, and how many must.
struct GroupRoom {
  std::string name;  // of no other group
  int running = 0;
  int min_member = 0;
};

// The cluster as a migration sees it. What it returns is read during the call alone; nullptr: there
// is none. Outlives the migration; loop thread only.
class World {
 public:
  virtual ~World() = default;
  virtual const kube::Pod* Pod(std::string_view ns, std::string_view name) const = 0;
  virtual const kube::Node* Node(std::string_view name) const = 0;
  virtual const kube::Reservation* Reservation(std::string_view ns,
                                               std::string_view name) const = 0;
  // A disruption budget of the pod allows no disruption now, as far as its status says.
  virtual bool BudgetForbids(const kube::Pod& pod) const = 0;
  // Nothing: the pod is of no PodGroup.
  virtual std::optional<GroupRoom> GroupOf(const kube::Pod& pod) const = 0;
};

}  // namespace basalt::descheduler
