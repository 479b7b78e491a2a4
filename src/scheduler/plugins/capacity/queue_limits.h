#pragma once

#include <map>
#include <vector>

#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// What a queue may have, worked out once per session.
struct QueueLimits {
  bool usable = false;  // its way up the tree reaches the root
  bool leaf = true;
  std::vector<model::QueueId> ancestors;  // the root first, the parent last
  model::Amounts deserved;
  model::Amounts guarantee;
  model::Amounts capability;
  // The capability as far as guarantees of others leave it, and the nodes that exist now.
  model::Amounts real_capability;
  // The same without the nodes. It limits claims, and pods that opted in to the queue-allocation
  // gate, so that an autoscaler hears of a job that is larger than today's cluster.
  model::Amounts gated_capability;

  // The ancestor `depth` levels up (1: the parent); none beyond the root.
  model::QueueId AncestorAt(int depth) const {
    const auto levels = static_cast<int>(ancestors.size());
    return depth >= 1 && depth <= levels ? ancestors[levels - depth] : model::QueueId{};
  }
};
using AllLimits = std::map<model::QueueId, QueueLimits>;

// Every queue for itself: real capability is the total less what others are guaranteed.
AllLimits FlatLimits(const SessionView& view);
// Down the tree: a queue has its parent's real capability less what its siblings are guaranteed,
// and inherits what its own capability leaves out. The root is not limited by the nodes there are.
AllLimits TreeLimits(const SessionView& view);

// The index of the last ancestor, from the root, that both have.
int CommonLevel(const QueueLimits& a, const QueueLimits& b);

}  // namespace basalt::scheduler::plugins
