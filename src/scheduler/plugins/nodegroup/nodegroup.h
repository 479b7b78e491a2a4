#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Queues with affinity to groups of nodes (label volcano.sh/nodegroup-name): their tasks run only
// in groups that the queue's spec.affinity allows, and rather in those it prefers. With
// `enableHierarchy` a queue without rules has those of its nearest ancestor that has some.
// Counterpart: Volcano plugins/nodegroup.
//
// Arguments: strict (true: a node without a group takes nobody; false: it takes tasks of queues
// without rules), enablePreferredOrder (false; true: of the preferred groups the earlier ones
// more).
class NodeGroup final : public Plugin,
                        public NodeFilter,
                        public NodeScorer,
                        public SessionObserver {
 public:
  static constexpr std::string_view kName = "nodegroup";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override;
  void FilterParts(const Task& task, std::vector<Part>* parts) const override;
  Verdict Filter(const Task& task, const Node& node, int part) const override;
  DependsOn ScoreDependsOn(const Task& task) const override;
  void ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override;
  bool BoundScores(const Task& task, std::span<const model::NodeBox> boxes,
                   std::span<double> bounds) const override;

 private:
  using Rules = kube::Queue::NodeGroupRules;
  // nullptr: the task's queue has none.
  const Rules* RulesOf(const Task& task) const;
  double ScoreOf(const Rules& rules, std::string_view group) const;

  bool hierarchy_ = false;
  bool strict_ = true;
  bool preferred_order_ = false;
  const SessionView* view_ = nullptr;
  boost::unordered_flat_map<model::QueueId, const Rules*> rules_;
};

}  // namespace basalt::scheduler::plugins
