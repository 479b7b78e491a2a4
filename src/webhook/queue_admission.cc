#include "webhook/queue_admission.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <vector>

#include "webhook/queue_tree.h"

namespace basalt::webhook {
namespace {

using kube::Quantity;
using kube::Queue;
using kube::QueueState;
using kube::ResourceList;

constexpr std::string_view kHierarchy = "volcano.sh/hierarchy";
constexpr std::string_view kHierarchyWeights = "volcano.sh/hierarchy-weights";

void CheckNotNegative(const ResourceList& amounts, std::string_view field, Review& review) {
  for (const auto& [resource, amount] : amounts) {
    if (amount.Sign() < 0) {
      review.Refuse(
          fmt::format("{}[{}]: {}: must not be negative", field, resource, amount.ToString()));
    }
  }
}

// Each amount is at most that of `upper`, where that states one.
void CheckAtMost(const ResourceList& lower, std::string_view lower_field, const ResourceList& upper,
                 std::string_view upper_field, Review& review) {
  for (const auto& [resource, amount] : lower) {
    const Quantity* most = upper.Find(resource);
    if (most != nullptr && amount > *most) {
      review.Refuse(fmt::format("{}[{}]: {}: must not exceed {}[{}], which is {}", lower_field,
                                resource, amount.ToString(), upper_field, resource,
                                most->ToString()));
    }
  }
}

void CheckOwnAmounts(const Queue& queue, Review& review) {
  CheckNotNegative(queue.capability, "spec.capability", review);
  CheckNotNegative(queue.deserved, "spec.deserved", review);
  CheckNotNegative(queue.guarantee, "spec.guarantee.resource", review);
  CheckAtMost(queue.deserved, "spec.deserved", queue.capability, "spec.capability", review);
  CheckAtMost(queue.guarantee, "spec.guarantee.resource", queue.deserved, "spec.deserved", review);
  CheckAtMost(queue.guarantee, "spec.guarantee.resource", queue.capability, "spec.capability",
              review);
}

std::vector<std::string_view> SplitPath(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const std::size_t slash = text.find('/', from);
    parts.push_back(text.substr(from, slash - from));
    if (slash == std::string_view::npos) return parts;
    from = slash + 1;
  }
}

// The hierarchy of drf: a path and a weight for each part of it.
void CheckHierarchyAnnotations(const Queue& queue, Review& review) {
  const std::string_view path = queue.meta.annotations.Get(kHierarchy);
  const std::string_view weights = queue.meta.annotations.Get(kHierarchyWeights);
  if (path.empty() && weights.empty()) return;
  if (SplitPath(path).size() != SplitPath(weights).size()) {
    review.Refuse(
        fmt::format("metadata.annotations[{}]: \"{}\" must have as many parts as {}, "
                    "\"{}\"",
                    kHierarchy, path, kHierarchyWeights, weights));
    return;
  }
  for (const std::string_view weight : SplitPath(weights)) {
    double number = 0;
    const auto [end, error] = std::from_chars(weight.data(), weight.data() + weight.size(), number);
    if (error == std::errc() && end == weight.data() + weight.size() && number > 0) continue;
    review.Refuse(fmt::format("metadata.annotations[{}]: \"{}\": \"{}\" is no positive number",
                              kHierarchyWeights, weights, weight));
  }
}

bool SameAmounts(const Queue& a, const Queue& b) {
  return a.capability == b.capability && a.deserved == b.deserved && a.guarantee == b.guarantee;
}

}  // namespace

Review MutateQueue(const Queue& queue) {
  Review review;
  const std::string_view path = queue.meta.annotations.Get(kHierarchy);
  const std::string_view weights = queue.meta.annotations.Get(kHierarchyWeights);
  if (!path.empty() && !weights.empty() && SplitPath(path).front() != kRootQueue) {
    AddOperation(review.patch, Pointer({"metadata", "annotations", kHierarchy}),
                 boost::json::string(fmt::format("{}/{}", kRootQueue, path)));
    AddOperation(review.patch, Pointer({"metadata", "annotations", kHierarchyWeights}),
                 boost::json::string(fmt::format("1/{}", weights)));
  }
  if (!queue.reclaimable) AddOperation(review.patch, "/spec/reclaimable", true);
  if (queue.weight == 0) AddOperation(review.patch, "/spec/weight", 1);
  return review;
}

Review ValidateQueue(const Queue& queue, const Queue* old, const Snapshot& snapshot,
                     const Policy& policy) {
  Review review;
  const bool changes_weight = old == nullptr || old->weight != queue.weight;
  // Zero at creation: it was left out, and becomes one.
  if (changes_weight && (queue.weight < 0 || (queue.weight == 0 && old != nullptr))) {
    review.Refuse(fmt::format("spec.weight: {}: must be positive", queue.weight));
  }
  // Later the state is changed through the status alone, which does not come here.
  if (old == nullptr && queue.state != QueueState::kNone && queue.state != QueueState::kOpen &&
      queue.state != QueueState::kClosed) {
    review.Refuse(fmt::format("status.state: {}: must be Open or Closed", ToString(queue.state)));
  }
  if (old == nullptr || old->meta.annotations != queue.meta.annotations) {
    CheckHierarchyAnnotations(queue, review);
  }
  const bool changes_amounts = old == nullptr || !SameAmounts(*old, queue);
  const bool changes_parent = old == nullptr || ParentOf(*old) != ParentOf(queue);
  if (changes_amounts) {
    CheckOwnAmounts(queue, review);
    if (old != nullptr && queue.meta.name == kRootQueue) {
      review.Refuse(
          "spec: the amounts of the root queue cannot be changed: it is the whole "
          "cluster");
    }
  }
  if ((!changes_amounts && !changes_parent) || !review.allowed()) return review;
  const QueueTree tree(snapshot, queue);
  if (changes_parent && !tree.CheckPlace(policy.max_queue_depth, review)) return review;
  tree.CheckAmounts(review);
  return review;
}

Review ValidateQueueDeletion(std::string_view name, const Snapshot& snapshot) {
  Review review;
  review.code = 403;
  if (name == kDefaultQueue || name == kRootQueue) {
    review.Refuse(fmt::format("queue \"{}\" is always there and cannot be deleted", name));
    return review;
  }
  const auto refuse = [&](std::string why) {
    review.doubtful = true;
    review.Refuse(fmt::format("queue \"{}\" {}", name, why));
  };
  if (const auto children = snapshot.Children(name); !children.empty()) {
    refuse(fmt::format("has {} child queues, such as \"{}\"; delete or move them first",
                       children.size(), children.front()->meta.name));
  }
  if (const std::size_t groups = snapshot.Groups(name); groups > 0) {
    refuse(fmt::format("has {} jobs; wait for them, or delete them first", groups));
  } else if (const Queue* queue = snapshot.FindQueue(name)) {
    // Pods without a PodGroup of their own count in the status alone.
    const Quantity pods = queue->allocated.Get("pods");
    const int jobs = queue->pending + queue->inqueue + queue->running + queue->unknown;
    if (pods.Sign() > 0) {
      refuse(fmt::format("has {} pods; wait for them, or delete them first", pods.ToString()));
    } else if (jobs > 0) {
      refuse(fmt::format("has {} jobs; wait for them, or delete them first", jobs));
    }
  }
  return review;
}

}  // namespace basalt::webhook
