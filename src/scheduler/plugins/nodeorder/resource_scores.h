#pragma once

#include <array>
#include <optional>
#include <span>

#include "model/cluster.h"
#include "model/node_index.h"

namespace basalt::scheduler::plugins {

// The most that one score of nodeorder gives a node, before its weight.
inline constexpr double kMaxScore = 100;

// How well a task's request suits what nodes have and hold: least and most requested, and balance,
// each from 0 to 100 times its weight. Made for one task, used at once. On the cluster's thread.
class ResourceScores {
 public:
  struct Weights {
    int least = 1;
    int most = 0;
    int balanced = 1;
  };
  // Of one of CPU and memory, over the nodes: what is there, and what will be asked for.
  struct Column {
    const double* allocatable;
    const double* used;
    const double* promised;
    const double* assumed_there;
    double request;
    double assumed;
  };

  // `gpu`: the dimension of GPUs, where there are any.
  ResourceScores(const model::NodeLedger& ledger, const model::Task& task, const Weights& weights,
                 std::optional<int> gpu);

  // Adds to scores[i] the score of nodes[i].
  void Add(std::span<const model::NodeId> nodes, std::span<double> scores) const;
  // The same for all nodes, by node id, by vector instructions. false: not for this task.
  bool AddToAll(std::span<double> scores) const;
  // See NodeScorer::BoundScores.
  bool AddBounds(std::span<const model::NodeBox> boxes, std::span<double> bounds) const;

 private:
  double Bound(const model::NodeBox& box) const;
  double GpuBalance(std::size_t node) const;
  double BoundGpuBalance(const model::NodeBox& box) const;

  const model::NodeLedger& ledger_;
  const model::Task& task_;
  Weights weights_;
  double gpu_balance_ = 0;  // its weight, where balance is about three resources
  std::optional<int> gpu_;  // the dimension of GPUs where the task asks for some
  Column cpu_, memory_;
};

}  // namespace basalt::scheduler::plugins
