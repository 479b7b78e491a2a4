#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/cluster.h"

namespace basalt::scheduler {

// The nodes by the value that they have of one label: nodes of one value are a domain. Immutable;
// valid while no label of a node changes.
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
// Owned by a PodCounts, on the cluster's thread.
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

// A number for each domain of a topology, 0 at first, and the steps by which they changed, so that
// a caller that follows them looks at domains that changed alone. Takes memory for domains that
// have another number than 0, until they are many. On the cluster's thread; lives for one session.
class DomainCounts {
 public:
  // Of whether the smallest is to be known: only for counts, which go up and down by one and are
  // never negative.
  enum class Keep : std::uint8_t { kCountsAlone, kLeast };
  explicit DomainCounts(const Topology& topology, Keep keep = Keep::kCountsAlone)
      : topology_(topology), keep_(keep) {}

  const Topology& topology() const { return topology_; }
  std::int32_t DomainOf(model::NodeId node) const { return topology_.DomainOf(node); }
  std::int64_t Count(std::int32_t domain) const {
    if (!dense_.empty()) return dense_[domain];
    if (sparse_.empty()) return 0;
    const auto it = sparse_.find(domain);
    return it == sparse_.end() ? 0 : it->second;
  }
  // 0 where the node has no domain.
  std::int64_t On(model::NodeId node) const {
    if (nonzero_ == 0) return 0;
    const std::int32_t domain = topology_.DomainOf(node);
    return domain == Topology::kNoDomain ? 0 : Count(domain);
  }
  std::int64_t total() const { return total_; }
  std::int32_t domains() const { return topology_.domains(); }
  // No domain has another number than 0.
  bool empty() const { return nonzero_ == 0; }
  // The smallest count of any domain, where it is kept; 0 where there is none.
  std::int64_t Least() const { return least_; }

  void Change(model::NodeId node, std::int64_t by) { ChangeDomain(topology_.DomainOf(node), by); }
  // Of kNoDomain nothing.
  void ChangeDomain(std::int32_t domain, std::int64_t by);
  // By domain and its number, where that is not 0; in no order.
  template <class Fn>
  void ForEachDomain(Fn fn) const {
    for (std::size_t d = 0; d < dense_.size(); ++d) {
      if (dense_[d] != 0) fn(static_cast<std::int32_t>(d), dense_[d]);
    }
    for (const auto& [domain, count] : sparse_) fn(domain, count);
  }

  struct Step {
    std::int32_t domain;
    std::int64_t before;
  };
  std::uint64_t steps_end() const { return steps_start_ + steps_.size(); }
  // The steps from that position on; nullopt: some are forgotten.
  std::optional<std::span<const Step>> StepsSince(std::uint64_t position) const;

 private:
  static constexpr std::size_t kMostSteps = std::size_t{1} << 16;

  void MoveLeast(std::int64_t before, std::int64_t after);

  const Topology& topology_;
  Keep keep_;
  // One of the two is in use.
  boost::unordered_flat_map<std::int32_t, std::int64_t> sparse_;
  std::vector<std::int64_t> dense_;
  std::int32_t nonzero_ = 0;
  std::int64_t total_ = 0;
  std::int64_t least_ = 0;
  boost::unordered_flat_map<std::int64_t, std::int32_t> domains_by_count_;  // of those beyond 0
  std::vector<Step> steps_;
  std::uint64_t steps_start_ = 0;
};

}  // namespace basalt::scheduler
