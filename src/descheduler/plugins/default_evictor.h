#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "descheduler/plugins/extension_points.h"
#include "descheduler/policy/policy.h"
#include "model/cluster.h"

namespace basalt::descheduler {

// Which pods the policy lets go (contract C8, W6). The arguments mean what they mean in
// kubernetes-sigs/descheduler v0.36, but for one thing: a pod that no controller would make again
// stays, whatever it is annotated with, since nothing could take the place that is held for it.
// Owned by a Run, on its thread.
class DefaultEvictor final : public EvictionFilter, public PreEvictionFilter {
 public:
  static constexpr std::string_view kName = "DefaultEvictor";

  DefaultEvictor(const model::Cluster& cluster, const DefaultEvictorArgs& args, Time now)
      : cluster_(cluster), args_(args), now_(now) {}

  std::optional<Objection> Filter(const model::Task& task) override;
  std::optional<Objection> FilterBeforeEviction(const model::Task& task) override;

 private:
  std::optional<Objection> CheckPriority(const kube::Pod& pod) const;
  std::optional<Objection> CheckVolumes(const kube::Pod& pod) const;
  std::optional<Objection> CheckBudgets(const kube::Pod& pod);
  std::optional<Objection> CheckReplicas(const kube::Pod& pod);
  // How many pods name the owner.
  int ReplicasOf(const std::string& owner_uid);
  bool HasBudget(const kube::Pod& pod);

  const model::Cluster& cluster_;
  const DefaultEvictorArgs& args_;
  const Time now_;
  std::optional<boost::unordered_flat_map<std::string, int>> replicas_;
  using Budgets = std::vector<const kube::PodDisruptionBudget*>;
  std::optional<boost::unordered_flat_map<std::string, Budgets>> budgets_;  // by namespace
};

}  // namespace basalt::descheduler
