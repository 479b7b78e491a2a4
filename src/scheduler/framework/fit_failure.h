#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/queue.h"
#include "scheduler/framework/reasons.h"
#include "scheduler/framework/verdict.h"

namespace basalt::scheduler {

// Why a task has no place: how many nodes refused it for which reason, most first.
struct FitFailure {
  std::vector<std::pair<std::string, int>> nodes_by_reason;
  int nodes = 0;
  std::string other;  // a reason that is not a node's
  // false: no node would help, so that no autoscaler should hear of it. Then `held_by` is the pod's
  // reason; mostly it waits for its queue.
  bool nodes_would_help = true;
  std::string_view held_by = reasons::kWaitsForQueue;
  // No node's object suits it, whatever pods come and go: only another node helps, or another
  // label, taint or the like of one that is there.
  bool no_node_suits = false;
  // Which step of its placement refuses it.
  enum class Step : unsigned char { kVote, kQueue, kNode };
  Step step = Step::kNode;
  model::Shortfall shortfall =
      {};  // of a vote or a queue: whose limit it is, where a policy says so

  // Of a task that is refused whatever the node.
  static FitFailure Of(const Verdict& verdict);

  // What a condition gives as its reason, where that is neither nodes nor queue; a literal.
  std::string_view reason = {};

  // "0/3 nodes are available: 2 Insufficient cpu, 1 node(s) had untolerated taint {a: b}."
  std::string Message() const;
};

// Whether what was said of a pod still holds, so that it need not be written anew: how many nodes
// there are, and how many of them have each reason, may differ, and nodes that have come since may
// have reasons of their own. A new node changes nothing for the pods that it does not help.
bool StillHolds(std::string_view said, std::string_view now);

}  // namespace basalt::scheduler
