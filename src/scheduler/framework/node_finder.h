#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/cluster.h"
#include "scheduler/framework/fit_failure.h"
#include "scheduler/framework/node_search.h"
#include "scheduler/framework/node_table.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/framework/task_rules.h"

namespace basalt::scheduler {

class SessionView;

// The best node for a task: exact, never a sample; ties go to the first by name.
//
// A class of tasks that was asked for only a few times is searched for (NodeSearch), which looks at
// few nodes; one that is asked for again and again gets a table of all nodes (NodeTable), in which
// an answer costs what changed. Filters that cannot say which of their answers changed, and scores
// that are normalised over all candidates, are asked each time, for every node; tasks without such
// rules do not pay for them.
//
// On the cluster's thread; lives for one session. Counterpart: Volcano's PredicateHelper and
// PrioritizeNodes.
class NodeFinder {
 public:
  using Room = scheduler::Room;
  struct Found {
    NodeId node;
    bool now = false;  // it fits into what is idle (always so when room is ignored)
  };

  NodeFinder(const SessionView& view, const PluginSet& plugins);

  // A node where it fits now before one where it will; among those the highest score.
  std::optional<Found> Best(const Task& task, Room room);
  // The same for one node alone.
  std::optional<Found> Try(const Task& task, NodeId node, Room room);
  // Every node that could take the task if others made room there (a filter that says
  // "unschedulable" does not count), the highest score first.
  std::vector<NodeId> ForPreemption(const Task& task);
  // Why Best found nothing.
  FitFailure Explain(const Task& task, Room room);

 private:
  // A plugin chooses its node among all that take it.
  bool IsChosen(const Task& task) const;

  // Tables kept at once. More classes than that in use at the same time cost time, not
  // correctness.
  static constexpr std::size_t kMaxTables = 256;
  // So often a class is searched for before it gets a table.
  static constexpr std::uint32_t kSearches = 8;

  struct KnownTable {
    std::unique_ptr<NodeTable> table;
    std::uint64_t last_use = 0;
  };

  void Prepare();
  std::uint64_t QueueKey(const Task& task) const;
  std::uint64_t Key(const Task& task, Room room) const;
  NodeTable& TableFor(const Task& task, Room room);
  std::optional<NodeSearch::Answer> Search(const Task& task, Room room);
  std::optional<Found> BestByList(const NodeTable& table, const Task& task);
  NodeId BestOf(const NodeTable& table, const Task& task, std::span<const NodeId> nodes);
  Verdict WorstVerdict(const NodeTable& table, const Task& task, const Node& node) const;

  const SessionView& view_;
  const PluginSet& plugins_;
  std::uint64_t node_set_generation_ = ~0ull;
  std::vector<std::uint32_t> places_;  // by node id: its place in the order of names
  VerdictCache verdicts_;
  NodeSearch search_;
  boost::unordered_flat_map<std::uint64_t, KnownTable> tables_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> searches_;
  std::uint64_t clock_ = 0;
  // Scratch.
  TaskRules rules_;
  std::vector<NodeId> nodes_;
  std::vector<double> scores_;
};

}  // namespace basalt::scheduler
