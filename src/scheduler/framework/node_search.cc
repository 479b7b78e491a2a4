#include "scheduler/framework/node_search.h"

#include <algorithm>

namespace basalt::scheduler {

using model::Amounts;
using model::NodeAmount;
using model::NodeIndex;

bool NodeSearch::FindNeeds(const Question& question, const NodeIndex& index) {
  needs_.clear();
  if (question.room == Room::kIgnored) return true;
  const Amounts& request = question.task.request();
  bool possible = true;
  model::ForEachDimension(request.defined(), [&](int d) {
    if (d >= index.dimensions()) {  // no node has any
      if (request[d] >= Amounts::kEpsilon) possible = false;
      return;
    }
    // Also where nothing is asked for: a node that has promised too much has not even that.
    needs_.push_back({model::NodeBox::Column(NodeAmount::kFuture, d), request[d]});
    if (question.fit == Fit::kNow) {
      needs_.push_back({model::NodeBox::Column(NodeAmount::kIdle, d), request[d]});
    }
  });
  return possible;
}

bool NodeSearch::AddBlocks(const Question& question, const NodeIndex& index,
                           std::span<const NodeIndex::BlockId> blocks, const Leader& leader) {
  boxes_.clear();
  block_ids_.clear();
  for (const NodeIndex::BlockId block : blocks) {
    const model::NodeBox box = index.Box(block);
    if (!MayHaveRoom(box)) continue;
    boxes_.push_back(box);
    block_ids_.push_back(block);
  }
  bounds_.assign(boxes_.size(), 0.0);
  for (const NodeScorer* scorer : question.rules.scorers) {
    if (!scorer->BoundScores(question.task, boxes_, bounds_)) return false;
  }
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const std::uint32_t first = boxes_[i].first_place();
    if (!leader.MayLoseTo(bounds_[i], first)) continue;
    heap_.push_back({bounds_[i], first, block_ids_[i]});
    std::push_heap(heap_.begin(), heap_.end());
  }
  return true;
}

void NodeSearch::LookAtNodes(const Question& question, std::span<const std::uint32_t> nodes,
                             const NodeIndex& index, Leader* leader) {
  nodes_.clear();
  for (const std::uint32_t n : nodes) {
    const NodeId id{n};
    if (RoomOn(cluster_.ledger(), question.task, id, question.room) != question.fit) continue;
    if (verdicts_.NodeVerdict(question.statics, question.rules, question.task, cluster_.node(id)) !=
        VerdictCache::kFits) {
      continue;
    }
    if (FirstRefusal(question.rules.of_cluster, question.task, cluster_.node(id)).ok()) {
      nodes_.push_back(id);
    }
  }
  if (nodes_.empty()) return;
  scores_.assign(nodes_.size(), 0.0);
  for (const NodeScorer* scorer : question.rules.scorers) {
    part_.assign(nodes_.size(), 0.0);
    scorer->ScoreNodes(question.task, nodes_, part_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) scores_[i] += part_[i];
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::uint32_t place = index.Place(nodes_[i]);
    if (leader->MayLoseTo(scores_[i], place)) *leader = {scores_[i], place, nodes_[i]};
  }
}

bool NodeSearch::Search(const Question& question, Leader* leader) {
  const NodeIndex& index = cluster_.FreshNodeIndex();
  if (index.empty() || !FindNeeds(question, index)) return true;
  heap_.clear();
  const NodeIndex::BlockId root = index.root();
  if (!AddBlocks(question, index, std::span(&root, 1), *leader)) return false;
  while (!heap_.empty()) {
    const Candidate top = heap_.front();
    if (!leader->MayLoseTo(top.bound, top.first_place)) break;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    if (index.IsLeaf(top.block)) {
      LookAtNodes(question, index.Members(top.block), index, leader);
    } else if (!AddBlocks(question, index, index.Members(top.block), *leader)) {
      return false;
    }
  }
  return true;
}

std::optional<NodeSearch::Answer> NodeSearch::Best(const Task& task, const TaskRules& rules,
                                                   VerdictCache::Statics& statics, Room room) {
  for (const Fit fit : {Fit::kNow, Fit::kLater}) {
    Leader leader;
    if (!Search({task, rules, statics, room, fit}, &leader)) return std::nullopt;
    if (leader.node.valid()) return Answer{.fit = fit, .node = leader.node};
    if (room == Room::kIgnored) break;
  }
  return Answer{};
}

}  // namespace basalt::scheduler
