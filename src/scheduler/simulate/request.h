#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "kube/types/namespace.h"
#include "kube/types/node.h"
#include "kube/types/pdb.h"
#include "kube/types/pod.h"
#include "kube/types/priority_class.h"
#include "kube/types/reservation.h"
#include "kube/types/resource_quota.h"
#include "kube/types/scheduling.h"
#include "kube/types/storage.h"

namespace basalt::scheduler::simulate {

using Object = std::variant<kube::Pod, kube::PodGroup, kube::Reservation, kube::Node, kube::Queue,
                            kube::PriorityClass, kube::Namespace, kube::ResourceQuota,
                            kube::PodDisruptionBudget, kube::PersistentVolumeClaim,
                            kube::PersistentVolume, kube::StorageClass, kube::CsiNode>;

// "pod/NAME", "job/NAMESPACE/NAME".
struct Named {
  std::string kind;
  std::string ns;  // "" of a kind that has none
  std::string name;
};

// What would be, if: changes, made one after the other in the order of the fields.
struct Request {
  struct AddNodes {
    int count = 1;
    std::string like;  // the name of a node that is there
  };
  // "queue/NAME.capability.cpu" and "40".
  struct Setting {
    Named object;
    std::string field;
    std::string value;
  };
  std::vector<AddNodes> add_nodes;
  std::vector<std::string> remove_nodes;
  std::vector<std::string> cordon;
  std::vector<std::string> uncordon;
  std::vector<Setting> set;
  std::vector<Named> finish;  // pods, or all pods of a group or a job, end well
  std::vector<Named> remove;  // pods are deleted, and leave when their grace is over
  // New objects, or newer versions of those that are there.
  std::vector<Object> objects;
  // Play on, in virtual time, until nothing changes any more, for at most so long.
  bool until_quiet = false;
  Duration horizon = 7 * 24h;
};

// Of a kind that a simulation knows.
bool IsKnownKind(const boost::json::object& object);
// `ns`: of an object that needs a namespace and names none.
Result<Object> ParseObject(const boost::json::object& object, const std::string& ns);

// The body of POST /v1/simulate (docs/simulate.md). What is wrong is named with its field.
Result<Request> ParseRequest(std::string_view json);

}  // namespace basalt::scheduler::simulate
