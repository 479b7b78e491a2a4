#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/namespace.h"
#include "kube/types/scheduling.h"

namespace basalt::webhook {

using kube::kDefaultQueue;
using kube::kRootQueue;

// What validators and mutators know of the cluster: queues and their tree, how many groups each
// queue has, the queue of each namespace. Owned and filled by a ClusterView (or a test); validators
// and mutators only read it. Loop thread only.
class Snapshot {
 public:
  void PutQueue(std::shared_ptr<const kube::Queue> queue);
  void DropQueue(std::string_view name);
  void PutNamespace(const kube::Namespace& ns);
  void DropNamespace(std::string_view name);
  // A PodGroup that has not completed; by "namespace/name".
  void PutGroup(const kube::PodGroup& group);
  void DropGroup(std::string_view key);

  // nullptr: there is none.
  const kube::Queue* FindQueue(std::string_view name) const;
  // The queues whose parent it is, by name. A queue that names no parent is a child of root.
  std::vector<const kube::Queue*> Children(std::string_view parent) const;
  // PodGroups of the queue that have not completed.
  std::size_t Groups(std::string_view queue) const;
  bool KnowsNamespace(std::string_view ns) const { return namespace_queues_.contains(ns); }
  // The queue that the namespace's annotation names; "": none.
  std::string_view QueueOfNamespace(std::string_view ns) const;

 private:
  template <class T>
  using ByName = std::map<std::string, T, std::less<>>;

  ByName<std::shared_ptr<const kube::Queue>> queues_;
  ByName<std::set<std::string, std::less<>>> children_;  // by the parent's name
  ByName<std::string> namespace_queues_;
  ByName<std::string> group_queues_;  // by the group's key
  ByName<std::size_t> groups_;        // by queue
};

}  // namespace basalt::webhook
