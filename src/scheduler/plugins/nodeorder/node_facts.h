#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/cluster.h"

namespace basalt::scheduler::plugins {

// What nodeorder must know of all node objects together: which images are where, and whether any
// node has a taint that pods had rather avoid. Owned by the plugin, on the cluster's thread; kept
// from session to session. An update costs what changed.
class NodeFacts {
 public:
  void Update(const model::Cluster& cluster);

  bool any_soft_taint() const { return !soft_tainted_.empty(); }
  // Nodes that have one: ids, sorted.
  const std::vector<std::uint32_t>& soft_tainted() const { return soft_tainted_; }
  // Whether a node has one of the pod's images.
  bool KnowsImagesOf(const kube::Pod& pod) const;
  // Adds weight times the score of each node for the images that it has, the larger and the more
  // widespread the more, 0 to 100.
  void AddImageScores(const kube::Pod& pod, double weight, std::span<const model::NodeId> nodes,
                      std::span<double> scores) const;

 private:
  struct Image {
    std::int64_t size = 0;
    std::vector<std::uint32_t> nodes;  // ids, sorted
  };
  void Count(const kube::Node& node, std::uint32_t id);
  void Discount(const kube::Node& node, std::uint32_t id);

  std::uint64_t objects_generation_ = ~0ull;
  std::vector<std::shared_ptr<const kube::Node>> seen_;  // by node id
  std::size_t nodes_ = 0;
  std::vector<std::uint32_t> soft_tainted_;
  boost::unordered_flat_map<std::string, Image> images_;
};

}  // namespace basalt::scheduler::plugins
