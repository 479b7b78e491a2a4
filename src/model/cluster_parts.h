#pragma once

// What the files that make up Cluster share; not for others.
#include <string>
#include <string_view>

#include "model/cluster.h"

namespace basalt::model::parts {

// Lists whose members know their own places: entering and leaving one costs the same however long
// it is.
template <class Id, class Item>
void EnterList(std::vector<Id>& list, Item& item, std::uint32_t Item::*place) {
  item.*place = static_cast<std::uint32_t>(list.size());
  list.push_back(item.id);
}
// The last one takes its place.
template <class Id, class Table, class Item>
void LeaveList(std::vector<Id>& list, Table& items, const Item& item, std::uint32_t Item::*place) {
  list[item.*place] = list.back();
  items[list.back()].*place = item.*place;
  list.pop_back();
}

// Into the list (+1), or out of it (-1).
template <class Id, class Table, class Item>
void ChangeList(std::vector<Id>& list, Table& items, Item& item, std::uint32_t Item::*place,
                int by) {
  by > 0 ? EnterList(list, item, place) : LeaveList(list, items, item, place);
}

inline void Change(ResourceSum& sum, const Amounts& item, int by) {
  by > 0 ? sum.Add(item) : sum.Remove(item);
}

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
  Amounts in_queue;
  Amounts elastic;
  bool of_all = false;  // in_queue is to come from the nodes there are
};
Contribution ContributionOf(const Job& job);

// The one of the Cluster's lists of jobs in which it belongs.
Job::List ListOf(const Job& job);

}  // namespace basalt::model::parts
