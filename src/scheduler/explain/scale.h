#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"
#include "scheduler/framework/standing_promises.h"

namespace basalt::scheduler::explain {

// What an autoscaler makes of a pod that has no node.
enum class Sight : std::uint8_t {
  kSeen,     // it makes room for it: a new node, where none has any
  kPlaced,   // it counts it on the node that it is promised
  kNotSeen,  // it does nothing for it
};
std::string_view ToString(Sight sight);

struct SightOf {
  Sight sight = Sight::kNotSeen;
  std::string why;  // for people; "seen: " and the like are not part of it
};

// One pod without a node.
struct ScaleRow {
  const model::Task* task = nullptr;
  std::string_view queue;
  SightOf cluster_autoscaler;
  SightOf karpenter;
};

struct ScaleFilter {
  std::string_view ns;     // "": of all namespaces
  std::string_view queue;  // "": of all queues
};

// What Cluster Autoscaler and Karpenter make of each pod that waits for a node, from what its
// object says now, and why; sorted by namespace and name. Costs as much as pods wait.
std::vector<ScaleRow> ExplainScale(const model::Cluster& cluster, const PromiseTerms& terms,
                                   const ScaleFilter& filter);

// An object: how many of what, as a sentence ("message") and in figures, whose rules these are, and
// the rows ("items"). As text, since there may be very many.
std::string ToJsonText(const std::vector<ScaleRow>& rows);

}  // namespace basalt::scheduler::explain
