#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "scheduler/framework/session.h"

namespace basalt::scheduler::actions {

using TaskFilter = std::function<bool(const Task&)>;

// The tasks on the node that pass and may be evicted for the preemptor after what happened before,
// those that should go first at the front. Policies that permit only so many of a job therefore
// permit the least valuable ones (Volcano: any).
std::vector<const Task*> CandidatesOn(Session& session, const Node& node, const Task& preemptor,
                                      const TaskFilter& filter);

// Those that should go first at the front.
void SortVictims(const SessionView& view, const Task& preemptor, std::vector<const Task*>& victims);

// Whether the task would fit on the node if all victims were gone.
bool WouldFitWithout(const SessionView& view, const Task& task, NodeId node,
                     const std::vector<const Task*>& victims);

// Evicts victims from the front until `enough`, then gives back each that is not needed after all,
// the most valuable first. Returns who was evicted; the statement is as before when it is not
// enough.
struct Evictions {
  bool enough = false;
  std::vector<const Task*> evicted;
};
Evictions EvictUntil(Statement& statement, const Task& preemptor,
                     const std::vector<const Task*>& victims, std::string_view reason,
                     const std::function<bool()>& enough);

// A best-effort task that has a place now: nobody need leave for it.
bool BackfillWillPlace(Session& session, const Task& task);

}  // namespace basalt::scheduler::actions
