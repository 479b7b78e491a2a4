#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kube/types/pod.h"
#include "model/amounts.h"

namespace basalt::model {

// What tasks from one template have in common: everything that decides on which nodes they fit and
// how well, priority left out; of annotations and labels what policies say that they read. Nodes
// are filtered and scored once per class. Immutable; lives as long as a task of it.
struct TaskClass {
  std::uint32_t id = 0;
  // Tasks whose requirements on the node object alone (selector, node affinity, tolerations, node
  // name) are the same share this number, whatever they request.
  std::uint32_t static_class = 0;

  Amounts request;           // with one "pods"
  bool best_effort = false;  // asks for nothing but to run
  // It asks for a resource that no node and no queue offers: it can run nowhere. When one comes
  // that does, its tasks get a class in which the request has it.
  bool unknown_resource = false;

  bool has_node_rules = false;     // node selector, or required node affinity
  bool has_node_wishes = false;    // preferred node affinity
  bool has_pod_rules = false;      // required pod affinity or anti-affinity
  bool needs_other_pods = false;   // required pod affinity: a pod that comes may help
  bool has_pod_wishes = false;     // preferred pod affinity or anti-affinity
  bool has_spread_rules = false;   // topology spread, DoNotSchedule
  bool has_spread_wishes = false;  // topology spread, ScheduleAnyway
  bool has_pod_terms() const { return has_pod_rules || has_pod_wishes; }
  // What Kubernetes assumes for scores where containers say nothing, beyond the request.
  double assumed_milli_cpu = 0;
  double assumed_memory = 0;
  bool has_host_ports = false;
  bool has_volumes = false;  // claims or disks that restrict the nodes
  bool has_resource_claims = false;

  std::shared_ptr<const kube::Pod> example;
};

// All classes that have a task. Labels that no class has a rule about make no class: only those
// keys count that a selector of some class mentions. Owned by the Cluster, on its thread.
class TaskClasses {
 public:
  // The class of `pod`, with one user more.
  const TaskClass* Acquire(const std::shared_ptr<const kube::Pod>& pod,
                           const Dimensions& dimensions);
  void Release(const TaskClass* task_class);

  // The classes whose request reads otherwise now that `gone` have no name any more and others have
  // one. Their tasks are to be given a class again, which will be another.
  boost::unordered_flat_set<const TaskClass*> RetireOutdated(const Dimensions& dimensions,
                                                             DimensionSet gone);

  // The keys of annotations and labels that policies read from a pod when they judge nodes. Classes
  // that are acquired from now on differ where pods differ in one of them.
  const std::vector<std::string>& pod_keys() const { return pod_keys_; }
  void SetPodKeys(std::vector<std::string> keys) { pod_keys_ = std::move(keys); }

  // Label keys that a selector mentions and none did before, since this was last asked: tasks that
  // carry one of them have to be acquired anew.
  std::vector<std::string> TakeNewKeys() { return std::exchange(new_keys_, {}); }
  bool has_new_keys() const { return !new_keys_.empty(); }

  std::size_t size() const { return by_id_.size(); }
  // One more than the largest id, and static class, ever given.
  std::uint32_t bound() const { return next_id_; }
  std::uint32_t static_bound() const { return next_static_; }

 private:
  struct Entry {
    TaskClass value;
    std::string key;
    std::string static_key;
    std::vector<std::string> mentioned;  // label keys of its selectors
    std::uint32_t users = 0;
  };
  struct StaticEntry {
    std::uint32_t number = 0;
    std::uint32_t users = 0;
  };

  void Mention(const std::vector<std::string>& keys, int by);

  std::vector<std::string> pod_keys_;
  boost::unordered_flat_map<std::string, std::uint32_t> mentioned_;  // by how many classes
  std::vector<std::string> new_keys_;
  boost::unordered_flat_map<std::uint32_t, std::unique_ptr<Entry>> by_id_;
  boost::unordered_flat_map<std::string, Entry*> by_key_;  // those that are not outdated
  boost::unordered_flat_map<std::string, StaticEntry> static_;
  std::vector<std::uint32_t> free_ids_;
  std::vector<std::uint32_t> free_static_;
  std::uint32_t next_id_ = 0;
  std::uint32_t next_static_ = 0;
};

// The amounts of `list` that have a dimension. Sets `*unknown` where one has none.
Amounts ToResource(const kube::ResourceList& list, const Dimensions& dimensions, bool* unknown);
// The same of what a node or a queue offers: names that are new get a dimension.
Amounts OfferResource(const kube::ResourceList& list, Dimensions& dimensions);
// What of `list` a node can have: names of quotas are left out.
kube::ResourceList OfNodes(const kube::ResourceList& list);
// The names that have no dimension and an amount, sorted.
std::vector<std::string> UnknownNames(const kube::ResourceList& list, const Dimensions& dimensions);
// The names that the class asks for and no node or queue offers, sorted.
std::vector<std::string> UnknownNames(const TaskClass& task_class, const Dimensions& dimensions);

}  // namespace basalt::model
