#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/cluster.h"
#include "scheduler/framework/fit_failure.h"
#include "scheduler/framework/plugin_set.h"

namespace basalt::scheduler {

class SessionView;

// The best node for a task: exact, never a sample; ties go to the first by name.
//
// Tasks of one class and queue share an entry: for every node whether the task fits (now, or once
// what is leaving is gone), why not, and its score. An entry is made when the class is first asked
// for; afterwards only nodes that changed are looked at again (the cluster's node log), and a
// tournament tree gives the best. Filters that depend on other nodes, and scores that are
// normalised over all candidates, are asked each time; tasks without such rules do not pay for
// them.
//
// Lives for one session. Counterpart: Volcano's PredicateHelper and PrioritizeNodes.
class NodeFinder {
 public:
  // Whether the task's request must fit into what a node has left, now or in future.
  enum class Room : std::uint8_t { kChecked, kIgnored };
  struct Found {
    NodeId node;
    bool now = false;  // it fits into what is idle (always so when room is ignored)
  };

  NodeFinder(const SessionView& view, const PluginSet& plugins) : view_(view), plugins_(plugins) {}

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
  using ReasonIndex = std::uint16_t;
  static constexpr ReasonIndex kFits = 0;
  static constexpr ReasonIndex kNoRoom = 1;

  struct FilterCall {
    const NodeFilter* filter;
    int part;
  };
  // The filters that concern a class.
  struct Filters {
    std::vector<FilterCall> of_static, of_node, of_cluster;
  };
  enum Fit : std::uint8_t { kNot = 0, kLater = 1, kNow = 2 };
  struct Entry {
    std::uint64_t key = 0;
    bool used = false;
    std::uint64_t last_use = 0;
    std::uint64_t log_position = 0;
    std::uint32_t lookups = 0;
    std::uint32_t static_entry = 0;
    Filters filters;
    std::vector<const NodeScorer*> scorers;
    std::vector<const BatchScorer*> batch_scorers;
    // By node id.
    std::vector<Fit> fit;
    std::vector<ReasonIndex> reason;
    std::vector<double> score;
    // A tournament over places in the order of names; empty until it pays.
    std::vector<std::uint32_t> tree;
  };
  // Verdicts that depend on the node object alone, shared by classes with the same rules.
  struct StaticEntry {
    std::vector<std::uint8_t> known;
    std::vector<ReasonIndex> reason;
  };

  void Prepare();
  Entry& EntryFor(const Task& task, Room room);
  void Fill(Entry& entry, const Task& task, Room room);
  void Refresh(Entry& entry, const Task& task, Room room);
  void EvaluateRoom(Entry& entry, const Task& task, Room room);
  Fit RoomOn(const Task& task, NodeId node, Room room) const;
  void EvaluateFilters(Entry& entry, const Task& task, NodeId node);
  void EvaluateOne(Entry& entry, const Task& task, NodeId node, Room room);
  void Score(const Entry& entry, const Task& task, std::span<const NodeId> nodes,
             std::span<double> scores) const;
  ReasonIndex StaticReason(Entry& entry, const Task& task, NodeId node);
  ReasonIndex Keep(const Verdict& verdict);

  std::optional<Found> Pick(Entry& entry);
  std::optional<Found> PickByList(Entry& entry, const Task& task);
  NodeId BestOf(const Entry& entry, const Task& task, std::span<const NodeId> nodes);
  bool Beats(const Entry& entry, NodeId challenger, NodeId holder) const {
    const std::size_t a = challenger.index(), b = holder.index();
    if (entry.fit[a] != entry.fit[b]) return entry.fit[a] > entry.fit[b];
    return entry.fit[a] != kNot && entry.score[a] > entry.score[b];
  }
  void BuildTree(Entry& entry) const;
  void UpdateTree(Entry& entry, NodeId node) const;

  // Entries kept at once. More classes than that in use at the same time cost time, not
  // correctness.
  static constexpr std::size_t kMaxEntries = 256;

  const SessionView& view_;
  const PluginSet& plugins_;
  std::uint64_t node_set_generation_ = ~0ull;
  std::vector<std::uint32_t> place_;  // by node id: its place in the order of names
  std::vector<Entry> entries_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> index_;
  std::vector<StaticEntry> statics_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> static_index_;
  std::vector<Verdict> verdicts_;  // number 2 and up
  std::uint64_t clock_ = 0;
  std::vector<NodeId> scratch_nodes_;
  std::vector<double> scratch_scores_;
};

}  // namespace basalt::scheduler
