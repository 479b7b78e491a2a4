#pragma once

#include <string_view>
#include <vector>

#include "kube/types/scheduling.h"
#include "webhook/review.h"
#include "webhook/snapshot.h"

namespace basalt::webhook {

// The tree of queues as it would be with `queue` as it is to be written. Lives while one request is
// judged, on the loop's thread; snapshot and queue must outlive it.
class QueueTree {
 public:
  QueueTree(const Snapshot& snapshot, const kube::Queue& queue)
      : snapshot_(snapshot), queue_(queue) {}

  // nullptr: there is none.
  const kube::Queue* Find(std::string_view name) const;
  const kube::Queue* Parent(const kube::Queue& queue) const { return Find(ParentOf(queue)); }
  std::vector<const kube::Queue*> Children(std::string_view parent) const;

  // The queue's parent exists, is not below it, is not too far down, and may have children. True:
  // the tree above the queue is sound.
  bool CheckPlace(int max_depth, Review& review) const;
  // Capability, deserved and guarantee hold between the queue, those above and those below it. No
  // queue may have more than the nearest one above that says how much. What the children of a queue
  // are guaranteed or deserve is not more than the queue's own. Only after CheckPlace.
  void CheckAmounts(Review& review) const;

 private:
  struct Share;  // guarantee or deserved

  void CheckCapability(Review& review) const;
  void CheckShare(const Share& share, Review& review) const;
  void CheckChildrenOf(const kube::Queue& parent, const Share& share, std::string_view resource,
                       Review& review) const;
  kube::Quantity Claimed(const kube::Queue& queue, const Share& share, std::string_view resource,
                         int depth) const;
  void FindWider(const kube::Queue& queue, std::string_view resource, const kube::Quantity& most,
                 int depth, Review& review) const;

  const Snapshot& snapshot_;
  const kube::Queue& queue_;
};

}  // namespace basalt::webhook
