#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <vector>

#include "scheduler/framework/domain_counts.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
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
    std::unique_ptr<DomainCounts> counts;
  };
  struct Spread {
    const kube::TopologySpreadConstraint* spec;
    std::unique_ptr<DomainCounts> counts;
  };

  ResourceScores ResourceScoresOf(const Task& task) const;
  bool CountsNodeAffinity(const Task& task) const;
  bool CountsImages(const Task& task) const;
  double NodeAffinityScore(const Task& task, const Node& node) const;
  void AddTaints(const Task& task, std::span<const NodeId> nodes, std::span<double> scores) const;
  void AddPodAffinity(const Task& task, std::span<const NodeId> nodes,
                      std::span<double> scores) const;
  void AddSpread(const Task& task, std::span<const NodeId> nodes, std::span<double> scores) const;
  std::vector<Wish>& WishesOf(const Task& task) const;
  std::vector<Spread>& SpreadsOf(const Task& task) const;
  // What placed tasks wish about tasks of this class: topology label to value to weight.
  using Pull =
      boost::unordered_flat_map<std::string, boost::unordered_flat_map<std::string, double>>;
  const Pull& PullOf(const Task& task) const;

  Weights weights_;
  const SessionView* view_ = nullptr;
  NodeFacts facts_;
  int gpu_ = -1;
  // Counts that fill up as tasks are asked about.
  mutable boost::unordered_flat_map<std::uint32_t, std::unique_ptr<std::vector<Wish>>> wishes_;
  mutable boost::unordered_flat_map<std::uint32_t, std::unique_ptr<std::vector<Spread>>> spreads_;
  struct VersionedPull {
    std::uint64_t version = 0;
    Pull pull;
  };
  mutable boost::unordered_flat_map<std::uint32_t, VersionedPull> pulls_;
  std::uint64_t terms_version_ = 1;  // grows when a task with terms moves
};

}  // namespace basalt::scheduler::plugins
