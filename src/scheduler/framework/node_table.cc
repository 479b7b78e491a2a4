#include "scheduler/framework/node_table.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/vector_loop.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

using model::Amounts;

namespace {

// What is left beyond `least`, where that is less than in the dimensions before.
BASALT_VECTOR_LOOP void LowerSlack(std::size_t nodes, const double* __restrict amounts,
                                   double least, double* __restrict slack) {
  for (std::size_t n = 0; n < nodes; ++n) {
    const double left = amounts[n] - least;
    slack[n] = left < slack[n] ? left : slack[n];
  }
}

}  // namespace

void NodeTable::Update(const Task& task, const std::shared_ptr<VerdictCache::Statics>& statics) {
  statics_ = statics;
  const bool is_new = !std::exchange(filled_, true);
  if (is_new) rules_.Find(plugins_, task);
  // Whether what is elsewhere concerns the class may have changed with what was placed.
  if (is_new || rules_.FindClusterRules(plugins_, task)) {
    Follow(task);
    Fill(task);
    return;
  }
  thread_local std::vector<NodeId> changed;  // scratch
  changed.clear();
  bool any = false;
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    const TaskRules::FilterCall& call = rules_.of_cluster[i];
    any |= call.filter->FindChanges(task, call.part, &followed_[i], &changed) !=
           NodeFilter::Changes::kListed;
  }
  Refresh(task);
  AskClusterRulesAgain(task, any ? std::span(view_.cluster().nodes()) : std::span(changed));
}

// ---- what is elsewhere

void NodeTable::Follow(const Task& task) {
  followed_.clear();
  std::vector<NodeId> ignored;
  for (const TaskRules::FilterCall& call : rules_.of_cluster) {
    const auto known =
        call.filter->FindChanges(task, call.part, &followed_.emplace_back(), &ignored);
    // The first that refuses is the reason: they are asked all together, or none.
    if (known == NodeFilter::Changes::kUnknown) return followed_.clear();
  }
}

void NodeTable::AskClusterRules(const Task& task, NodeId node) {
  const std::size_t n = node.index();
  fit_[n] = own_fit_[n];
  reason_[n] = own_reason_[n];
  if (fit_[n] == Fit::kNot) return;
  reason_[n] = verdicts_.Keep(FirstRefusal(rules_.of_cluster, task, view_.cluster().node(node)));
  if (reason_[n] != VerdictCache::kFits) fit_[n] = Fit::kNot;
}

void NodeTable::AskClusterRulesAgain(const Task& task, std::span<const NodeId> nodes) {
  if (followed_.empty()) return;
  // Where many change each time a tree does not pay.
  if (nodes.size() * 16 > places_.size()) {
    tree_.clear();
    lookups_ = 0;
  }
  for (const NodeId node : nodes) {
    const Fit before = fit_[node.index()];
    AskClusterRules(task, node);
    if (!tree_.empty() && fit_[node.index()] != before) UpdateTree(node);
  }
}

// ---- all nodes

void NodeTable::Fill(const Task& task) {
  const model::Cluster& cluster = view_.cluster();
  tree_.clear();
  log_position_ = cluster.node_log_start() + cluster.node_log().size();
  const std::size_t size = places_.size();
  fit_.assign(size, Fit::kNot);
  reason_.assign(size, VerdictCache::kFits);
  score_.assign(size, 0.0);

  FillRoom(task);
  for (const NodeId node : cluster.nodes()) {
    const std::size_t n = node.index();
    if (fit_[n] == Fit::kNot) {
      reason_[n] = VerdictCache::kNoRoom;
      continue;
    }
    // Mostly the static rules are all there is, and known.
    reason_[n] = (*statics_)[n];
    if (!rules_.of_node.empty() || reason_[n] == VerdictCache::kNotAsked) {
      reason_[n] = verdicts_.NodeVerdict(*statics_, rules_, task, cluster.node(node));
    }
    if (reason_[n] != VerdictCache::kFits) fit_[n] = Fit::kNot;
  }
  FillScores(task);
  if (followed_.empty()) return;
  own_fit_ = fit_;
  own_reason_ = reason_;
  for (const NodeId node : cluster.nodes()) AskClusterRules(task, node);
}

void NodeTable::FillRoom(const Task& task) {
  if (room_ == Room::kIgnored) {
    std::ranges::fill(fit_, Fit::kNow);
    return;
  }
  const std::size_t size = fit_.size();
  const model::NodeLedger& ledger = view_.cluster().ledger();
  const Amounts& request = task.request();
  thread_local std::vector<double> now, later;  // scratch
  now.assign(size, std::numeric_limits<double>::max());
  later.assign(size, std::numeric_limits<double>::max());
  model::ForEachDimension(request.defined(), [&](int d) {
    LowerSlack(size, ledger.idle(d), request[d] - Amounts::kEpsilon, now.data());
    LowerSlack(size, ledger.future(d), request[d] - Amounts::kEpsilon, later.data());
  });
  for (std::size_t n = 0; n < size; ++n) {
    fit_[n] = later[n] > 0 ? (now[n] > 0 ? Fit::kNow : Fit::kLater) : Fit::kNot;
  }
}

void NodeTable::FillScores(const Task& task) {
  thread_local std::vector<NodeId> nodes;  // scratch
  thread_local std::vector<double> scores;
  bool listed = false;
  for (const NodeScorer* scorer : rules_.scorers) {
    if (scorer->ScoreAllNodes(task, score_)) continue;
    if (!listed) {
      listed = true;
      nodes.clear();
      for (const NodeId node : view_.cluster().nodes()) {
        if (fit_[node.index()] != Fit::kNot) nodes.push_back(node);
      }
    }
    scores.assign(nodes.size(), 0.0);
    scorer->ScoreNodes(task, nodes, scores);
    for (std::size_t i = 0; i < nodes.size(); ++i) score_[nodes[i].index()] += scores[i];
  }
}

// ---- nodes that changed

void NodeTable::Refresh(const Task& task) {
  const model::Cluster& cluster = view_.cluster();
  const std::vector<NodeId>& log = cluster.node_log();
  const std::uint64_t end = cluster.node_log_start() + log.size();
  if (log_position_ == end) return;
  if (log_position_ < cluster.node_log_start() || end - log_position_ > places_.size()) {
    Fill(task);
    return;
  }
  for (std::size_t i = log_position_ - cluster.node_log_start(); i < log.size(); ++i) {
    const NodeId node = log[i];
    // A node that changes several times in a row is looked at once.
    if (i + 1 < log.size() && log[i + 1] == node) continue;
    if (!cluster.node(node).exists()) continue;
    LookAt(task, node);
    if (!tree_.empty()) UpdateTree(node);
  }
  log_position_ = end;
}

void NodeTable::LookAt(const Task& task, NodeId node) {
  const std::size_t n = node.index();
  fit_[n] = RoomOn(view_.cluster().ledger(), task, node, room_);
  reason_[n] = fit_[n] == Fit::kNot
                   ? VerdictCache::kNoRoom
                   : verdicts_.NodeVerdict(*statics_, rules_, task, view_.cluster().node(node));
  if (reason_[n] != VerdictCache::kFits) fit_[n] = Fit::kNot;
  if (fit_[n] != Fit::kNot) {
    score_[n] = 0;
    for (const NodeScorer* scorer : rules_.scorers) {
      double score = 0;
      scorer->ScoreNodes(task, std::span(&node, 1), std::span(&score, 1));
      score_[n] += score;
    }
  }
  if (followed_.empty()) return;
  own_fit_[n] = fit_[n];
  own_reason_[n] = reason_[n];
  AskClusterRules(task, node);
}

// ---- the best

void NodeTable::BuildTree() {
  const std::vector<NodeId>& nodes = view_.cluster().nodes();
  const std::size_t leaves = std::bit_ceil(std::max<std::size_t>(nodes.size(), 1));
  tree_.assign(2 * leaves, NodeId{}.value);
  for (std::size_t i = 0; i < nodes.size(); ++i) tree_[leaves + i] = nodes[i].value;
  for (std::size_t i = leaves - 1; i > 0; --i) Play(i);
}

void NodeTable::UpdateTree(NodeId node) {
  const std::size_t leaves = tree_.size() / 2;
  for (std::size_t i = (leaves + places_[node.index()]) / 2; i > 0; i /= 2) Play(i);
}

std::optional<NodeId> NodeTable::Best() {
  const std::vector<NodeId>& nodes = view_.cluster().nodes();
  if (nodes.empty()) return std::nullopt;
  NodeId best = nodes.front();
  if (++lookups_ == 1) {
    for (const NodeId node : nodes) {
      if (Beats(node, best)) best = node;
    }
  } else {
    if (tree_.empty()) BuildTree();
    best = NodeId{tree_[1]};
  }
  if (fit_[best.index()] == Fit::kNot) return std::nullopt;
  return best;
}

}  // namespace basalt::scheduler
