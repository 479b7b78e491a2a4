#pragma once

#include <optional>

#include "scheduler/config/config.h"
#include "scheduler/framework/aggregators.h"
#include "scheduler/framework/extension_points.h"

namespace basalt::scheduler {

// The table of extension points: which switch of the configuration turns each on (none: always on
// for a listed plugin, as in Volcano). How answers are put together is in session_view.cc, one line
// per point:
//
//   point              switch              put together by      nobody votes
//   JobOrder           enableJobOrder      OrderChain           creation, then arrival
//   QueueOrder         enableQueueOrder    OrderChain           creation, then name
//   VictimQueueOrder   -                   OrderChain           QueueOrder reversed
//   TaskOrder          enableTaskOrder     OrderChain           index, creation, uid
//   JobValidator       -                   FirstRefusal         valid
//   JobReadiness       enableJobReady      AllPass              ready
//   JobPipelining      enableJobPipelined  TierVote             pipelined
//   JobStarvation      enableJobStarving   FirstTierAll         not starving
//   EnqueueVoter       enableJobEnqueued   TierVote             may enter
//   EnqueueObserver    enableJobEnqueued   TellAll
//   QueueAdmission     enabledAllocatable  FirstRefusal         may allocate
//   QueueOveruse       enabledOverused     AnyOf                not overused
//   QueuePreemption    enablePreemptive    AllPass              may reclaim
//   PreemptionVictims  enablePreemptable   TierIntersection     no victims
//   ReclaimVictims     enableReclaimable   TierIntersection     no victims
//   UnifiedVictims     -                   TierIntersection     no victims
//   PeriodicVictims    enabledVictim       TierUnion            no victims
//   TaskGate           enablePredicate     FirstRefusal         passes
//   NodeFilter         enablePredicate     first refusal        passes
//   NodeScorer         enableNodeOrder     sum                  0
//   BatchScorer        enableNodeOrder     sum                  0
//   BestNode           enableBestNode      first answer         highest score, then name
//   SessionObserver    -                   all
//   PlacementObserver  -                   all
//   TimeDependent      -                   the earliest         never
//   BindPlanner        enablePredicate     all
template <class Point>
inline constexpr std::optional<Switch> kSwitchOf = std::nullopt;
template <>
inline constexpr std::optional<Switch> kSwitchOf<JobOrder> = Switch::kJobOrder;
template <>
inline constexpr std::optional<Switch> kSwitchOf<QueueOrder> = Switch::kQueueOrder;
template <>
inline constexpr std::optional<Switch> kSwitchOf<TaskOrder> = Switch::kTaskOrder;
template <>
inline constexpr std::optional<Switch> kSwitchOf<JobReadiness> = Switch::kJobReady;
template <>
inline constexpr std::optional<Switch> kSwitchOf<JobPipelining> = Switch::kJobPipelined;
template <>
inline constexpr std::optional<Switch> kSwitchOf<JobStarvation> = Switch::kJobStarving;
template <>
inline constexpr std::optional<Switch> kSwitchOf<EnqueueVoter> = Switch::kJobEnqueued;
template <>
inline constexpr std::optional<Switch> kSwitchOf<EnqueueObserver> = Switch::kJobEnqueued;
template <>
inline constexpr std::optional<Switch> kSwitchOf<QueueAdmission> = Switch::kAllocatable;
template <>
inline constexpr std::optional<Switch> kSwitchOf<QueueOveruse> = Switch::kOverused;
template <>
inline constexpr std::optional<Switch> kSwitchOf<QueuePreemption> = Switch::kPreemptive;
template <>
inline constexpr std::optional<Switch> kSwitchOf<PreemptionVictims> = Switch::kPreemptable;
template <>
inline constexpr std::optional<Switch> kSwitchOf<ReclaimVictims> = Switch::kReclaimable;
template <>
inline constexpr std::optional<Switch> kSwitchOf<PeriodicVictims> = Switch::kVictim;
template <>
inline constexpr std::optional<Switch> kSwitchOf<TaskGate> = Switch::kPredicate;
template <>
inline constexpr std::optional<Switch> kSwitchOf<NodeFilter> = Switch::kPredicate;
template <>
inline constexpr std::optional<Switch> kSwitchOf<NodeScorer> = Switch::kNodeOrder;
template <>
inline constexpr std::optional<Switch> kSwitchOf<BatchScorer> = Switch::kNodeOrder;
template <>
inline constexpr std::optional<Switch> kSwitchOf<BestNode> = Switch::kBestNode;
template <>
inline constexpr std::optional<Switch> kSwitchOf<BindPlanner> = Switch::kPredicate;

// For each point the plugins that take part, tier by tier. Every file of the scheduler includes it,
// and a std::tuple of so many vectors would cost each of them a second to compile.
template <class Point>
struct Hook {
  Tiered<Point> tiers;
};
template <class... Points>
struct HookTable : Hook<Points>... {
  template <class Point>
  const Tiered<Point>& Get() const {
    return static_cast<const Hook<Point>&>(*this).tiers;
  }
  template <class Fn>
  void ForEach(Fn fn) {
    (fn(static_cast<Hook<Points>&>(*this).tiers), ...);
  }
};
using Hooks =
    HookTable<JobOrder, QueueOrder, VictimQueueOrder, TaskOrder, JobValidator, JobReadiness,
              JobPipelining, JobStarvation, EnqueueVoter, EnqueueObserver, QueueAdmission,
              QueueOveruse, QueuePreemption, PreemptionVictims, ReclaimVictims, UnifiedVictims,
              PeriodicVictims, TaskGate, NodeFilter, NodeScorer, BatchScorer, BestNode,
              SessionObserver, PlacementObserver, TimeDependent, BindPlanner>;

}  // namespace basalt::scheduler
