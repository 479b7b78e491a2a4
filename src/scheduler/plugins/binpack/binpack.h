#pragma once

#include <boost/container/small_vector.hpp>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Prefers nodes that are full already: of each requested resource the part that would be in use,
// weighted, from 0 to 100 times the plugin's weight. Counterpart: Volcano plugins/binpack.
//
// Arguments: binpack.weight, binpack.cpu, binpack.memory, binpack.resources (names with commas
// between), binpack.resources.NAME; each 1 where it is not given.
class Binpack final : public Plugin, public NodeScorer, public SessionObserver {
 public:
  static constexpr std::string_view kName = "binpack";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override;
  DependsOn ScoreDependsOn(const Task& task) const override;
  void ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override;
  bool ScoreAllNodes(const Task& task, std::span<double> scores) const override;
  bool BoundScores(const Task& task, std::span<const model::NodeBox> boxes,
                   std::span<double> bounds) const override;

 private:
  // A requested resource that counts.
  struct Part {
    int dimension;
    double request;
    double weight;
    const double* allocatable;
    const double* used;
  };
  using Parts = boost::container::small_vector<Part, 4>;
  // Empty: no opinion.
  Parts PartsOf(const Task& task, double* weight_sum) const;

  int weight_ = 1;
  std::vector<std::pair<std::string, int>> resources_;  // with their weights
  // By dimension, for this session; 0: not looked at.
  std::vector<int> weights_;
  std::vector<bool> counted_;
  const SessionView* view_ = nullptr;
  mutable std::vector<double> sums_, over_;  // scratch
};

}  // namespace basalt::scheduler::plugins
