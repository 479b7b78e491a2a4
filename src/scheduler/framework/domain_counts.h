#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kube/types/affinity.h"
#include "model/cluster.h"

namespace basalt::scheduler {

// Which pods a term of pod affinity, or a spread constraint, is about.
class PodMatcher {
 public:
  // The namespaces of a term: those it names, those its selector selects, or the pod's own.
  static PodMatcher Of(const kube::PodAffinityTerm& term, const kube::Pod& owner,
                       const model::Objects& objects);
  // Spread constraints count pods of the owner's namespace; labels named by matchLabelKeys narrow
  // the selector.
  static PodMatcher Of(const kube::TopologySpreadConstraint& constraint, const kube::Pod& owner);

  bool Matches(const kube::Pod& pod) const;
  // A selector that is there and says nothing: everything for affinity, nothing for spreading.
  bool selects_nothing() const { return !selector_; }

 private:
  bool all_namespaces_ = false;
  std::vector<std::string> namespaces_;
  std::optional<kube::LabelSelector> selector_;
};

// How many placed tasks that match all of some terms there are in each domain of a topology (the
// nodes that share a label's value). Built by one walk over the nodes, then kept up to date move by
// move. Lives for one session.
class DomainCounts {
 public:
  struct Rule {
    std::vector<PodMatcher> all_of;
    std::string topology_key;
    bool count_leaving = true;  // tasks that are being deleted
    // Nodes whose tasks count, by node id; empty: all.
    std::vector<bool> nodes;
  };
  static constexpr std::int32_t kNoDomain = -1;

  DomainCounts(const model::Cluster& cluster, Rule rule);

  // The node's domain; kNoDomain: it lacks the label, or does not count.
  std::int32_t DomainOf(model::NodeId node) const { return domain_of_node_[node.index()]; }
  std::int64_t Count(std::int32_t domain) const { return counts_[domain]; }
  // 0 where the node has no domain.
  std::int64_t On(model::NodeId node) const {
    const std::int32_t domain = DomainOf(node);
    return domain == kNoDomain ? 0 : counts_[domain];
  }
  std::int64_t total() const { return total_; }
  std::int32_t domains() const { return static_cast<std::int32_t>(counts_.size()); }
  // The smallest count of any domain; 0 where there is none.
  std::int64_t Least() const;

  // The task stood elsewhere before.
  void TaskMoved(const model::Task& task, const model::Holding& from);

 private:
  bool Counts(const model::Task& task, const model::Holding& holding);
  bool Matches(const model::Task& task);
  void Change(model::NodeId node, int by);

  Rule rule_;
  std::vector<std::int32_t> domain_of_node_;
  std::vector<std::int64_t> counts_;
  std::int64_t total_ = 0;
  boost::unordered_flat_map<std::uint32_t, bool> class_matches_;
};

}  // namespace basalt::scheduler
