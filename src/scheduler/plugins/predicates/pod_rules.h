#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/framework/domain_counts.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Required pod affinity and anti-affinity, in both directions: the task's own terms, and the
// anti-affinity of tasks that are placed already. Keeps counts per topology domain, by class of
// tasks, for one session.
class PodAffinityRules {
 public:
  void Open(const SessionView& view);
  // Whether there is any rule about tasks of this class.
  bool Concern(const Task& task);
  Verdict Check(const Task& task, const Node& node);
  void TaskMoved(const Task& task, const model::Holding& from);

 private:
  // The task's own terms.
  struct Own {
    std::vector<std::string> affinity_keys;
    // Tasks that match all affinity terms, by the topology of each term.
    std::vector<std::unique_ptr<DomainCounts>> affinity;
    bool matches_itself = false;
    std::vector<std::unique_ptr<DomainCounts>> anti;
  };
  // Anti-affinity of placed tasks that match this class: label and value that are taken.
  struct Taken {
    std::uint64_t version = 0;
    boost::unordered_flat_map<std::string, std::vector<std::string>> values;
  };
  Own& OwnOf(const Task& task);
  const Taken& TakenFor(const Task& task);

  const SessionView* view_ = nullptr;
  boost::unordered_flat_map<std::uint32_t, std::unique_ptr<Own>> own_;
  boost::unordered_flat_map<std::uint32_t, Taken> taken_;
  std::uint64_t version_ = 1;  // grows when a task with terms moves
};

// Topology spread constraints that must hold.
class SpreadRules {
 public:
  void Open(const SessionView& view);
  Verdict Check(const Task& task, const Node& node);
  void TaskMoved(const Task& task, const model::Holding& from);

 private:
  struct Constraint {
    const kube::TopologySpreadConstraint* spec;
    std::unique_ptr<DomainCounts> counts;
    bool matches_itself = false;
  };
  std::vector<Constraint>& ConstraintsOf(const Task& task);

  const SessionView* view_ = nullptr;
  boost::unordered_flat_map<std::uint32_t, std::unique_ptr<std::vector<Constraint>>> by_class_;
};

}  // namespace basalt::scheduler::plugins
