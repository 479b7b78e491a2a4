#pragma once

// What the files that make up Cluster share; not for others.
#include <string>
#include <string_view>

#include "model/cluster.h"

namespace basalt::model::parts {

inline std::string Key(std::string_view ns, std::string_view name) {
  std::string key;
  key.reserve(ns.size() + name.size() + 1);
  key += ns;
  key += '/';
  key += name;
  return key;
}

template <class Index>
auto Lookup(const Index& index, const std::string& key) {
  const auto it = index.find(key);
  return it == index.end() ? typename Index::mapped_type{} : it->second;
}

// What a holding means for its node's ledger.
enum class OnNode { kNothing, kUsed, kLeaving, kOverdue, kPromised };
inline OnNode NodeClass(const Holding& holding) {
  if (!holding.node.valid()) return OnNode::kNothing;
  switch (holding.status) {
    case TaskStatus::kPending:
    case TaskStatus::kSucceeded:
    case TaskStatus::kFailed: return OnNode::kNothing;
    case TaskStatus::kPipelined: return OnNode::kPromised;
    case TaskStatus::kReleasing: return holding.overdue ? OnNode::kOverdue : OnNode::kLeaving;
    default: return OnNode::kUsed;
  }
}

// What a holding means for the ledgers of its job and queue.
enum class InQueue { kNothing, kWants, kClaims, kPromised, kHolds, kLeaves, kOverdue };
inline InQueue QueueClass(const Holding& holding) {
  if (IsAllocated(holding.status)) return InQueue::kHolds;
  if (holding.status == TaskStatus::kPipelined) return InQueue::kPromised;
  if (holding.status == TaskStatus::kReleasing && holding.node.valid()) {
    return holding.overdue ? InQueue::kOverdue : InQueue::kLeaves;
  }
  if (holding.status != TaskStatus::kPending) return InQueue::kNothing;
  return holding.queue_claim ? InQueue::kClaims : InQueue::kWants;
}

// What a job adds to the ledgers of its queue beside its tasks.
struct Contribution {
  Resource in_queue;
  Resource elastic;
  bool of_all = false;  // in_queue is to come from the nodes there are
};
Contribution ContributionOf(const Job& job);

// The one of the Cluster's lists of jobs in which it belongs.
Job::List ListOf(const Job& job);

}  // namespace basalt::model::parts
