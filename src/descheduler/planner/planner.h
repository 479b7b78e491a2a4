#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "descheduler/plan/plan.h"
#include "descheduler/plugins/run.h"
#include "descheduler/plugins/usage.h"
#include "descheduler/policy/policy.h"
#include "model/cluster.h"
#include "scheduler/framework/plugin_set.h"

// What a run of the descheduler is to do (contract C8, W8 to W16, W20, W21): a function of the
// cluster, the policy and what was measured. Nothing is written, and the cluster is afterwards what
// it was.
namespace basalt::descheduler {

// What of a profile one plan is about: each has its own way to carry moves out.
enum class Part : std::uint8_t {
  kDeschedule,  // all plugins at `deschedule`, in the order of the file
  kDefragmentation,
  kLoadAware,
};
// Those that the profile enables, in the order in which a run goes through them.
std::vector<Part> PartsOf(const Profile& profile);

struct PlanRequest {
  Part part = Part::kDefragmentation;
  std::string id;
  Trigger trigger = Trigger::kApi;
  std::optional<bool> dry_run;                             // nothing: what the policy says
  std::string resource_type;                               // of Defragmentation; "": the policy's
  kube::LabelSelector node_selector;                       // beside the policy's
  std::vector<std::string> scheduler_names = {"volcano"};  // whose pods may be moved
  Evicted evicted;  // by this run's earlier plans: the limits of W4 count them
};

// The scheduler's rules about where pods may run, for plans: its filters, and nothing of queues and
// shares, for a move is no growth.
std::unique_ptr<scheduler::PluginSet> MakePlacementRules();

// `rules`: not those of a scheduler's cycles. `usage`: for LoadAware, which does nothing without.
// No session may be open on the cluster. REQUIRES: the profile is one of the policy's and enables
// the part; `resource_type` is in the thresholds.
Plan MakePlan(model::Cluster& cluster, scheduler::PluginSet& rules, const Policy& policy,
              const Profile& profile, const PlanRequest& request, const Usage* usage, Time now);

// W14's `fragmentation` as the cluster is: of each resource the free room on nodes that run a pod
// (other than those that stay with their nodes), as a part of all free room in service.
// `resources`: only the names count.
Percentages FragmentationOf(const model::Cluster& cluster, const Thresholds& resources);

// What Evicted is after the plan's moves.
void CountEvicted(const Plan& plan, Evicted* evicted);

}  // namespace basalt::descheduler
