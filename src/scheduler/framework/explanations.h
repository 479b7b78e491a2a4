#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "model/task_class.h"
#include "scheduler/framework/fit_failure.h"

namespace basalt::scheduler {

// Why tasks of a class have no node, for a while: looking at every node to say so costs more than
// finding out that none fits, and the reasons of a full cluster are the same from cycle to cycle.
// Kept from session to session. Owned by the PluginSet, on the sessions' thread.
class Explanations {
 public:
  struct Question {
    const model::TaskClass* task_class = nullptr;
    std::uint32_t queue = 0;
    bool room_counts = true;    // the request must fit into what a node has left
    std::uint64_t objects = 0;  // the generation of the nodes' and queues' objects
  };
  // nullptr: not known, or too old.
  const FitFailure* Find(const Question& question, Time now) const;
  // `changes`: when it may be another though nothing happens; none: never.
  const FitFailure& Keep(const Question& question, FitFailure failure, Time now,
                         std::optional<Time> changes);
  void Clear() { entries_.clear(); }

 private:
  struct Entry {
    // Of the class: as long as it is kept, no other class can be taken for this one.
    std::shared_ptr<const kube::Pod> example;
    FitFailure failure;
    Time from{}, until{};
    std::uint64_t objects = 0;
  };
  using Key = std::pair<std::uint64_t, bool>;
  static Key KeyOf(const Question& question);

  boost::unordered_flat_map<Key, Entry> entries_;
};

}  // namespace basalt::scheduler
