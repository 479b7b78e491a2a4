#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/signer.h"
#include "kube/types/reservation.h"
#include "model/cluster.h"
#include "model/intent.h"
#include "scheduler/state/shadow_groups.h"
#include "scheduler/state/state_image.h"

namespace basalt::scheduler {

// Brings the model up to date with what the API server says, and with what became of our own
// writes. Events may come in any order: what names something that is not there yet is completed
// when that comes, so that a restart is nothing but all objects once more.
//
// Where the model knows more than the API server (a bind under way, a promise, an eviction under
// way) the model's view stays until the API server's catches up or the write fails.
//
// A pod of ours that belongs to no group gets a shadow (model::Job), whatever the pod's state: it
// counts in its queue from the pod's first event to its last.
//
// A task with a node stays in the queue in which it was bound, whatever its pod, its PodGroup or
// its namespace say later; else a limit would be escaped by another name. A group stays where its
// pods were bound as long as one of them has a node. Across restarts the pods carry it
// (model/bound_queue.h).
//
// Scheduling thread only.
class ClusterState {
 public:
  struct Options {
    // Pods of other schedulers only count on their nodes. Empty: all pods are ours.
    boost::unordered_flat_set<std::string> scheduler_names;
    std::string default_queue = "default";
    // Off: queue-allocation gates are not waited for but removed.
    bool queue_gates = true;
    // Knows what our own schedulers wrote on pods; outlives the state. nullptr: nothing is
    // believed.
    const Signer* signer = nullptr;
  };

  explicit ClusterState(Options options) : options_(std::move(options)) {
    cluster_.SetGatesEnabled(options_.queue_gates);
  }
  ClusterState(const ClusterState&) = delete;
  ClusterState& operator=(const ClusterState&) = delete;

  model::Cluster& cluster() { return cluster_; }
  const model::Cluster& cluster() const { return cluster_; }
  // Whether decisions are made here. While they are not, another scheduler leads, and promises and
  // queues are what the pods say. When it begins, those on nodes are put where they were bound.
  void SetDeciding(bool deciding);
  // Grows with every event that may change a decision.
  std::uint64_t generation() const { return generation_; }

  // ---- objects: added or changed, and gone
  void Set(std::shared_ptr<const kube::Pod> pod);
  void Set(std::shared_ptr<const kube::Node> node);
  void Set(std::shared_ptr<const kube::PodGroup> group);
  void Set(std::shared_ptr<const kube::Queue> queue);
  void Set(std::shared_ptr<const kube::PriorityClass> priority_class);
  void Set(std::shared_ptr<const kube::Namespace> ns);
  void Set(std::shared_ptr<const kube::Reservation> reservation);
  // `object` is its last known version.
  void Remove(const kube::Pod& pod);
  void Remove(const kube::Node& node);
  void Remove(const kube::PodGroup& group);
  void Remove(const kube::Queue& queue);
  void Remove(const kube::PriorityClass& priority_class);
  void Remove(const kube::Namespace& ns);
  void Remove(const kube::Reservation& reservation);
  // Kinds that are only looked up.
  template <class T>
  void Set(std::shared_ptr<const T> object) {
    ++generation_;
    cluster_.mutable_objects().Of<T>().Set(std::move(object));
  }
  template <class T>
  void Remove(const T& object) {
    ++generation_;
    cluster_.mutable_objects().Of<T>().Erase(object.meta.Key());
  }

  // A cycle begins: reservations whose time is over have ended, those that pods have taken are
  // theirs, and jobs that waited for one are looked at.
  void LookAfterReservations(Time now);
  void ReservationWriteFailed(std::string_view ns, std::string_view name, std::string_view uid);

  // What the last events alone ask for: warnings, gates that are to go.
  std::vector<model::Intent> TakeNews() { return std::exchange(news_, {}); }

  // ---- another state that decides as this one; in state_image.cc
  StateImage TakeImage() const;
  // Instead of any event. The signer, which is of one thread, is not in the image.
  void Adopt(const StateImage& image);

  // ---- outcomes of our writes; `uid` tells a pod from a later one in the task's slot
  enum class AfterRefusal : std::uint8_t { kTryAgain, kRest };
  // Its room is free again, but for one whose gang has started: that keeps it as a promise while it
  // is tried again. kRest: it gives up that too, and is not tried before EndRest.
  void BindFailed(model::TaskId task, std::string_view uid, AfterRefusal then);
  // What the pod is to say of it: nothing, where the pod is gone or gated, or another scheduler
  // leads by now.
  void SayBindRefused(const model::Task& task, const Error& why);
  // Others of its gang are on their nodes or on their way, and they need it.
  bool IsOfStartedGang(const model::Task& task) const;
  void EndRest(model::TaskId task, std::string_view uid);
  void UngateFailed(model::TaskId task, std::string_view uid);
  void EvictionFailed(model::TaskId task, std::string_view uid);

 private:
  bool IsOurs(const kube::Pod& pod) const;
  // What there is to say or to do about a pod of ours that has just come.
  void LookAtNewcomer(const model::Task& task);
  // With gates switched off: ours go, from whatever pod of ours has one.
  void AskToUngate(const model::Task& task);
  model::Holding Reconcile(const kube::Pod& pod);
  model::Holding Restored(const kube::Pod& pod, const model::Holding& said);
  std::string NamespaceQueue(std::string_view name) const;  // "": it names none
  std::string QueueOf(const kube::Pod& pod) const;
  std::string QueueOf(const kube::PodGroup& group) const;
  const std::string& QueueNameOf(const model::Job& job) const;
  // ---- in which queue tasks with nodes count; in bound_queues.cc
  void WarnOfOtherQueue(const kube::Pod& before, const model::Task& task);
  std::optional<std::string> BoundQueueOf(const model::Task& task);
  void PutWhereBound(model::TaskId task);
  void PutAllWhereBound();
  void PutApart(model::TaskId task, const std::string& queue);
  void NodeLeft(model::JobId job);
  void SetShadow(model::TaskId task);
  void SetShadow(model::TaskId task, const std::string& queue);
  template <class Pick>
  void RefreshShadows(Pick pick);
  void MoveShadows(std::string_view ns, const std::string& queue_before);
  std::vector<model::TaskId> PromisedOn(const model::Node& node) const;
  const model::Task* FindTask(const kube::Pod& pod) const;
  const model::Task* FindTask(model::TaskId task, std::string_view uid) const;
  // ---- reservations; in reservation_events.cc
  bool IsOurs(const kube::Reservation& reservation) const;
  void AddReservation(const std::shared_ptr<const kube::Reservation>& reservation);
  void RestoreReservations();
  std::int32_t PriorityOf(const kube::PodGroup& group) const;
  void RefreshPriorities();

  Options options_;
  ShadowGroups shadow_groups_;
  model::Cluster cluster_;
  std::uint64_t generation_ = 0;
  bool deciding_ = true;
  std::vector<model::Intent> news_;
  // By namespace and name. While another scheduler decides they are all that is known of them.
  std::map<std::string, std::shared_ptr<const kube::Reservation>> reservations_;
};

}  // namespace basalt::scheduler
