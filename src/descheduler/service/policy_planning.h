#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/loop.h"
#include "descheduler/planner/planner.h"
#include "descheduler/policy/policy.h"
#include "descheduler/service/planning.h"
#include "descheduler/service/usage_source.h"

namespace basalt::descheduler {

// Plans by a policy file: the parts of its profiles one after the other. Owned by the
// DeschedulerService until the file changes; loop thread only.
class PolicyPlanning final : public Planning {
 public:
  // How usage is found out for LoadAware; may return nullptr, and may be empty: then it does
  // nothing.
  using MakeUsageSource = std::function<std::unique_ptr<UsageSource>(const LoadAwareArgs&)>;

  PolicyPlanning(Policy policy, std::vector<std::string> scheduler_names,
                 const MakeUsageSource& make_usage_source = {});

  std::size_t parts() const override { return parts_.size(); }
  bool dry_run(std::size_t part) const override;
  void Prepare(std::size_t part, std::function<void()> done) override;
  Result<Plan> Make(std::size_t part, model::Cluster& cluster, Time now) override;
  Result<std::size_t> PartFor(const RunRequest& request) const override;
  Result<Plan> MakeFor(const RunRequest& request, model::Cluster& cluster, Time now) override;
  Duration most_wait() const override;
  Percentages Fragmentation(model::Cluster& cluster) const override;

 private:
  struct PartOfRun {
    const Profile* profile = nullptr;
    Part part = Part::kDefragmentation;
    std::unique_ptr<UsageSource> source;  // of LoadAware; nullptr: none
    Usage usage;                          // as it was when the part was prepared
  };

  const Policy policy_;
  const std::vector<std::string> scheduler_names_;
  const std::unique_ptr<scheduler::PluginSet> rules_;
  std::vector<PartOfRun> parts_;
  Evicted evicted_;  // by the parts of this run
  Scope scope_;
};

}  // namespace basalt::descheduler
