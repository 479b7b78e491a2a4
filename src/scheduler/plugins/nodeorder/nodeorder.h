#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <vector>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/pod_counts.h"
#include "scheduler/framework/session_view.h"
#include "scheduler/plugins/nodeorder/node_facts.h"
#include "scheduler/plugins/nodeorder/resource_scores.h"

namespace basalt::scheduler::plugins {

// Kubernetes' own preferences among nodes, each from 0 to 100 times its weight. Counterpart:
// Volcano plugins/nodeorder. Arguments (weights): leastrequested.weight (1), mostrequested.weight
// (0), balancedresource.weight (1), nodeaffinity.weight (2), imagelocality.weight (1),
// podaffinity.weight (2), tainttoleration.weight (3), podtopologyspread.weight (2).
//
// As in Volcano the score of preferred node affinity is not normalised.
class NodeOrder final : public Plugin,
                        public NodeScorer,
                        public BatchScorer,
                        public SessionObserver,
                        public PlacementObserver {
 public:
  static constexpr std::string_view kName = "nodeorder";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  NodeOrder();
  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override;
  void TaskMoved(const Task& task, const model::Holding& from) override;

  DependsOn ScoreDependsOn(const Task& task) const override;
  void ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override;
  bool ScoreAllNodes(const Task& task, std::span<double> scores) const override;
  bool BoundScores(const Task& task, std::span<const model::NodeBox> boxes,
                   std::span<double> bounds) const override;
  bool Concerns(const Task& task) const override;
  void ScoreBatch(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override;

 private:
  struct Weights {
    int least_requested = 1;
    int most_requested = 0;
    int balanced = 1;
    int node_affinity = 2;
    int image_locality = 1;
    int pod_affinity = 2;
    int taints = 3;
    int spread = 2;
  };
  // What a task's class wishes to be near to or far from, with the counts of it.
  struct Wish {
    double weight;
    const DomainCounts* counts;
  };
  struct Spread {
    const kube::TopologySpreadConstraint* spec;
    const DomainCounts* counts;
  };
  // The nodes that tasks had rather avoid for their taints. Where all of these are disliked as much
  // as each other a node's score is the same whoever else is a candidate: such a score is a node's
  // own.
  struct Dislikes {
    bool alike = true;
    std::vector<std::uint32_t> nodes;  // ids, sorted
  };

  ResourceScores ResourceScoresOf(const Task& task) const;
  bool CountsNodeAffinity(const Task& task) const;
  bool CountsImages(const Task& task) const;
  double NodeAffinityScore(const Task& task, const Node& node) const;
  const Dislikes& DislikesOf(const Task& task) const;
  bool CountsTaints(const Task& task) const;
  void AddTaints(const Task& task, std::span<const NodeId> nodes, std::span<double> scores) const;
  void AddPodAffinity(const Task& task, std::span<const NodeId> nodes,
                      std::span<double> scores) const;
  void AddSpread(const Task& task, std::span<const NodeId> nodes, std::span<double> scores) const;
  std::vector<Wish>& WishesOf(const Task& task) const;
  std::vector<Spread>& SpreadsOf(const Task& task) const;
  // Adds to `raw` what the task wishes about placed ones, and they about it. false: nothing at all.
  bool AddWishes(const Task& task, std::span<const NodeId> nodes, std::span<double> raw) const;

  Weights weights_;
  const SessionView* view_ = nullptr;
  NodeFacts facts_;
  int gpu_ = -1;
  // What fills up as tasks are asked about.
  mutable PodCounts counts_;
  mutable boost::unordered_flat_map<std::uint32_t, Dislikes> dislikes_;  // by static class
  mutable boost::unordered_flat_map<std::uint32_t, std::unique_ptr<std::vector<Wish>>> wishes_;
  mutable boost::unordered_flat_map<std::uint32_t, std::unique_ptr<std::vector<Spread>>> spreads_;
};

}  // namespace basalt::scheduler::plugins
