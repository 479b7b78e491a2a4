#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/cluster.h"
#include "model/intent.h"

namespace basalt::scheduler::plugins {

// Which volumes the claims of placed tasks are to get. A claim with WaitForFirstConsumer gets its
// volume when its pod has a node: the smallest one there that suits it, or one that its provisioner
// makes for that node. From the placement until the claim is bound the choice is kept here, so that
// no two tasks take one volume. Kept from session to session; a choice goes with its task's place.
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
  const std::vector<Wanted>& WantedBy(const model::Task& task) const;
  std::optional<model::VolumeChoice> Choose(const Wanted& wanted, const model::Node& node,
                                            const Choices& so_far) const;
  void Forget(model::TaskId task);
  void Changed();

  const model::Cluster* cluster_ = nullptr;
  std::map<model::TaskId, Plan> plans_;
  std::map<std::string, model::TaskId> taken_;  // volume: by whom
  std::uint64_t version_ = 0;
  mutable std::uint64_t wanted_version_ = ~0ull;
  mutable model::TaskId wanted_by_;
  mutable std::vector<Wanted> wanted_;
};

}  // namespace basalt::scheduler::plugins
