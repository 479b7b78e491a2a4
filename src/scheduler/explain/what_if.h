#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "kube/types/scheduling.h"
#include "model/cluster.h"

namespace basalt::scheduler::explain {

// Changes of the cluster to see what would be, each remembered with its inverse. They are undone in
// reverse, at the latest by the destructor; then the books are what they were, and a job whose pods
// were changed is looked at by the next cycle. No session may be open while one is made or undone.
// Scheduling thread only.
class WhatIf {
 public:
  explicit WhatIf(model::Cluster& cluster) : cluster_(cluster) {}
  ~WhatIf() { RollbackTo(0); }
  WhatIf(const WhatIf&) = delete;
  WhatIf& operator=(const WhatIf&) = delete;

  // A name for the next made-up object, which is like another. No object of the API server can have
  // it, so that none is ever taken for a made-up one.
  std::string NameFor(std::string_view like) const;
  static bool IsMadeUp(std::string_view name);

  // What the words of a change leave open. Among equals names decide, and those that people will
  // give are not known; a pod that "finishes" may count for its gang, one that is evicted does not.
  enum class Sorts : unsigned char { kBesideItsLike, kFirst, kLast };
  struct Reading {
    Sorts made_up = Sorts::kBesideItsLike;
    bool finish_well = false;
  };
  void set_reading(Reading reading) { reading_ = reading; }

  // The task has ended, and what it held is free.
  void Finish(model::TaskId task);
  // The object instead of the one of that name, or a new one.
  void Set(kube::Queue queue);
  void Set(kube::Node node);
  // The pod as another version of itself, of the same group; it holds what it held.
  void ChangePod(kube::Pod pod, const std::string& group);
  // A new pod of the job.
  void AddPod(kube::Pod pod, const std::string& group);

  using Checkpoint = std::size_t;
  Checkpoint Mark() const { return undo_.size(); }
  void RollbackTo(Checkpoint checkpoint);

 private:
  model::Cluster& cluster_;
  Reading reading_;
  std::vector<std::function<void()>> undo_;
};

}  // namespace basalt::scheduler::explain
