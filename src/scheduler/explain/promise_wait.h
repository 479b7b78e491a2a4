#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"

namespace basalt::scheduler::explain {

// For whom a pod waits that is promised a node, and until when.
struct PromiseWait {
  enum class What : std::uint8_t {
    kNode,   // those who leave its node
    kGroup,  // its node has room; those who leave the nodes of the rest of its group
    kQueue,  // its node has room; those who leave its queue, by an eviction that is not confirmed
  };
  What what = What::kNode;
  std::vector<const model::Task*> for_whom;  // by namespace and name; empty: nobody
  std::optional<Time> until;                 // nothing: an eviction is not confirmed yet
};
PromiseWait WhatPromiseWaitsFor(const model::Cluster& cluster, const model::Task& promised,
                                Duration nomination_grace);

}  // namespace basalt::scheduler::explain
