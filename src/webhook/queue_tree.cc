#include "webhook/queue_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace basalt::webhook {
namespace {

using kube::Quantity;
using kube::Queue;
using kube::ResourceList;

// A tree that is a circle already must not hold us.
constexpr int kDeepest = 64;

}  // namespace

struct QueueTree::Share {
  std::string_view name;
  ResourceList Queue::*amounts;
  // What bounds the sum of the children's, of the first of these that the parent states.
  std::vector<std::pair<std::string_view, ResourceList Queue::*>> bounds;
};

const Queue* QueueTree::Find(std::string_view name) const {
  return name == queue_.meta.name ? &queue_ : snapshot_.FindQueue(name);
}

std::vector<const Queue*> QueueTree::Children(std::string_view parent) const {
  std::vector<const Queue*> children = snapshot_.Children(parent);
  std::erase_if(children, [&](const Queue* child) { return child->meta.name == queue_.meta.name; });
  if (ParentOf(queue_) == parent) children.push_back(&queue_);
  return children;
}

bool QueueTree::CheckPlace(int max_depth, Review& review) const {
  const std::string& name = queue_.meta.name;
  if (name == kRootQueue) {
    if (queue_.parent.empty()) return true;
    review.Refuse("spec.parent: the root queue has no parent; leave it out");
    return false;
  }
  if (queue_.parent == name) {
    review.Refuse(fmt::format("spec.parent: queue \"{}\" cannot be its own parent", name));
    return false;
  }
  int depth = 1;
  for (std::string_view at = ParentOf(queue_); at != kRootQueue; ++depth) {
    if (at == name) {
      review.doubtful = true;
      review.Refuse(
          fmt::format("spec.parent: \"{}\" is below queue \"{}\": the tree would become a circle",
                      queue_.parent, name));
      return false;
    }
    if (depth >= max_depth) {
      review.Refuse(
          fmt::format("spec.parent: \"{}\": more than {} levels below root "
                      "(--max-queue-depth)",
                      queue_.parent, max_depth));
      return false;
    }
    const Queue* parent = snapshot_.FindQueue(at);
    if (parent == nullptr) {
      review.doubtful = true;
      review.Refuse(fmt::format("spec.parent: there is no queue \"{}\"; create it first", at));
      return false;
    }
    at = ParentOf(*parent);
  }
  const Queue* parent = Parent(queue_);
  if (parent != nullptr && parent->meta.name != kRootQueue &&
      snapshot_.Children(parent->meta.name).empty()) {
    const Quantity pods = parent->allocated.Get("pods");
    if (pods.Sign() > 0) {
      review.doubtful = true;
      review.Refuse(
          fmt::format("spec.parent: queue \"{}\" has {} pods of its own and cannot "
                      "become a parent; move them first",
                      parent->meta.name, pods.ToString()));
      return false;
    }
  }
  return true;
}

void QueueTree::CheckAmounts(Review& review) const {
  CheckCapability(review);
  CheckShare({.name = "deserved",
              .amounts = &Queue::deserved,
              .bounds = {{"deserved", &Queue::deserved}, {"capability", &Queue::capability}}},
             review);
  CheckShare({.name = "guarantee.resource",
              .amounts = &Queue::guarantee,
              .bounds = {{"guarantee", &Queue::guarantee},
                         {"deserved", &Queue::deserved},
                         {"capability", &Queue::capability}}},
             review);
}

void QueueTree::CheckCapability(Review& review) const {
  for (const auto& [resource, amount] : queue_.capability) {
    int depth = 0;
    for (const Queue* above = Parent(queue_); above != nullptr && depth < kDeepest;
         above = Parent(*above), ++depth) {
      const Quantity* most = above->capability.Find(resource);
      if (most == nullptr) continue;
      if (amount > *most) {
        review.doubtful = true;
        review.Refuse(
            fmt::format("spec.capability[{}]: {}: more than the {} of queue \"{}\" above "
                        "it",
                        resource, amount.ToString(), most->ToString(), above->meta.name));
      }
      break;
    }
    FindWider(queue_, resource, amount, 0, review);
  }
}

// The nearest queues below that state a capability have no more than `most`.
void QueueTree::FindWider(const Queue& queue, std::string_view resource, const Quantity& most,
                          int depth, Review& review) const {
  if (depth > kDeepest) return;
  for (const Queue* child : Children(queue.meta.name)) {
    const Quantity* amount = child->capability.Find(resource);
    if (amount == nullptr) {
      FindWider(*child, resource, most, depth + 1, review);
    } else if (*amount > most) {
      review.doubtful = true;
      review.Refuse(
          fmt::format("spec.capability[{}]: {}: less than the {} of queue \"{}\" below it",
                      resource, most.ToString(), amount->ToString(), child->meta.name));
    }
  }
}

void QueueTree::CheckShare(const Share& share, Review& review) const {
  // Resources that a change of this queue may bring out of order.
  std::set<std::string, std::less<>> resources;
  for (const auto& [_, amounts] : share.bounds) {
    for (const auto& [resource, amount] : queue_.*amounts) resources.insert(resource);
  }
  for (const Queue* child : Children(queue_.meta.name)) {
    for (const auto& [resource, amount] : child->*share.amounts) resources.insert(resource);
  }
  for (const std::string& resource : resources) {
    CheckChildrenOf(queue_, share, resource, review);
    int depth = 0;
    for (const Queue* above = Parent(queue_); above != nullptr && depth < kDeepest;
         above = Parent(*above), ++depth) {
      CheckChildrenOf(*above, share, resource, review);
      // What it claims itself does not depend on what is below.
      if ((above->*share.amounts).Find(resource) != nullptr) break;
    }
  }
}

void QueueTree::CheckChildrenOf(const Queue& parent, const Share& share, std::string_view resource,
                                Review& review) const {
  for (const auto& [name, amounts] : share.bounds) {
    const Quantity* most = (parent.*amounts).Find(resource);
    if (most == nullptr) continue;
    Quantity sum;
    for (const Queue* child : Children(parent.meta.name)) {
      sum += Claimed(*child, share, resource, 0);
    }
    if (sum > *most) {
      review.doubtful = true;
      review.Refuse(fmt::format(
          "spec.{}[{}]: the children of queue \"{}\" have {} together, more "
          "than its {} of {}",
          share.name, resource, parent.meta.name, sum.ToString(), name, most->ToString()));
    }
    return;
  }
}

// What the queue states, or what those below it do together.
Quantity QueueTree::Claimed(const Queue& queue, const Share& share, std::string_view resource,
                            int depth) const {
  if (const Quantity* stated = (queue.*share.amounts).Find(resource)) return *stated;
  Quantity sum;
  if (depth > kDeepest) return sum;
  for (const Queue* child : Children(queue.meta.name)) {
    sum += Claimed(*child, share, resource, depth + 1);
  }
  return sum;
}

}  // namespace basalt::webhook
