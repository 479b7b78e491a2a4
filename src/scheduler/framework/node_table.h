#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/framework/node_search.h"
#include "scheduler/framework/task_rules.h"

namespace basalt::scheduler {

class SessionView;

// For tasks of one class and queue: on which nodes they fit (now, or once what is leaving is gone),
// why not on the others, and each node's score. Made by looking at every node; afterwards only
// nodes that changed are looked at again (the cluster's node log), and those of which a filter that
// depends on the cluster says that its answer may be another. A tournament tree over the nodes in
// the order of their names gives the best. On the cluster's thread; lives for one session, in the
// NodeFinder.
class NodeTable {
 public:
  // `places`: by node id, its place in the order of names.
  NodeTable(const SessionView& view, const PluginSet& plugins, VerdictCache& verdicts,
            const std::vector<std::uint32_t>& places, Room room)
      : view_(view), plugins_(plugins), verdicts_(verdicts), places_(places), room_(room) {}

  // Brings it up to date; `task` is any of the class.
  void Update(const Task& task, const std::shared_ptr<VerdictCache::Statics>& statics);

  const TaskRules& rules() const { return rules_; }
  Fit fit(NodeId node) const { return fit_[node.index()]; }
  VerdictCache::Number reason(NodeId node) const { return reason_[node.index()]; }
  // The same without what depends on the cluster.
  VerdictCache::Number own_reason(NodeId node) const {
    return followed_.empty() ? reason(node) : own_reason_[node.index()];
  }
  double score(NodeId node) const { return score_[node.index()]; }
  // Filters that depend on the cluster and are not in the table.
  std::span<const TaskRules::FilterCall> unfollowed() const {
    if (!followed_.empty()) return {};
    return rules_.of_cluster;
  }
  // The node that Best gives is the best of all.
  bool NodesStandAlone() const { return unfollowed().empty() && rules_.batch_scorers.empty(); }

  // By fit, then score, then name; without those. nullopt: it fits nowhere.
  std::optional<NodeId> Best();

 private:
  void Follow(const Task& task);
  void AskClusterRules(const Task& task, NodeId node);
  void AskClusterRulesAgain(const Task& task, std::span<const NodeId> nodes);
  void Fill(const Task& task);
  void FillRoom(const Task& task);
  void FillScores(const Task& task);
  void Refresh(const Task& task);
  void LookAt(const Task& task, NodeId node);
  bool Beats(NodeId challenger, NodeId holder) const {
    const std::size_t a = challenger.index(), b = holder.index();
    if (fit_[a] != fit_[b]) return fit_[a] > fit_[b];
    return fit_[a] != Fit::kNot && score_[a] > score_[b];
  }
  // Which of the two below it wins.
  void Play(std::size_t i) {
    const NodeId left{tree_[2 * i]}, right{tree_[2 * i + 1]};
    tree_[i] = right.valid() && Beats(right, left) ? right.value : left.value;
  }
  void BuildTree();
  void UpdateTree(NodeId node);

  const SessionView& view_;
  const PluginSet& plugins_;
  VerdictCache& verdicts_;
  const std::vector<std::uint32_t>& places_;
  Room room_;

  bool filled_ = false;
  std::uint64_t log_position_ = 0;
  std::uint32_t lookups_ = 0;
  TaskRules rules_;
  // What the filters that depend on the cluster have seen; empty where they are not followed.
  std::vector<std::vector<std::uint64_t>> followed_;
  std::shared_ptr<VerdictCache::Statics> statics_;
  // By node id.
  std::vector<Fit> fit_;
  std::vector<VerdictCache::Number> reason_;
  std::vector<double> score_;
  // The same without what depends on the cluster, where something is followed.
  std::vector<Fit> own_fit_;
  std::vector<VerdictCache::Number> own_reason_;
  // A tournament over places in the order of names; empty until it pays.
  std::vector<std::uint32_t> tree_;
};

}  // namespace basalt::scheduler
