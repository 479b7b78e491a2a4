#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/pod_counts.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Required pod affinity and anti-affinity, in both directions: the task's own terms, and the
// anti-affinity of tasks that are placed already. By class of tasks. Owned by the plugin, on the
// cluster's thread; what it knows lasts one session.
class PodAffinityRules {
 public:
  explicit PodAffinityRules(PodCounts& counts) : counts_(counts) {}

  void Open(const SessionView& view);
  // Whether there is any rule about tasks of this class.
  bool Concern(const Task& task);
  Verdict Check(const Task& task, const Node& node);
  NodeFilter::Changes FindChanges(const Task& task, std::vector<std::uint64_t>* seen,
                                  std::vector<NodeId>* nodes);

 private:
  // Tasks that match all affinity terms of one, by the topology of each term.
  using Companions = std::vector<const DomainCounts*>;
  // The task's own terms.
  struct Own {
    Companions affinity;
    Companions affinity_present;  // without those that have a promise alone
    bool matches_itself = false;
    std::vector<const DomainCounts*> anti;

    // The first of a series that wants to be together may go anywhere.
    bool MayBeFirst(const Companions& companions) const;
    bool Satisfied(const Companions& companions, NodeId node) const;
  };
  const Own& OwnOf(const Task& task);

  PodCounts& counts_;
  const SessionView* view_ = nullptr;
  boost::unordered_flat_map<std::uint32_t, Own> own_;
};

// Topology spread constraints that must hold. Owned by the plugin, on the cluster's thread; what it
// knows lasts one session.
class SpreadRules {
 public:
  explicit SpreadRules(PodCounts& counts) : counts_(counts) {}

  void Open(const SessionView& view);
  Verdict Check(const Task& task, const Node& node);
  NodeFilter::Changes FindChanges(const Task& task, std::vector<std::uint64_t>* seen,
                                  std::vector<NodeId>* nodes);

 private:
  struct Constraint {
    std::int32_t max_skew = 1;
    bool too_few_domains = false;
    bool matches_itself = false;
    const Topology* all = nullptr;  // every node that has the label
    // Of the nodes that count; without tasks that have a promise alone, too.
    const DomainCounts* counts = nullptr;
    const DomainCounts* present = nullptr;

    std::int64_t Least(const DomainCounts& of) const { return too_few_domains ? 0 : of.Least(); }
    // Whether a domain with so many is too full, where the emptiest has `least`.
    bool Refuses(std::int64_t count, std::int64_t least) const {
      return count + (matches_itself ? 1 : 0) - least > max_skew;
    }
    bool Refuses(const DomainCounts& of, NodeId node) const {
      return Refuses(of.On(node), Least(of));
    }
    // Adds the nodes of domains that have become too full, or are that no longer, since what was
    // `seen` (a position, and the least). false: that is not known any more.
    bool AddTurned(const DomainCounts& of, std::uint64_t* seen, bool known,
                   std::vector<NodeId>* nodes) const;
  };
  using Spec = kube::TopologySpreadConstraint;

  const std::vector<Constraint>& ConstraintsOf(const Task& task);
  const Topology& NodesThatCount(const Task& task, const Spec& spec,
                                 const std::vector<const Spec*>& hard);

  PodCounts& counts_;
  const SessionView* view_ = nullptr;
  boost::unordered_flat_map<std::uint32_t, std::vector<Constraint>> by_class_;
  // The nodes that count for a constraint: the same for tasks that ask the same of node objects.
  boost::unordered_flat_map<std::string, std::unique_ptr<Topology>> topologies_;
};

}  // namespace basalt::scheduler::plugins
