#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <string_view>
#include <vector>

#include "descheduler/plugins/extension_points.h"
#include "descheduler/plugins/run.h"

namespace basalt::descheduler {

// Relieves nodes that are measured to be overloaded (contract C8, W7 and W21): pods go from nodes
// above targetThresholds to nodes below thresholds until the estimate is at most targetThresholds.
// What a pod uses goes with it; where nothing was measured, what it asks for. Lives while one plan
// is made, on the thread that owns the cluster.
class LoadAware final : public Balance {
 public:
  static constexpr std::string_view kName = "LoadAware";
  explicit LoadAware(const LoadAwareArgs& args) : args_(args) {}

  void ProposeTogether(Run& run) override;
  // Nodes in service without a figure that is asked for: they are left alone.
  const std::vector<std::string>& unmeasured() const { return unmeasured_; }
  // The measured load before the moves and the estimate after them, where there is a figure.
  void Show(const model::Node& node, PlannedNode* planned) const;

 private:
  struct Measure {
    std::string name;
    int dimension = 0;
    double low = 0, high = 0;  // thresholds, those that count
  };
  // By measure, in per cent of what the node has.
  using Load = std::vector<double>;
  struct NodeInfo {
    const model::Node* node = nullptr;
    Load before, now;
  };

  void FindThresholds();
  bool ReadLoad(const model::Node& node, NodeInfo* info) const;
  bool IsAbove(const NodeInfo& info) const;
  bool IsBelow(const NodeInfo& info) const;
  double SumOf(const NodeInfo& info) const;
  // What the pod adds to the load of a node, in per cent of what that has.
  double ShareOf(const model::Task& task, const Measure& measure, const model::Node& node) const;
  double AmountOf(const model::Task& task, const Measure& measure) const;
  void Shift(const model::Task& task, NodeInfo& info, int by) const;
  void Relieve(NodeInfo& source, std::vector<NodeInfo*>& targets);
  std::vector<const model::Task*> InOrder(const NodeInfo& source) const;
  NodeInfo* FindTarget(const model::Task& task, std::vector<NodeInfo*>& targets, LackCounts* lacks);

  const LoadAwareArgs& args_;
  Run* run_ = nullptr;
  std::vector<Measure> measures_;
  std::vector<NodeInfo> infos_;  // of nodes that take part, by name
  boost::unordered_flat_map<model::NodeId, std::size_t> index_;
  std::vector<std::string> unmeasured_;
};

}  // namespace basalt::descheduler
