#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/cluster.h"

namespace basalt::scheduler {

// How many pods disruption budgets let go now: as many as their status allows, less the evictions
// that are decided and that no status has counted yet. An eviction that the API server refuses
// makes no room, so no pod may be promised that room. The rules are those of the eviction
// subresource.
//
// Read when it is first asked, told of every move from then on. On the cluster's thread; lives for
// one session, in it.
class DisruptionBudgets {
 public:
  explicit DisruptionBudgets(const model::Cluster& cluster) : cluster_(cluster) {}

  // Whether the task's eviction would be accepted.
  bool Allow(const model::Task& task);
  // The task held something else before.
  void Moved(const model::Task& task, const model::Holding& from);

 private:
  struct Budget {
    const kube::PodDisruptionBudget* object;
    std::int64_t left;
  };
  void Read();
  // Those of the task's namespace.
  std::span<Budget> BudgetsNear(const model::Task& task);
  template <class Fn>
  void ForEachGuard(const model::Task& task, Fn fn);

  const model::Cluster& cluster_;
  bool read_ = false;
  boost::unordered_flat_map<std::string, std::vector<Budget>> by_namespace_;
};

}  // namespace basalt::scheduler
