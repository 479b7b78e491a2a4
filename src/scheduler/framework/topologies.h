#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/cluster.h"

namespace basalt::scheduler {

// The nodes by the value that they have of one label: nodes of one value are a domain.
class Topology {
 public:
  static constexpr std::int32_t kNoDomain = -1;

  // Nodes for which `counts` is false are in no domain.
  Topology(const model::Cluster& cluster, std::string_view key,
           const std::function<bool(const model::Node&)>& counts = {});

  // kNoDomain: the node lacks the label, or does not count.
  std::int32_t DomainOf(model::NodeId node) const {
    return node.index() < domain_of_node_.size() ? domain_of_node_[node.index()] : kNoDomain;
  }
  std::int32_t domains() const { return static_cast<std::int32_t>(nodes_.size()); }
  const std::vector<model::NodeId>& NodesOf(std::int32_t domain) const { return nodes_[domain]; }

 private:
  std::vector<std::int32_t> domain_of_node_;
  std::vector<std::vector<model::NodeId>> nodes_;
};

// Topologies that are asked for, kept from session to session as long as no node's labels change.
class Topologies {
 public:
  using Number = std::uint32_t;

  void Open(const model::Cluster& cluster);
  // A label's number stays the same.
  Number NumberOf(std::string_view key);
  // Until the next Open.
  const Topology& operator[](Number number);

 private:
  struct Entry {
    std::string key;
    std::unique_ptr<Topology> topology;
  };
  const model::Cluster* cluster_ = nullptr;
  std::uint64_t objects_generation_ = ~0ull;
  std::vector<std::shared_ptr<const kube::Node>> seen_;  // by node id
  std::vector<Entry> entries_;
  boost::unordered_flat_map<std::string, Number> numbers_;
};

}  // namespace basalt::scheduler
