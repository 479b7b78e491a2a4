#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "scheduler/config/config.h"
#include "scheduler/framework/aggregators.h"
#include "scheduler/framework/explanations.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/reasons.h"

namespace basalt::scheduler {

// The plugins that take part in an extension point, tier by tier, and the switch of the
// configuration that turns it on (none: always on for a listed plugin, as in Volcano).
template <class Point, Switch... kOn>
struct Hook {
  Tiered<Point> tiers;
  static bool IsOn(const PluginConfig& config) { return (config.IsOn(kOn) && ...); }
};
// Every file of the scheduler includes it, and a std::tuple of so many vectors would cost each of
// them a second to compile.
template <class... Points>
struct HookTable : Points... {
  template <class Fn>
  void ForEach(Fn fn) {
    (fn(static_cast<Points&>(*this)), ...);
  }
};
template <class Point, Switch... kOn>
const Tiered<Point>& TiersOf(const Hook<Point, kOn...>& hook) {
  return hook.tiers;
}
// The table of extension points. How answers are put together is in session_view.cc, one line per
// point: by which rule (aggregators.h), and what counts where no plugin votes. Points with a * are
// there for parity with Volcano's configuration and tests only; no action asks.
using Hooks =
    HookTable<Hook<JobOrder, Switch::kJobOrder>,              // OrderChain; creation, then arrival
              Hook<QueueOrder, Switch::kQueueOrder>,          // OrderChain; creation, then name
              Hook<VictimQueueOrder>,                         // OrderChain; QueueOrder reversed
              Hook<TaskOrder, Switch::kTaskOrder>,            // OrderChain; index, creation, uid
              Hook<JobValidator>,                             // FirstRefusal; valid
              Hook<JobReadiness, Switch::kJobReady>,          // AllPass; ready
              Hook<JobPipelining, Switch::kJobPipelined>,     // TierVote; pipelined
              Hook<JobStarvation, Switch::kJobStarving>,      // FirstTierAll; not starving
              Hook<EnqueueVoter, Switch::kJobEnqueued>,       // TierVote; may enter
              Hook<EnqueueObserver, Switch::kJobEnqueued>,    // TellAll
              Hook<QueueAdmission, Switch::kAllocatable>,     // FirstRefusal; may allocate
              Hook<QueueOveruse, Switch::kOverused>,          // AnyOf; not overused
              Hook<QueuePreemption, Switch::kPreemptive>,     // AllPass; may reclaim
              Hook<PreemptionVictims, Switch::kPreemptable>,  // TierIntersection; no victims
              Hook<ReclaimVictims, Switch::kReclaimable>,     // TierIntersection; no victims
              Hook<UnifiedVictims>,                           // TierIntersection; no victims *
              Hook<PeriodicVictims, Switch::kVictim>,         // TierUnion; no victims *
              Hook<PrePredicate, Switch::kPredicate>,         // FirstRefusal; passes
              Hook<NodeFilter, Switch::kPredicate>,           // the first refusal; passes
              Hook<NodeScorer, Switch::kNodeOrder>,           // sum; 0
              Hook<BatchScorer, Switch::kNodeOrder>,          // sum; 0
              Hook<BestNode, Switch::kBestNode>,       // the first answer; highest score, then name
              Hook<SessionObserver>,                   // all
              Hook<PlacementObserver>,                 // all
              Hook<TimeDependent>,                     // the earliest; never
              Hook<BindPlanner, Switch::kPredicate>>;  // all

// The plugins of one configuration, made once, with what they implement found out and sorted by
// tier. Kept from session to session; a new configuration makes a new set. Owned by what opens the
// sessions (the Scheduler), on its thread.
class PluginSet {
 public:
  // Errors name the plugin and, where the configuration came from a file, the line.
  static Result<std::unique_ptr<PluginSet>> Make(Config config, const PluginRegistry& registry);

  ~PluginSet();
  PluginSet(const PluginSet&) = delete;
  PluginSet& operator=(const PluginSet&) = delete;

  const Config& config() const { return config_; }
  Reasons& reasons() { return reasons_; }
  Explanations& explanations() { return explanations_; }
  template <class Point>
  const Tiered<Point>& hooks() const {
    return TiersOf<Point>(hooks_);
  }
  // Whether some policy holds queues to the limits of their ancestors, too.
  model::QueueReach queue_reach() const;
  // The keys of annotations and labels that some plugin reads from pods; sorted.
  const std::vector<std::string>& pod_keys() const { return pod_keys_; }

 private:
  explicit PluginSet(Config config);

  Config config_;
  Reasons reasons_;
  Explanations explanations_;
  std::vector<std::unique_ptr<Plugin>> plugins_;
  Hooks hooks_;
  std::vector<std::string> pod_keys_;
};

}  // namespace basalt::scheduler
