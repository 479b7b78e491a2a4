#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/cluster.h"
#include "model/intent.h"
#include "scheduler/framework/reasons.h"
#include "scheduler/framework/verdict.h"

namespace basalt::scheduler::plugins {

// Which volumes the claims of placed tasks are to get. A claim with WaitForFirstConsumer gets its
// volume when its pod has a node: the smallest one there that suits it, or one that its provisioner
// makes for that node. From the placement until the claim is bound the choice is kept here, so that
// no two tasks take one volume. Owned by the plugin, on the cluster's thread; kept from session to
// session. A choice goes with its task's place.
class VolumePlans {
 public:
  using Choices = std::vector<model::VolumeChoice>;

  // Forgets what has come true or fallen through since the last session.
  void Open(const model::Cluster& cluster);
  void TaskMoved(const model::Task& task);

  // For each claim of the task that is not bound the choice on this node; nullopt: one has none.
  std::optional<Choices> Match(const model::Task& task, const model::Node& node) const;
  // Of a task that has a place.
  Choices ChoicesOf(const model::Task& task) const;
  // Whether the task has a claim that is not bound.
  bool HasUnbound(const model::Task& task) const { return !VolumesOf(task).wanted.empty(); }
  // The volumes of the task's bound claims; nullptr: one that does not exist.
  const std::vector<const kube::PersistentVolume*>& BoundTo(const model::Task& task) const {
    return VolumesOf(task).bound;
  }

 private:
  struct Plan {
    std::string uid;
    model::NodeId node;
    Choices choices;
  };
  // What the task's claims may get anywhere, for the many nodes that are asked about one after the
  // other.
  struct Wanted {
    const kube::PersistentVolumeClaim* claim = nullptr;
    const Plan* shared = nullptr;  // another task has chosen for the claim already
    const model::VolumeChoice* shared_choice = nullptr;
    std::vector<const kube::PersistentVolume*> volumes;  // the smallest first
  };
  // Of one task; what others have chosen is in it.
  struct TaskVolumes {
    std::vector<Wanted> wanted;
    std::vector<const kube::PersistentVolume*> bound;
  };
  using Users = std::set<model::TaskId>;

  const TaskVolumes& VolumesOf(const model::Task& task) const;
  Wanted WhatClaimMayGet(const model::Task& task, const kube::PersistentVolumeClaim& claim) const;
  void IndexVolumes() const;
  std::optional<model::VolumeChoice> Choose(const Wanted& wanted, const model::Node& node,
                                            const Choices& so_far) const;
  void Keep(model::TaskId task, Plan plan);
  void Forget(model::TaskId task);

  const model::Cluster* cluster_ = nullptr;
  std::map<model::TaskId, Plan> plans_;
  // Whose plans have them.
  boost::unordered_flat_map<std::string, Users> users_of_volume_;
  boost::unordered_flat_map<std::string, Users> users_of_claim_;  // "ns/name"
  std::uint64_t version_ = 0;
  mutable std::uint64_t known_version_ = ~0ull;
  mutable model::TaskId known_of_;
  mutable TaskVolumes known_;
  // Volumes that name a claim, by that, and the others by their class; the smallest first.
  using Volumes = std::vector<const kube::PersistentVolume*>;
  mutable std::uint64_t volumes_generation_ = ~0ull;
  mutable boost::unordered_flat_map<std::string, Volumes> volumes_of_claim_;
  mutable boost::unordered_flat_map<std::string, Volumes> volumes_of_class_;
};

struct VolumeRules {
  bool zone = true;
  bool binding = true;
};

// Whether every claim of the task exists and is bound, or may be bound once the pod has a node.
Verdict CheckClaims(const model::Cluster& cluster, const model::Task& task, Reasons& reasons);
// Whether the task's volumes can be used on, or made for, the node.
Verdict CheckVolumes(const VolumePlans& plans, const model::Task& task, const model::Node& node,
                     const VolumeRules& rules);

}  // namespace basalt::scheduler::plugins
