#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/cluster.h"
#include "model/node_index.h"
#include "scheduler/framework/task_rules.h"

namespace basalt::scheduler {

// Whether the task's request must fit into what a node has left, now or in future.
enum class Room : std::uint8_t { kChecked, kIgnored };
// Whether a task fits on a node: not, once what leaves is gone, or now.
enum class Fit : std::uint8_t { kNot = 0, kLater = 1, kNow = 2 };

// What the node's ledger alone says.
inline Fit RoomOn(const model::NodeLedger& ledger, const Task& task, NodeId node, Room room) {
  if (room == Room::kIgnored) return Fit::kNow;
  // As in Volcano a node must have the room in future also when it has it now: what was promised
  // to others is not for taking.
  if (!ledger.FitsFuture(task.request(), node)) return Fit::kNot;
  return ledger.FitsIdle(task.request(), node) ? Fit::kNow : Fit::kLater;
}

// Finds the best node without looking at every one: branch and bound. Blocks of like nodes
// (model::NodeIndex) are taken in the order of the score that no node in them can exceed, and the
// search ends when no block that is left can have a better node than the best one so far. Exact:
// the answer is that of looking at all of them, ties by name included.
//
// For tasks whose scorers all look at one node alone, and know bounds. On the cluster's thread;
// lives for one session, in the NodeFinder.
class NodeSearch {
 public:
  NodeSearch(const model::Cluster& cluster, VerdictCache& verdicts)
      : cluster_(cluster), verdicts_(verdicts) {}

  struct Answer {
    Fit fit = Fit::kNot;
    NodeId node;
  };
  // nullopt: a scorer knows no bounds, so there is no answer.
  std::optional<Answer> Best(const Task& task, const TaskRules& rules,
                             VerdictCache::Statics& statics, Room room);

 private:
  struct Candidate {
    double bound;
    std::uint32_t first_place;
    model::NodeIndex::BlockId block;
    // Of a heap the largest is on top: the highest bound, then the first by name.
    bool operator<(const Candidate& other) const {
      return bound != other.bound ? bound < other.bound : first_place > other.first_place;
    }
  };
  struct Leader {
    double score = 0;
    std::uint32_t place = 0;
    NodeId node;  // none: there is no leader yet
    bool MayLoseTo(double bound, std::uint32_t first_place) const {
      return !node.valid() || bound > score || (bound == score && first_place < place);
    }
  };
  struct Need {
    int column;
    double amount;
  };
  struct Question {
    const Task& task;
    const TaskRules& rules;
    VerdictCache::Statics& statics;
    Room room;
    Fit fit;  // the nodes that are looked for: kNow, or kLater
  };

  // What a block must have, by column of its box. false: no block can.
  bool FindNeeds(const Question& question, const model::NodeIndex& index);
  bool MayHaveRoom(const model::NodeBox& box) const {
    return std::ranges::none_of(needs_, [&](const Need& need) {
      return need.amount - box.most()[need.column] >= model::Amounts::kEpsilon;
    });
  }
  // false: there are no bounds.
  bool AddBlocks(const Question& question, const model::NodeIndex& index,
                 std::span<const model::NodeIndex::BlockId> blocks, const Leader& leader);
  void LookAtNodes(const Question& question, std::span<const std::uint32_t> nodes,
                   const model::NodeIndex& index, Leader* leader);
  // false: there are no bounds.
  bool Search(const Question& question, Leader* leader);

  const model::Cluster& cluster_;
  VerdictCache& verdicts_;
  // Scratch.
  std::vector<Need> needs_;
  std::vector<Candidate> heap_;
  std::vector<model::NodeBox> boxes_;
  std::vector<model::NodeIndex::BlockId> block_ids_;
  std::vector<double> bounds_;
  std::vector<NodeId> nodes_;
  std::vector<double> scores_, part_;
};

}  // namespace basalt::scheduler
