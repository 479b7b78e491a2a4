#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "scheduler/framework/session.h"

namespace basalt::scheduler {

using TaskFilter = std::function<bool(const Task&)>;

// The tasks on the node that pass, that disruption budgets let go, and that may be evicted for the
// preemptor after what happened before; those that should go first at the front. Policies that
// permit only so many of a job therefore permit the least valuable ones (Volcano: any).
std::vector<const Task*> CandidatesOn(Session& session, const Node& node, const Task& preemptor,
                                      const TaskFilter& filter);

// Those that should go first at the front.
void SortVictims(const SessionView& view, const Task& preemptor, std::vector<const Task*>& victims);

// Whether the task would fit on the node if all victims were gone.
bool WouldFitWithout(const SessionView& view, const Task& task, NodeId node,
                     const std::vector<const Task*>& victims);

// Lets victims go from the front (`go`: evicts one, or lets it vanish) until it is `enough`, then
// gives back each that is not needed after all, the most valuable first. Those that disruption
// budgets do not let go after the others stay. nullopt: all of them are not enough, and the
// statement is as before.
std::optional<std::vector<const Task*>> FewestVictims(Session& session, Statement& statement,
                                                      const std::vector<const Task*>& victims,
                                                      const std::function<void(const Task&)>& go,
                                                      const std::function<bool()>& enough);

}  // namespace basalt::scheduler
